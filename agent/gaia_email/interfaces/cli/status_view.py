"""How everything stands, as lines for a terminal. Entry: `print_status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.documents.pending import BUCKET_NAMES
from gaia_email.app.documents.states import state_command, state_sentence
from gaia_email.app.documents.times import local_time
from gaia_email.interfaces.cli.output import console

if TYPE_CHECKING:
    from gaia_email.app.documents.models import ChosenRow
    from gaia_email.app.documents.status import LastRunRow, LedgerRow, StatusDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

SWITCHED = {"paused_at": "paused since", "stopped_at": "stopped since", "travel_until": "travel mode until"}
"""How a switch that is on reads."""

PLURALS = {"confirmation": "confirmations", "question": "questions", "review": "reviews", "notify": "notes"}
"""What more than one of a type that waits are called."""


def print_status(found: StatusDocument, answer: OperationAnswer) -> None:
    """The same for a person."""
    out = console()
    for name, value in _rows(found):
        out.print(Text(f"{name:>12}  ", style="dim").append(one_line(value), style="default"), soft_wrap=True)


def _rows(found: StatusDocument) -> list[tuple[str, str]]:
    names = [str(account["address"]) for account in found["accounts"]]
    on = [f"{SWITCHED[name]} {local_time(str(since))}" for name, since in found["switches"].items() if since]
    waits = [
        f"{count} {PLURALS[name] if count != 1 else PLURALS[name][:-1]}"
        for name, count in found["pending"].items()
        if count
    ]
    planned = f"{found['planned_actions']:,} actions" if found["planned_actions"] else "nothing"
    rows = [
        ("accounts", ", ".join(names) or "none; gaia email connect connects one"),
        ("switches", ", ".join(on) or "nothing is paused, stopped or in travel mode"),
        ("quiet hours", found["quiet_hours"] or "none"),
        ("last run", _run_text(found["last_run"])),
        ("waits", f"{', '.join(waits)}; gaia email review" if waits else "nothing"),
        ("planned", planned),
    ]
    if found["scripts_may_answer"]:
        rows.append(("scripts", "may say yes for you; gaia email policy scripts off ends that"))
    rows += [("problem", problem) for problem in found["problems"]]
    rows += [("state", f"{state_sentence(row)} {state_command(row)}") for row in found["states"]]
    return [*rows, *_agreement_rows(found), *_model_rows(found["models"]), *_ledger_rows(found["ledger"])]


def _agreement_rows(found: StatusDocument) -> list[tuple[str, str]]:
    """How often what was shown is what the user then said; nothing where nothing was said."""
    rows: list[tuple[str, str]] = []
    for period in found["agreement"]:
        each = ", ".join(
            f"{BUCKET_NAMES[one['bucket']]} {one['agreed']} of {one['said']}" for one in period["buckets"]
        )
        rows.append(
            ("agreement", f"{period['period']}: {period['agreed']} of {period['said']} right; {each}")
        )
    held = found["held_back"]
    if held["answers"]:
        rows.append(
            (
                "teach",
                f"of {held['answers']} answers held back {held['before']} right before, {held['after']} after",
            )
        )
    return rows


def _model_rows(models: ChosenRow | None) -> list[tuple[str, str]]:
    if models is None:
        return [("model", "the one that ships; gaia email models shows what else runs here")]
    tiers = {"T1": models["T1"], "T2": models["T2"], "T3": models["T3"]}
    named = [f"{model} ({tier})" for tier, model in tiers.items() if model]
    where = f" at {models['address']}" if named and models["address"] else ""
    rows = [("model", f"{', '.join(named)}{where}" if named else "the one that ships; no other is chosen")]
    rows += [
        ("trusted", f"{one['model']} at {one['place']} may read mail, by your word")
        for one in models["trusted"]
    ]
    return rows


def _run_text(run: LastRunRow | None) -> str:
    if run is None:
        return "none"
    ended = "finished" if run["finished_at"] else "not finished"
    return f"{run['kind']} of {run['account']}, {local_time(run['started_at'])}, {ended}"


def _ledger_rows(ledger: LedgerRow | None) -> list[tuple[str, str]]:
    if ledger is None:
        return [("ledger", "none yet")]
    size = "" if ledger["size"] is None else f", {ledger['size'] / 1e6:,.1f} MB"
    broken = ledger["broken"]
    whole = f"BROKEN at {broken}" if broken else "whole" if ledger["verified"] else "not walked"
    return [
        ("ledger", f"{ledger['place']}{size}, {ledger['verdicts']:,} verdicts"),
        ("event log", f"{ledger['events']:,} events, {whole}"),
    ]
