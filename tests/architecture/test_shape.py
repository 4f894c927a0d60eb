"""The shape of the code, pinned: what ships, what is public, who may import whom, how large a package may grow."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from gaia_email_registry.contract.tools import TOOLS
from tests.architecture.trees import tree_of
from tests.conftest import OPTED_IN
from tests.plugins.bundled import is_left_out

pytestmark = pytest.mark.timeout(180)  # a busy machine reads a thousand files slowly

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "gaia_email": "agent",
    "gaia_email_automations": "plugins/automations",
    "gaia_email_control": "plugins/control",
    "gaia_email_evals": "plugins/evals",
    "gaia_email_gaia": "plugins/gaia",
    "gaia_email_registry": "registry",
    "gaia_mail": "mail",
    "gaia_understanding": "understanding",
    "gaia_mail_mcp": "servers/mail_mcp",
    "gaia_gmail_mcp": "servers/gmail_mcp",
    "gaia_graph_mcp": "servers/graph_mcp",
    "gaia_local_mcp": "servers/local_mcp",
    "gaia_imap_mcp": "servers/imap_mcp",
}
PRESENT = {package: folder for package, folder in PACKAGES.items() if (ROOT / folder).exists()}
"""Packages without plug-ins whose folder was removed."""

SOURCES = sorted(
    path
    for top in ("agent", "plugins", "understanding", "mail", "registry", "servers", "tools", "benchmarks")
    for path in (ROOT / top).rglob("*.py")
    if "__pycache__" not in path.parts
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


SHIPPED = [
    path
    for path in SOURCES
    if name_of(path).startswith(("agent/", "plugins/", "understanding/", "registry/", "servers/"))
]
MAX_SOURCE_LINES, MAX_TEST_LINES, MAX_FUNCTION_LINES = 500, 800, 60


_ONLY_POINTS = re.compile(r"(See `[^`]+`|See the \w+( of that name)?|Passed on)\.?")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What one walk over a source file tells.

    Attributes:
        lines: How many it has.
        documented: Its first statement says what it is for.
        functions: Each function with its lines.
        imported: The modules it imports.
        strings: Every string in it.
        called: The plain names it calls.
        attributes: Every `name.attribute` in it.
        docstrings: Those of its classes and functions.
    """

    lines: int
    documented: bool
    functions: list[tuple[str, int]]
    imported: set[str]
    strings: set[str]
    called: set[str]
    attributes: set[str]
    docstrings: set[str]


@cache
def shape(path: Path) -> Shape:
    text = path.read_text(encoding="utf-8")
    module = tree_of(path)
    functions: list[tuple[str, int]] = []
    imported: set[str] = set()
    strings: set[str] = set()
    called: set[str] = set()
    attributes: set[str] = set()
    docstrings: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstrings.add(ast.get_docstring(node) or "")
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append((node.name, (node.end_lineno or 0) - node.lineno + 1))
            case ast.Import():
                imported.update(alias.name for alias in node.names)
            case ast.ImportFrom(module=str(name)):
                imported.add(name)
            case ast.Constant(value=str(words)):
                strings.add(words)
            case ast.Call(func=ast.Name(id=name)):
                called.add(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                attributes.add(f"{name}.{attribute}")
            case _:
                pass
    return Shape(
        lines=len(text.splitlines()),
        documented=bool(ast.get_docstring(module)),
        functions=functions,
        imported=imported,
        strings=strings,
        called=called,
        attributes=attributes,
        docstrings=docstrings,
    )


def test_there_are_sources_and_tests_to_check() -> None:
    assert len(SHIPPED) > 60
    assert len(TESTS) > 20


def test_every_package_folder_is_in_the_wheel() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = set(config["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert shipped == {f"{folder}/{package}" for package, folder in PACKAGES.items()}


@pytest.mark.parametrize(("package", "folder"), PRESENT.items())
def test_a_package_folder_holds_nothing_else_importable(package: str, folder: str) -> None:
    """An editable install puts the folder on `sys.path`, so its siblings would become importable too."""
    siblings = {
        path.name
        for path in (ROOT / folder).iterdir()
        if path.is_dir() and not path.name.startswith((".", "__"))
    }
    assert siblings == {package}


@pytest.mark.parametrize("package", PRESENT)
def test_public_names_exist_and_types_are_shipped(package: str) -> None:
    module = importlib.import_module(package)
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name)
    assert (Path(str(module.__file__)).parent / "py.typed").exists()


def test_a_source_file_stays_small_and_says_what_it_is_for() -> None:
    for path in SOURCES:
        assert shape(path).lines <= MAX_SOURCE_LINES, name_of(path)
        assert shape(path).documented, f"{name_of(path)}: a module docstring says what the file is for"


def test_a_docstring_says_more_than_where_another_one_is() -> None:
    """A method that implements what its base describes is marked with `@override` and needs none."""
    found = [
        f"{name_of(path)}: {docstring}"
        for path in SOURCES
        for docstring in sorted(shape(path).docstrings)
        if _ONLY_POINTS.fullmatch(docstring)
    ]
    assert not found
    assert _ONLY_POINTS.fullmatch("See `Mailbox`.")
    assert _ONLY_POINTS.fullmatch("Passed on.")


def test_a_test_file_stays_small_and_says_what_it_is_for() -> None:
    for path in TESTS:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= MAX_TEST_LINES, name_of(path)
        assert text.startswith(('"""', 'r"""')) or not text, name_of(path)


def test_no_function_outgrows_a_screen() -> None:
    assert not [
        f"{name_of(path)}: {name} has {lines} lines"
        for path in SOURCES
        for name, lines in shape(path).functions
        if lines > MAX_FUNCTION_LINES
    ]


PURE_PACKAGES = (
    "understanding/",
    "agent/gaia_email/policy/",
    "mail/gaia_mail/asking/",
    "mail/gaia_mail/html_shown.py",
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


def test_understanding_and_deciding_do_no_input_or_output_and_read_no_clock() -> None:
    pure = [path for path in SHIPPED if name_of(path).startswith(PURE_PACKAGES) and name_of(path) != NOT_PURE]
    assert len(pure) > 100
    for path in pure:
        assert not shape(path).imported & IO_MODULES, name_of(path)
        assert not CLOCKS.search(path.read_text(encoding="utf-8")), name_of(path)


MAY_NAME_WRITE_TOOLS = {
    "agent/gaia_email/actions/writing.py": "the one that calls them, each with a pass of the gate",
    "agent/gaia_email/actions/agreed.py": "tells calls that a user agreed to elsewhere apart; each has its pass",
    "plugins/automations/gaia_email_automations/actions.py": "leaves out what no definition can name; calls nothing",
    "agent/gaia_email/mailbox/convention/changing.py": "puts the calls of writing.py into another server's words",
    "agent/gaia_email/policy/gate.py": "knows which two the user can allow beforehand; calls nothing",
    "agent/gaia_email/actions/call_facts.py": "reads what a question about each has to show",
    "agent/gaia_email/policy/facts.py": "knows which facts each needs; calls nothing",
    "agent/gaia_email/policy/question_parts.py": "shows the arguments of each; calls nothing",
    "agent/gaia_email/policy/sentences.py": "says what each would do; calls nothing",
}
SAME_WORD = {"unsubscribe", "mark_read"}
"""Names of write tools that are other things too: an action of the ledger and the policy, a command."""


def test_only_actions_writing_names_a_write_tool() -> None:
    """Whoever wants to change a mailbox has to come by there, and there nothing is done without a pass."""
    names = {name for name, spec in TOOLS.items() if spec.risk != "read"} - SAME_WORD
    agent = [path for path in SHIPPED if name_of(path).startswith(("agent/", "plugins/"))]
    naming = {name_of(path) for path in agent if shape(path).strings & names}
    assert naming == {name for name in MAY_NAME_WRITE_TOOLS if not is_left_out(name)}


ASKS_THE_GATE = "agent/gaia_email/actions/call_facts.py"


def test_the_gate_is_asked_in_one_place_with_facts_read_from_the_mailbox() -> None:
    """Nothing else asks it or makes up facts; a call that is about no mailbox has none."""
    agent = [path for path in SHIPPED if name_of(path).startswith(("agent/", "plugins/"))]
    asking = {
        name_of(path) for path in agent if re.search(r"\bgate\.ask\(", path.read_text(encoding="utf-8"))
    }
    assert asking == {ASKS_THE_GATE}
    making = {name_of(path) for path in agent if "CallFacts" in shape(path).called}
    assert making == {
        ASKS_THE_GATE,
        "agent/gaia_email/actions/answer.py",
        "agent/gaia_email/actions/one_call.py",
        "agent/gaia_email/app/services/outgoing.py",
        "agent/gaia_email/policy/gate.py",
    }


def test_a_server_never_prints() -> None:
    """Standard output carries the protocol and nothing else."""
    servers = [path for path in SHIPPED if name_of(path).startswith("servers/")]
    assert len(servers) > 100
    for path in servers:
        assert "print" not in shape(path).called, name_of(path)
        assert "sys.stdout" not in shape(path).attributes or "run" in path.stem, name_of(path)


LEDGER = ("gaia_email.ledger", "gaia_email.ledger.policy_store", "sqlalchemy")
INTERFACES = [
    path
    for path in SHIPPED
    if name_of(path).startswith(("agent/", "plugins/")) and "interfaces" in path.parts
]


def test_an_interface_never_opens_the_ledger() -> None:
    """It parses, calls `services` and renders; the ledger's types may be named, for the type checker alone."""
    assert len(INTERFACES) > 100
    for path in INTERFACES:
        taken = set(_imported_at_run_time(tree_of(path)))
        within = [name for name in taken for part in LEDGER if name == part or name.startswith(f"{part}.")]
        assert not within, name_of(path)
        assert "open_ledger" not in shape(path).called, name_of(path)


def test_a_ledger_that_an_interface_opened_would_be_found() -> None:
    source = "def f():\n    from gaia_email.ledger import open_ledger\n"
    assert list(_imported_at_run_time(ast.parse(source))) == ["gaia_email.ledger"]


READS_THE_PROCESS = {
    "agent/gaia_email/app/__init__.py": "the program's environment, which its `main` makes",
    "agent/gaia_email/interfaces/cli/__init__.py": "the main of `gaia`",
    "agent/gaia_email/interfaces/cli/errors.py": "whether a traceback is wanted, for whatever failed before",
    "agent/gaia_email/interfaces/cli/terminal.py": "what the terminal says of itself",
    "agent/gaia_email/ledger/database.py": "the default of tests and scripts",
    "agent/gaia_email/mailbox/starting.py": "what a server that is started inherits",
    "agent/gaia_email/mailbox/tool_calls.py": "the vault of servers that are opened",
    "agent/gaia_email/mailbox/trial.py": "secrets that no log may hold",
    "agent/gaia_email/app/services/choosing.py": "the sample's data directory, for servers in this process",
}
"""Files of the agent that name `os.environ`, and why; none is added."""


def test_the_environment_of_the_process_is_read_where_the_program_begins() -> None:
    agent = [path for path in SHIPPED if name_of(path).startswith(("agent/", "plugins/"))]
    reading = {name_of(path) for path in agent if "os.environ" in shape(path).attributes}
    assert reading == READS_THE_PROCESS.keys()


def test_a_use_case_opens_the_ledger_of_its_program() -> None:
    upper = (
        "agent/gaia_email/app/services/",
        "agent/gaia_email/interfaces/chat/",
        "agent/gaia_email/interfaces/",
    )
    opening = {
        name_of(path)
        for path in SHIPPED
        if name_of(path).startswith(upper) and "open_ledger" in shape(path).called
    }
    assert opening == {
        "agent/gaia_email/app/services/opening.py",
        "agent/gaia_email/app/services/searching.py",
    }, "a copy of named files and the index of one search, in a folder of its own"


def _imported_at_run_time(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        yield from _imported_at_run_time(node)


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


@pytest.mark.parametrize("name", ["run", "dev", "agents", "fuzz", "host"])
def test_every_dependency_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = [block for block in re.split(r"\n(?=\S)", text) if block.strip() and not block.startswith("#")]
    assert len(entries) > 20
    for entry in entries:
        assert "==" in entry.splitlines()[0]
        assert "--hash=sha256:" in entry


def test_every_test_that_is_listed_as_slow_is_there() -> None:
    listed = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").split()
    assert len(listed) > 100
    for node in listed:
        path, *inside = node.removesuffix("*").split("::")
        if is_left_out(path):
            continue
        assert (ROOT / path).is_file(), f"{node}: make the list anew with tools/slow_tests.py"
        # A method of a class may be inherited, such as those of the mailbox contract; the class is there.
        wanted = f"def {inside[0]}(" if len(inside) == 1 else inside[0]
        assert wanted in (ROOT / path).read_text(encoding="utf-8"), node


def test_tests_that_run_only_when_asked_for_are_never_listed_as_slow() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    markers = {line.partition(":")[0] for line in config["tool"]["pytest"]["ini_options"]["markers"]}
    assert markers == OPTED_IN | {"slow"}
