"""Passwords in a real Secret Service: unlocked, locked, and where there is none."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.secret_service import State, problem, run_with_keyring

SECRET = "correct horse battery staple"
PROGRAM = """
import json, os, sys
from gaia_email_registry.errors import MailError
from gaia_email_registry.vault import open_vault

told = {}
vault = open_vault(os.environ)
try:
    reference = vault.put("ann@example.org", sys.argv[1])
    told["reference"], told["kept"] = reference, vault.get(reference)
    vault.replace(reference, "another")
    told["replaced"] = vault.get(reference)
    vault.remove(reference)
    vault.get(reference)
except MailError as error:
    told["error"], told["hint"] = error.message, error.hint
print(json.dumps(told))
"""


@pytest.fixture(autouse=True)
def a_keyring_can_be_run() -> None:
    if why := problem():
        if os.environ.get("CI") == "true" and sys.platform == "linux":
            pytest.fail(why)
        pytest.skip(why)


def ask(folder: Path, state: State, vault: str) -> dict[str, Any]:
    environ = {
        **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
        "GAIA_HOME": str(folder / "gaia"),
        "GAIA_VAULT": vault,
    }
    ran = run_with_keyring([sys.executable, "-c", PROGRAM, SECRET], folder, state, environ)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("vault", ["auto", "keyring"])
def test_a_password_is_kept_replaced_and_removed_and_no_file_of_ours_has_it(
    tmp_path: Path, vault: str
) -> None:
    told = ask(tmp_path, "unlocked", vault)
    assert told["reference"] == "keyring:ann@example.org"
    assert (told["kept"], told["replaced"]) == (SECRET, "another")
    assert "not in the vault any more" in told["error"]
    assert not (tmp_path / "gaia" / "vault").exists()
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept and not [path for path in kept if SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("vault", ["auto", "keyring"])
def test_a_locked_keyring_says_so_and_what_else_there_is(tmp_path: Path, vault: str) -> None:
    told = ask(tmp_path, "locked", vault)
    assert "refused" in told["error"] and "unlock it" in told["hint"]
    assert "GAIA_VAULT=file" in told["hint"]
    assert not (tmp_path / "gaia" / "vault").exists()


def test_without_a_keyring_the_encrypted_file_is_taken(tmp_path: Path) -> None:
    told = ask(tmp_path, "absent", "auto")
    assert told["reference"] == "file:ann@example.org"
    assert told["kept"] == SECRET
    assert SECRET.encode() not in (tmp_path / "gaia" / "vault").read_bytes()


def test_a_keyring_that_is_asked_for_and_not_there_is_no_reason_to_use_a_file(tmp_path: Path) -> None:
    told = ask(tmp_path, "absent", "keyring")
    assert "error" in told
    assert not (tmp_path / "gaia" / "vault").exists()
