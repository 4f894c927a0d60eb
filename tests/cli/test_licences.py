"""`gaia licenses` names every library that comes along, and its licence."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from gaia_email.interfaces.cli.app import gaia

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def listed() -> dict[str, str]:
    ran = CliRunner().invoke(gaia, ["licenses", "--json"])
    assert ran.exit_code == 0, ran.output
    return {
        one["name"].lower().replace("_", "-"): one["licence"] for one in json.loads(ran.stdout)["licenses"]
    }


def test_every_library_we_ask_for_is_listed(listed: dict[str, str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=\[]", line)[0].lower().replace("_", "-") for line in project["dependencies"]}
    assert asked <= set(listed)
    assert listed["gaia-email"] == "MIT"


def test_no_library_asks_for_our_source_in_return(listed: dict[str, str]) -> None:
    """LGPL is linked to, not copied: psycopg comes with DBOS and is loaded for PostgreSQL alone."""
    assert not [name for name, licence in listed.items() if re.search(r"(?<!L)GPL", licence)]


def test_tools_of_developers_are_not_among_them(listed: dict[str, str]) -> None:
    assert not {"pytest", "ruff", "codespell", "mypy"} & set(listed)


def test_a_line_says_name_version_and_licence() -> None:
    ran = CliRunner().invoke(gaia, ["licenses"])
    assert re.search(r"^click \d\S* +BSD-3-Clause$", ran.output, re.MULTILINE)
