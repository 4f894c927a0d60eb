"""Commands that are made from operations: what they print is there, and what they take is what operations do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Annotated, Any, Literal

import click
import pytest
from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import Since, on_command_line
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email.app.operations.table import document_names
from gaia_email.interfaces.cli.app import command_lines, command_named
from gaia_email.interfaces.cli.field_names import check_fields
from gaia_email.interfaces.cli.from_operation import (
    OperationCommand,
    OperationView,
    operation_command,
    with_commands_below,
)


def _made() -> Iterator[OperationCommand]:
    for command in map(command_named, command_lines()):
        below = command.commands.values() if isinstance(command, click.Group) else ()
        yield from (one for one in (command, *below) if isinstance(one, OperationCommand))


MADE = [pytest.param(one, id=str(one.name)) for one in _made()]


def test_commands_are_made_from_operations() -> None:
    assert len(MADE) > 7


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [([], ""), (["top-senders"], "inputs offers operation senders")],
    ids=["all", "one"],
)
def test_help_imports_no_operation_but_what_the_command_takes(arguments: list[str], imported: str) -> None:
    program = (
        "import sys\nfrom gaia_email.interfaces.cli.app import gaia\n"
        "gaia.main(['email', *sys.argv[1:], '--help'], standalone_mode=False)\n"
        "print(*sorted(name.rpartition('.')[2] for name in sys.modules if '.app.operations.' in name))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == imported


@pytest.mark.parametrize("command", MADE)
def test_its_card_is_there_and_each_column_is_a_field_that_can_be_asked_for(
    command: OperationCommand,
) -> None:
    module, _, function = command.view.card.rpartition(".")
    assert not module or callable(getattr(import_module(f"gaia_email.interfaces.cli.{module}"), function))
    columns = command.view.columns
    if not callable(columns) and command.document in document_names():
        check_fields(command.document, columns)


@pytest.mark.parametrize("command", MADE)
def test_what_has_to_be_said_has_no_default(command: OperationCommand) -> None:
    assert all("NODEFAULT" not in repr(one.default) for one in command.params)


class ManyInput(OperationInput, frozen=True, kw_only=True):
    """One field of each kind."""

    words: Annotated[
        list[str], Meta(min_length=1, description="Words."), on_command_line(argument=True, metavar="W...")
    ]
    level: Annotated[int, Meta(ge=0, le=5, description="How far.")] = 3
    sort: Annotated[Literal["best", "newest"], Meta(description="Order of the list.")] = "best"
    of: Annotated[
        Literal["", "a", "b"],
        Meta(description="Empty for all."),
        on_command_line(option="--only", words="Only these."),
    ] = ""
    quick: Annotated[bool, Meta(description="Look less closely.")] = False
    since: Since = ""


seen: list[ManyInput] = []


@operation(output=object, path="POST /v1/tests")
def many(app: App, call: OperationCall[ManyInput]) -> dict[str, Any]:
    """Do many things."""
    seen.append(call.asked)
    return {"schema_version": 1}


@operation(output=object, path="POST /v1/tests")
def nothing(app: App, call: OperationCall[NoInput]) -> dict[str, Any]:
    """Do nothing."""
    return {"schema_version": 1}


VIEW = OperationView(columns=("schema_version",))


def _command() -> OperationCommand:
    return operation_command(many, "Do many things.", VIEW)


def test_fields_become_options_with_their_types_limits_choices_and_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _command().main(["--help"], prog_name="many", standalone_mode=False)
    said = " ".join(capsys.readouterr().out.split())
    assert "Usage: many [OPTIONS] W..." in said
    assert "--level INTEGER RANGE How far. [0<=x<=5]" in said
    assert "--sort [best|newest] Order of the list. [default: best]" in said
    assert "--only [a|b] Only these." in said
    assert "--quick Look less closely." in said


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        (["a", "b"], ManyInput(words=["a", "b"])),
        (["a", "--level", "0"], ManyInput(words=["a"], level=0)),
        (["a", "--only", "b", "--quick"], ManyInput(words=["a"], of="b", quick=True)),
        (["a", "--sort", "newest", "--since", "7d"], ManyInput(words=["a"], sort="newest", since="7d")),
    ],
)
def test_an_operation_is_asked_for_what_was_given_and_else_for_what_is_usual(
    given: list[str], asked: ManyInput
) -> None:
    seen.clear()
    _command().main([*given, "--json"], standalone_mode=False)
    assert seen == [asked]


@pytest.mark.parametrize(
    "given", [[], ["a", "--level", "6"], ["a", "--sort", "odd"], ["a", "--only", ""], ["a", "--since", "7q"]]
)
def test_what_an_operation_does_not_take_is_a_wrong_command_line(given: list[str]) -> None:
    with pytest.raises(click.UsageError):
        _command().main([*given, "--json"], standalone_mode=False)


def test_a_group_does_it_where_none_of_its_commands_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    group = with_commands_below(operation_command(nothing, "Do nothing.", VIEW))
    group.command(name="below")(lambda: click.echo("below"))
    group.main(["below"], standalone_mode=False)
    assert capsys.readouterr().out == "below\n"
    group.main([], standalone_mode=False)
    assert capsys.readouterr().out == "schema_version\n1\n"
