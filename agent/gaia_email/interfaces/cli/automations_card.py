"""What `automations` shows a person. Entries: `print_run`, `print_check`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gaia_email.interfaces.cli.run_printing import table_card
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

SHOWN = 300
"""Characters shown of what a step was configured with."""


def _say(text: str) -> None:
    click.echo(visible(text.replace("\n", " ")))


def _headline(one: Mapping[str, Any]) -> None:
    ended = ", ".join(f"{count} {status}" for status, count in sorted(one["runs"].items()))
    _say(f"{one['name']} · {one['status']} · version {one['version']} · {one['account']}  {one['id'][:8]}")
    for trigger in one["triggers"]:
        off = "" if trigger["enabled"] else " (off)"
        _say(f"  {trigger['says']}{off}")
    _say(f"  runs: {ended or 'none yet'}")


def print_list(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Every automation in a few lines."""
    for one in document["automations"]:
        _headline(one)
    if not document["automations"]:
        _say("nothing is automated yet; gaia email automations add FILE saves a definition.")


def print_actions(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What a step can do, with what each action is configured with."""
    for one in document["actions"]:
        schema: Any = one["config_schema"]
        needed = schema.get("required", ())
        fields = [name if name in needed else f"{name}?" for name in schema.get("properties", {})]
        _say(f"{one['name']} {{{', '.join(fields)}}}")
        _say(f"  {one['description'][:SHOWN]}")


def print_one(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """One automation with every step and its flows."""
    _headline(document["automation"])
    for line in document["steps"]:
        _say(f"  {line}")
    for line in document["allowed_flows"]:
        _say(f"  without a question: {line}")
    for line in document["asked_flows"]:
        _say(f"  asked about in every run: {line}")


def error_lines(document: Mapping[str, Any]) -> list[str]:
    """What is wrong, a line each."""
    return [visible(f"{one['pointer'] or '/'}: {one['message']}") for one in document["errors"]]


def print_check(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What is wrong with a definition, or which flows it has."""
    for line in error_lines(document):
        click.echo(line)
    for one in document["warnings"]:
        _say(f"worth a look: {one['pointer']}: {one['message']}")
    for line in described_lines(document):
        _say(line)
    for line in document["flows"]:
        _say(f"untrusted text decides: {line}")
    if document["is_valid"]:
        _say("it can be saved.")


def described_lines(document: Mapping[str, Any]) -> list[str]:
    """Return what a definition does and what is worth checking, a line each: what a person sees before it is saved."""
    summary = [f"  {visible(line)}" for line in document["summary"]]
    return [*summary, "  worth checking:", *(f"    {visible(one['says'])}" for one in document["checks"])]


def print_run(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A run, step by step."""
    run = document["run"]
    _say(f"{run['automation']} (version {run['version']}) · {run['status']}  {run['id'][:8]}")
    _say(f"  why: {run['why']}")
    if document["inputs"]:
        _say(f"  inputs: {_short(document['inputs'])}")
    for step in document["steps"]:
        tries = f" after {step['attempts']} tries" if step["attempts"] > 1 else ""
        _say(f"  {step['step_id']}: {step['action']} · {step['state']}{tries}. {step['why']}")
        if step["config"]:
            _say(f"    {_short(step['config'])}")
        for line in step["log"]:
            _say(f"    {line[:SHOWN]}")
        if step["confirmation_id"] and step["state"] == "waiting":
            _say(f"    gaia email approve {step['confirmation_id'][:8]}")
    if document["not_begun"]:
        _say(f"  not begun: {', '.join(document['not_begun'])}")
    if run["error"]:
        _say(f"  {run['error']}")


def print_runs(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Runs as a table."""
    columns = ("id", "automation", "status", "created_at", "why", "error")
    table_card(document["runs"], columns, empty="nothing was run yet.")


def print_test(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """When it would have fired."""
    for one in document["firings"]:
        _say(f"{one['at']} {one['trigger']}: {one['about']} {one['error']}".rstrip())
        for step, config in one["configs"].items():
            _say(f"  {step}: {_short(config)}")
        for step, why in one["unknown"].items():
            _say(f"  {step}: not known before it runs. {why}")
    if not document["firings"]:
        _say("it would not have fired.")


def print_token(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The token, this once."""
    click.echo(document["token"])
    click.echo(f"Send it as a bearer token to POST {document['path']}. It is not shown again.", err=True)


def print_removed(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """That it is gone."""
    _say(f"removed {document['name']}.")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
