"""Installed without extras: every command that needs one says which, in a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gaia_email_registry.accounts import Account, store_account
from gaia_email_registry.extras import MODULES, install_command, missing_extra

ROOT = Path(__file__).resolve().parents[2]

COMMANDS = (
    ("connect", "--email", "you@posteo.de", "--password-command", "echo x"),
    ("inbox",),
    ("triage",),
    ("triage", "--apply"),
    ("why", "x"),
    ("show", "x"),
    ("search", "x"),
    ("undo",),
    ("snooze", "x", "--until", "2090-01-01T08:00:00+00:00"),
    ("unsubscribe", "--sender", "news@shop.example"),
    ("watch", "--once"),
)

CHILD = """
import contextlib, io, json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from gaia_email.app import App
from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.cli.errors import run_guarded
from gaia_email.app.services.scripts import let_scripts_answer

let_scripts_answer(App(), answer=True)
told = []
for command in COMMANDS:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run_guarded(lambda: gaia.main(["email", *command], prog_name="gaia", standalone_mode=False))
    told.append([code, err.getvalue()])
print(json.dumps(told))
"""


def test_every_command_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    environ = {**os.environ, "GAIA_HOME": str(tmp_path), "GAIA_VAULT": "file"}
    account = Account(
        id="you@posteo.de", provider="posteo", address="you@posteo.de", server="imap", secret="command:echo x"
    )
    store_account(account, environ)
    code = f"MODULES = {tuple(MODULES)!r}\nCOMMANDS = {COMMANDS!r}\n{CHILD}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=50, env=environ, check=True
    )
    told = json.loads(done.stdout)
    assert len(told) == len(COMMANDS)
    for command, (exit_code, said) in zip(COMMANDS, told, strict=True):
        assert "IMAP accounts need a part of gaia-email that is not installed." in said, (command, said)
        assert "pip install 'gaia-email[imap]'" in said, (command, said)
        assert exit_code == 2 and "Traceback" not in said, (command, said)


def test_every_module_belongs_to_an_extra_that_there_is() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(MODULES.values()) <= set(extras)


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/you/mail/.venv", "pip install 'gaia-email[imap]'"),
        ("/home/you/.local/share/pipx/venvs/gaia-email", "pipx install --force 'gaia-email[imap]'"),
        ("/home/you/.local/share/uv/tools/gaia-email", "uv tool install 'gaia-email[imap]'"),
    ],
)
def test_the_command_is_that_of_the_installer(prefix: str, command: str) -> None:
    assert install_command("imap", prefix) == command


def test_another_missing_module_is_a_fault_of_ours() -> None:
    assert missing_extra(ModuleNotFoundError("No module named 'x'", name="x")) is None
    wrapped = RuntimeError("could not start")
    wrapped.__cause__ = ModuleNotFoundError(
        "No module named 'imapclient.exceptions'", name="imapclient.exceptions"
    )
    assert missing_extra(wrapped) is not None
