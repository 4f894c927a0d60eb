"""What Gmail tests start from."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite("gaia_mail_mcp.testing")


@pytest.fixture(name="serve")
def serve_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs a scenario against a server on an emulated account; see `serving`."""
    from tests.gmail.serving import serving

    return serving(tmp_path, monkeypatch)
