"""The shape of the house, pinned: what ships, what is public, who may import whom, how large a room may grow."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from gaia_email_registry.contract.tools import TOOLS

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "gaia_email": "agent",
    "gaia_email_registry": "registry",
    "gaia_mail_mcp": "servers/mail_mcp",
    "gaia_gmail_mcp": "servers/gmail_mcp",
    "gaia_local_mcp": "servers/local_mcp",
    "gaia_imap_mcp": "servers/imap_mcp",
}
SOURCES = sorted(
    path
    for top in ("agent", "registry", "servers", "tools", "benchmarks")
    for path in (ROOT / top).rglob("*.py")
    if "__pycache__" not in path.parts
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SHIPPED = [path for path in SOURCES if path.relative_to(ROOT).parts[0] in ("agent", "registry", "servers")]
MAX_SOURCE_LINES, MAX_TEST_LINES, MAX_FUNCTION_LINES = 500, 800, 60


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_there_are_sources_and_tests_to_check() -> None:
    assert len(SHIPPED) > 60
    assert len(TESTS) > 20


def test_every_package_folder_is_in_the_wheel() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = set(config["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert shipped == {f"{folder}/{package}" for package, folder in PACKAGES.items()}


@pytest.mark.parametrize(("package", "folder"), PACKAGES.items())
def test_a_package_folder_holds_nothing_else_importable(package: str, folder: str) -> None:
    """An editable install puts the folder on `sys.path`, so its siblings would become importable too."""
    siblings = {
        path.name
        for path in (ROOT / folder).iterdir()
        if path.is_dir() and not path.name.startswith((".", "__"))
    }
    assert siblings == {package}


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_exist_and_types_are_shipped(package: str) -> None:
    module = importlib.import_module(package)
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name)
    assert (Path(str(module.__file__)).parent / "py.typed").exists()


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_source_file_stays_small_and_says_what_it_is_for(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_SOURCE_LINES
    docstring = ast.get_docstring(tree(path))
    assert docstring, "a module docstring says what the file is for"


@pytest.mark.parametrize("path", TESTS, ids=name_of)
def test_a_test_file_stays_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_TEST_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_function_outgrows_a_screen(path: Path) -> None:
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long


PURE_ROOMS = (
    "agent/gaia_email/prepare",
    "agent/gaia_email/extract",
    "agent/gaia_email/cascade",
    "agent/gaia_email/policy/",
)
NOT_PURE = "agent/gaia_email/policy/gate.py"
"""It asks the user, and needs a clock for how long an answer is good for."""
IO_MODULES = {
    "socket",
    "subprocess",
    "urllib.request",
    "http.client",
    "requests",
    "httpx",
    "asyncio",
    "os",
    "shutil",
}
CLOCKS = re.compile(r"\b(datetime\.now|datetime\.today|date\.today|time\.time|utcnow)\b")


@pytest.mark.parametrize(
    "path",
    [path for path in SHIPPED if name_of(path).startswith(PURE_ROOMS) and name_of(path) != NOT_PURE],
    ids=name_of,
)
def test_understanding_and_deciding_do_no_input_or_output_and_read_no_clock(path: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
    assert not imported & IO_MODULES
    assert not CLOCKS.search(path.read_text(encoding="utf-8"))


MAY_NAME_WRITE_TOOLS = {
    "agent/gaia_email/actions/writing.py": "the one that calls them, each with a pass of the gate",
    "agent/gaia_email/actions/agreed.py": "tells calls that a user agreed to elsewhere apart; each has its pass",
    "agent/gaia_email/policy/gate.py": "knows which two the user can allow beforehand; calls nothing",
    "agent/gaia_email/policy/question.py": "says what each would do; calls nothing",
}
SAME_WORD = {"unsubscribe", "mark_read"}
"""Names of write tools that are other things too: an action of the ledger and the policy, a command."""


def test_only_actions_writing_names_a_write_tool() -> None:
    """Whoever wants to change a mailbox has to come by there, and there nothing is done without a pass."""
    names = {name for name, spec in TOOLS.items() if spec.risk != "read"} - SAME_WORD
    naming: set[str] = set()
    for path in SHIPPED:
        if not name_of(path).startswith("agent/"):
            continue
        strings = {
            node.value
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if strings & names:
            naming.add(name_of(path))
    assert naming == MAY_NAME_WRITE_TOOLS.keys()


@pytest.mark.parametrize(
    "path", [path for path in SHIPPED if name_of(path).startswith("servers/")], ids=name_of
)
def test_a_server_never_prints(path: Path) -> None:
    """Standard output carries the protocol and nothing else."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert not (node.value.id == "sys" and node.attr == "stdout" and "run" not in path.stem)


FORBIDDEN_TEXT = re.compile(r"files\.pythonhosted|/simple/|//[a-z.]*registry\.|/root/|/work/main")


def test_nothing_checked_in_names_a_machine_or_an_index() -> None:
    checked = [
        *SOURCES,
        *(ROOT / "requirements").glob("*.txt"),
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
    ]
    checked += [ROOT / "Makefile", ROOT / ".ci" / "run", ROOT / "pyproject.toml"]
    for path in checked:
        assert not FORBIDDEN_TEXT.search(path.read_text(encoding="utf-8")), name_of(path)
    assert not (ROOT / "uv.lock").exists()


@pytest.mark.parametrize("name", ["run", "dev"])
def test_every_dependency_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = [block for block in re.split(r"\n(?=\S)", text) if block.strip() and not block.startswith("#")]
    assert len(entries) > 20
    for entry in entries:
        assert "==" in entry.splitlines()[0]
        assert "--hash=sha256:" in entry
