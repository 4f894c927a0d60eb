"""uv and pipx in an environment of their own, so that the tests of ways to run need nothing of this machine."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def runners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with `uv` and `pipx`."""
    folder = tmp_path_factory.mktemp("runners")
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "uv", "pipx"], check=True, capture_output=True)
    return folder / "bin"
