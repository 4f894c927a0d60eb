"""What `control` shows a person. Entries: `print_agents`, `print_flight`, `print_events`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.cli.run_printing import table_card
from gaia_email.interfaces.cli.terminal import local_time
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def _say(text: str) -> None:
    click.echo(visible(text.replace("\n", " ")))


def print_agents(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Every agent in a line."""
    for one in document["agents"]:
        may = ", ".join(one["actions"]) or "converse"
        about = f" about {one['account']}" if one["account"] else ""
        granted = f"may {may}{about}" if one["granted_at"] else _standing(one)
        _say(f"{one['selector']}  {one['name']} · {granted}")


def _standing(agent: Mapping[str, object]) -> str:
    return "yours, which others invoke" if agent["id"] == "gaia-email" else "nothing is granted to it"


def print_grant(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The key, this once."""
    click.echo(document["key"])
    may = ", ".join(document["actions"]) or "only converse"
    note(
        f"{document['agent_id']} may {may}. Its key is not shown again; docs/control.md says how it is used."
    )


def print_revoked(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """That the key opens nothing any more."""
    _say(f"nothing is granted to {document['agent_id']} any more.")


def print_conversations(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Conversations in a line each, or what was said in one."""
    for one in document["conversations"]:
        _say(f"{one['id']}  {one['title']} · {one['kind']} · {', '.join(one['participants'])}")
    for said in document["messages"]:
        _say(f"  {local_time(said['at'])} {said['actor']}: {said['body']}")


def print_flights(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Flights as a table."""
    columns = ("id", "requester", "state", "started_at", "summary", "error")
    table_card(document["flights"], columns, empty="nothing was run or invoked yet.")


def print_flight(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What one flight gave."""
    (flight,) = document["flights"]
    for line in flight["output"].splitlines():
        click.echo(visible(line))
    if told := flight["error"] or flight["summary"]:
        note(visible(told))
    if flight["state"] in ("queued", "running"):
        note("Another program does it; gaia email control flights shows how far it is.")
    if flight["state"] == "waiting":
        note("gaia email review answers what waits.")


def print_events(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Events in a line each."""
    for one in document["events"]:
        _say(f"{one['seq']}  {local_time(one['at'])} {one['kind']} {one['actor']}: {one['about']}")
    if not document["events"] and not answer.given:
        note("nothing has happened yet.")
