"""A bare home, with the programs of this checkout and, with `-m install`, with those that pip put into a bare venv."""

from __future__ import annotations

import mailbox
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.app.sample.mailbox import write_sample
from gaia_email_registry.private_file import lock_file
from tests.pages.bare_home import BareHome
from tests.pages.page import ROOT

PROGRAMS = ("gaia", "gaia-email-mcp", "gaia-gmail-mcp", "gaia-graph-mcp", "gaia-imap-mcp", "gaia-local-mcp")


@pytest.fixture(
    scope="session",
    params=["checkout", pytest.param("pip", marks=[pytest.mark.install, pytest.mark.timeout(900)])],
)
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where our programs are: installed as they are here, or by `pip install .` without any extra."""
    if request.param == "checkout":
        return Path(sys.executable).parent
    folder = tmp_path_factory.getbasetemp()
    bare = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "bare"  # one for all workers
    with lock_file(bare):
        if not (bare / "done").exists():
            venv.create(bare, with_pip=True)
            pip = (
                bare / "bin" / "python",
                "-m",
                "pip",
                "--disable-pip-version-check",
                "install",
                "--quiet",
                ROOT,
            )
            subprocess.run(list(map(str, pip)), check=True, capture_output=True)
            (bare / "done").touch()
    return bare / "bin"


@pytest.fixture
def bare_home(installed: Path, tmp_path: Path) -> BareHome:
    """An empty home, our programs in front on the PATH and nothing else of this checkout."""
    programs, home = tmp_path / "programs", tmp_path / "you"
    programs.mkdir()
    home.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(installed / name)
    return BareHome(home, programs)


@pytest.fixture
def home_with_mail(bare_home: BareHome) -> Iterator[BareHome]:
    """A home as the pages suppose it: a Maildir, an mbox and a single message, none of them known to us yet."""
    home = bare_home.home
    write_sample(home / "Mail", now=time.time())
    messages = sorted((home / "Mail").rglob("cur/*"))[:20]
    shutil.copy(messages[0], home / "one.eml")
    box = mailbox.mbox(home / "takeout.mbox")
    for path in messages:
        box.add(path.read_bytes())
    box.close()
    yield bare_home
