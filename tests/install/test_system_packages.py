"""The files for Homebrew and Nix hold: programs, version, Python and libraries are those of the project."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FORMULA = ROOT / "packaging" / "homebrew" / "gaia-email.rb"
NIX = ROOT / "packaging" / "nix" / "default.nix"
PROGRAMS = set(PROJECT["scripts"])


def only(pattern: str, path: Path) -> str:
    """What the one place of a file that looks so has in its group."""
    (found,) = re.findall(pattern, path.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def test_the_formula_installs_every_program_of_the_project() -> None:
    assert set(only(r"programs = %w\[(.*?)\]", FORMULA).split()) == PROGRAMS
    assert only(r'license "(.*?)"', FORMULA) == PROJECT["license"]
    assert set(re.findall(r"bin/\"(gaia[\w-]*)\"|bin\}/(gaia[\w-]*)", FORMULA.read_text())) == {
        ("gaia", ""),
        ("", "gaia"),
    }


def test_the_nix_file_starts_every_program_of_the_project_in_its_version() -> None:
    assert set(re.findall(r'"(.*?)"', only(r"programs = \[(.*?)\]", NIX))) == PROGRAMS
    assert only(r'version = "(.*?)"', NIX) == PROJECT["version"]


def test_both_take_a_python_that_the_project_supports() -> None:
    supported = SpecifierSet(PROJECT["requires-python"])
    named = {word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word}
    of_formula = {only(r'depends_on "python@(.*?)"', FORMULA), only(r'system "python(.*?)"', FORMULA)}
    of_nix = only(r"python = pkgs\.python3(\d+);", NIX)
    for version in (*of_formula, f"3.{of_nix}"):
        assert version in supported
        assert version in named
    assert len(of_formula) == 1


@pytest.mark.parametrize("path", [FORMULA, NIX], ids=["homebrew", "nix"])
def test_the_libraries_they_install_are_all_that_the_project_needs(path: Path) -> None:
    pinned = ROOT / only(r"(requirements/[\w.]+)", path)
    names = {
        canonicalize_name(found[1])
        for line in pinned.read_text(encoding="utf-8").splitlines()
        if (found := re.match(r"([\w.-]+)==", line))
    }
    extras = [need for needs in PROJECT["optional-dependencies"].values() for need in needs]
    wanted = {canonicalize_name(Requirement(need).name) for need in (*PROJECT["dependencies"], *extras)}
    assert wanted - {PROJECT["name"]} <= names
    assert only(r'"(share/man/man1)/', FORMULA) == "share/man/man1"
    assert list((ROOT / "share/man/man1").glob("*.1"))


@pytest.mark.parametrize(
    ("path", "command"), [(FORMULA, "ruby -c"), (NIX, "nix-instantiate --parse")], ids=["homebrew", "nix"]
)
def test_their_own_program_can_read_them(path: Path, command: str) -> None:
    program, *flags = command.split()
    if (found := shutil.which(program)) is None:
        pytest.skip(f"{program} is not here")
    read = subprocess.run([found, *flags, str(path)], capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr


@pytest.mark.install
@pytest.mark.timeout(600)
def test_what_the_nix_file_has_uv_run_works(runners: Path, tmp_path: Path) -> None:
    line = only(r"exec (uv tool run .*?)\n", NIX)
    words = shlex.split(
        line.replace("${source}", str(ROOT))
        .replace("${python}/bin/python3", sys.executable)
        .replace("${name}", "gaia")
        .replace('"$@"', "--version")
    )
    ran = subprocess.run(
        [str(runners / words[0]), *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert PROJECT["version"] in ran.stdout
