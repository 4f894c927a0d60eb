"""What MCP clients and registries are told of the servers holds: names, settings, and a bundle that starts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.settings import SETTINGS
from tools.bundles import build
from tools.mcp_packages import FOLDER, PACKAGED, ROOT, Packaged, manifest, server_json

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BY_NAME = [pytest.param(one, id=one.name) for one in PACKAGED]


def test_every_mail_server_is_packaged() -> None:
    programs = {name for name in PROJECT["scripts"] if re.fullmatch(r"gaia-(?!email)\w+-mcp", name)}
    assert {one.name for one in PACKAGED} == programs


@pytest.mark.parametrize("one", BY_NAME)
def test_what_a_registry_is_told_keeps_to_its_limits(one: Packaged) -> None:
    entry: dict[str, Any] = server_json(one)
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 0 < len(entry["description"]) <= 100
    (package,) = entry["packages"]
    assert package["version"] == entry["version"] == PROJECT["version"]
    assert package["runtimeArguments"][1]["value"] in PROJECT["scripts"]
    extra = re.search(r"\[(\w+)\]", package["runtimeArguments"][0]["value"])
    assert extra is None or extra[1] in PROJECT["optional-dependencies"]
    secrets = {variable["name"] for variable in package["environmentVariables"] if variable.get("isSecret")}
    assert secrets <= {setting.env for setting in SETTINGS if setting.secret}
    assert "GAIA_HTTP_TOKEN" in secrets


@pytest.mark.parametrize("one", BY_NAME)
def test_a_bundle_asks_for_nothing_that_its_server_does_not_take(one: Packaged) -> None:
    told: dict[str, Any] = manifest(one)
    environment = told["server"]["mcp_config"]["env"]
    assert set(environment) <= {setting.env for setting in SETTINGS}
    used = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(told["server"]))
    assert set(used) == set(told["user_config"])
    assert "GAIA_READ_ONLY" in environment


def test_bundles_are_the_same_bytes_every_time_and_start(tmp_path: Path) -> None:
    first = build(tmp_path / "first")
    again = build(tmp_path / "again")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    for path, one in zip(first, PACKAGED, strict=True):
        folder = tmp_path / one.name
        with zipfile.ZipFile(path) as bundle:
            bundle.extractall(folder)
        told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        assert (folder / told["server"]["entry_point"]).exists()
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        assert (folder / project["tool"]["uv"]["sources"]["gaia-email"]["path"]).exists()
        ran = subprocess.run(
            [sys.executable, "server.py", "--help"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.startswith(f"usage: {one.name}")


def test_the_image_copies_what_there_is_and_runs_as_nobody() -> None:
    lines = (ROOT / FOLDER / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    assert copied and all((ROOT / path).exists() for path in copied)
    included = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    sources = included["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert set(sources) - {"evals/fixtures"} <= set(copied), "labelled mail is for the sdist alone"
    assert any(line.startswith("USER ") and line != "USER root" for line in lines)
    (command,) = (json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD "))
    assert command[0] in PROJECT["scripts"]
