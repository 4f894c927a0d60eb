"""A plain `pip install .` into a bare virtual environment gives programs that work, and so does the sdist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.install, pytest.mark.timeout(600)]


def sh(*words: str | Path, cwd: Path, **more: str) -> str:
    environ = {**os.environ, **more}
    ran = subprocess.run(
        list(map(str, words)), cwd=cwd, env=environ, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


def try_out(programs: Path, cwd: Path) -> None:
    assert "gaia-email" in sh(programs / "gaia", "--version", cwd=cwd)
    document = json.loads(sh(programs / "gaia", "email", "demo", "--json", cwd=cwd))
    assert document["total"] >= 120
    assert document["unreadable"] == 0
    assert "--maildir" in sh(programs / "gaia-local-mcp", "--help", cwd=cwd)


def test_pip_install_of_the_checkout_and_of_the_sdist(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=True)
    python, programs = bare / "bin" / "python", bare / "bin"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    sh(*pip, ROOT, cwd=tmp_path)
    try_out(programs, tmp_path)
    sh(
        sys.executable,
        "-m",
        "build",
        "--sdist",
        "--no-isolation",
        "--outdir",
        tmp_path / "dist",
        ROOT,
        cwd=tmp_path,
    )
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    sh(*pip, "--no-deps", "--force-reinstall", sdist, cwd=tmp_path)
    try_out(programs, tmp_path)


def test_the_servers_alone_bring_nothing_of_the_agent(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=True)
    pip = (bare / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
    sh(*pip, "install", "--quiet", f"{ROOT / 'servers'}[all]", cwd=tmp_path)
    for name in ("gmail", "graph", "imap", "local"):
        program = f"gaia-{name}-mcp"
        assert sh(bare / "bin" / program, "--version", cwd=tmp_path).startswith(program)
        assert "--read-only" in sh(bare / "bin" / program, "--help", cwd=tmp_path)
    found = {each["name"].lower() for each in json.loads(sh(*pip, "list", "--format=json", cwd=tmp_path))}
    assert "gaia-email-servers" in found
    assert not found & {"gaia-email", "numpy", "sqlalchemy", "alembic", "dbos"}


def built_wheel(folder: Path) -> Path:
    sh(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_uvx_and_pipx_run_the_wheel_without_installing_it(runners: Path, tmp_path: Path) -> None:
    wheel = built_wheel(tmp_path)
    uvx = (runners / "uv", "tool", "run", "--python", sys.executable, "--from")
    pipx = (runners / "pipx", "run", "--python", sys.executable, "--spec")
    own = {
        name: str(tmp_path / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR", "UV_TOOL_DIR")
    }
    for way in (uvx, pipx):
        assert "gaia-email" in sh(*way, wheel, "gaia", "--version", cwd=tmp_path, **own)
        document = json.loads(sh(*way, wheel, "gaia", "email", "demo", "--json", cwd=tmp_path, **own))
        assert document["total"] >= 120
    with_imap = f"gaia-email[imap] @ {wheel.as_uri()}"
    for way in (uvx, pipx):
        assert "--imap-host" in sh(*way, with_imap, "gaia-imap-mcp", "--help", cwd=tmp_path, **own)
