"""`gaia email control`: agents of other programs, their messages and requests."""

from __future__ import annotations

import time
from typing import Any

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import (
    OperationView,
    call_operation,
    operation_parameters,
    print_document,
    view_of,
)
from gaia_email.interfaces.cli.options import HelpfulGroup, OutputChoice, pass_app, pass_output
from gaia_email_control import cards, operations

LOOK_S = 0.5
"""Seconds between two checks for new events."""

AGENTS_VIEW = OperationView(
    columns=("id", "name", "actions", "account", "granted_at"),
    rows=lambda document: [{**one, "actions": " ".join(one["actions"])} for one in document["agents"]],
    layout=cards.AGENTS,
)
CONVERSATIONS_VIEW = OperationView(
    columns=lambda document: (
        ("id", "at", "actor", "body") if document["messages"] else ("id", "kind", "title")
    ),
    rows=lambda document: document["messages"] or document["conversations"],
    layout=cards.CONVERSATIONS,
)
FLIGHT_CODES = {"failed": 1, "cancelled": 5, "waiting": 3}
INVOKED_VIEW = OperationView(
    columns=("id", "state", "summary", "output", "error"),
    rows=lambda document: document["flights"],
    layout=cards.FLIGHT,
    code=lambda document: FLIGHT_CODES.get(document["flights"][0]["state"], 0),
)


@click.group(name="control", cls=HelpfulGroup)
def command() -> None:
    """Agents of other programs, in the words of OpenScout's control protocol 0.1 (docs/control.md).

    They converse, invoke what you granted, and watch it. None of them can approve anything.
    """


@command.command(name="tail")
@click.option("--follow", is_flag=True, help="Go on with what happens from now on, until Ctrl-C.")
@pass_output
@pass_app
def tail(app: App, /, out: OutputChoice, follow: bool, **asked: Any) -> int:
    """Events of the protocol, oldest first: the last ones, or those after a number."""
    view = view_of(operations.control_tail)
    answer = call_operation(app, operations.control_tail, asked)
    code = print_document(answer, view, *out)
    while follow:
        time.sleep(LOOK_S)
        after = {**asked, "after": answer.document["reached"]}
        answer = call_operation(app, operations.control_tail, after)
        if answer.document["events"]:
            code = print_document(answer, view, *out)
    return code


tail.params[:0] = operation_parameters(operations.control_tail)
