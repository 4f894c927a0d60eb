"""What Gmail tests start from; what it needs is imported by those tests that ask for it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("gaia_mail_mcp.testing")


@pytest.fixture(name="serve")
def serve_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs a scenario against a server on an emulated account; see `serving`."""
    from tests.gmail.serving import serving

    return serving(tmp_path, monkeypatch)


@pytest.fixture(name="google")
def google_fixture(monkeypatch: pytest.MonkeyPatch) -> Generator[object, None, None]:
    """Where every one of Google's services is; see `program`."""
    from tests.gmail.program import serving_all

    with serving_all(monkeypatch) as google:
        yield google


@pytest.fixture(name="home")
def home_fixture(home_of_its_own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with an OAuth client file in it."""
    from tests.gmail.program import write_client_file

    monkeypatch.setenv("GAIA_VAULT", "file")
    write_client_file(home_of_its_own)
    return home_of_its_own


@pytest.fixture(name="run")
def run_fixture(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs a command of `gaia email`; see `program`."""
    from tests.gmail.program import runner

    return runner(capsys, monkeypatch)
