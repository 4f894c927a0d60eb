"""Builds a bundle (`.mcpb`) of each mail server for clients that install by a double click: `python -m tools.bundles`.

A bundle holds its manifest, the wheel of this checkout and three lines that start the server; uv fetches the libraries
on the machine where it is installed, so one bundle serves every platform.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tools.mcp_packages import FOLDER, PACKAGED, ROOT, Packaged, requirement

MADE_AT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a bundle, so that two builds of one commit are the same bytes."""

_START = '''"""Starts {name} for the client that installed this bundle."""

import sys

from {package}.server import main

sys.exit(main())
'''
_PROJECT = """[project]
name = "{name}-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["{requirement}"]

[tool.uv.sources]
gaia-email = {{ path = "{wheel}" }}
"""


def build(folder: Path) -> list[Path]:
    """Build the bundles into a folder; their paths.

    Raises:
        subprocess.CalledProcessError: The wheel cannot be built.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", made]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (wheel,) = Path(made).glob("*.whl")
        return [_bundle(one, wheel, folder) for one in PACKAGED]


def _bundle(one: Packaged, wheel: Path, folder: Path) -> Path:
    pinned = requirement(one)
    text = {
        "manifest.json": (ROOT / FOLDER / one.name / "manifest.json").read_text(encoding="utf-8"),
        "server.py": _START.format(name=one.name, package=one.name.replace("-", "_")),
        "pyproject.toml": _PROJECT.format(
            name=one.name, version=pinned.partition("==")[2], requirement=pinned, wheel=wheel.name
        ),
    }
    target = folder / f"{one.name}.mcpb"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in text.items():
            bundle.writestr(zipfile.ZipInfo(name, MADE_AT), content, zipfile.ZIP_DEFLATED)
        bundle.writestr(zipfile.ZipInfo(wheel.name, MADE_AT), wheel.read_bytes())
    return target


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m tools.bundles", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    for path in build(parser.parse_args(arguments).folder):
        sys.stdout.write(f"wrote {path} ({path.stat().st_size // 1024} kB)\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
