"""Automatic answer tools: `get_vacation`, `set_vacation`."""

from __future__ import annotations

from datetime import datetime

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import Vacation, VacationFound, VacationResult
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import VacationStore
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo


@handles(inputs.GetVacation)
async def get_vacation(surface: Surface, given: inputs.GetVacation) -> ToolReply:
    """Return the automatic answer."""
    answer: VacationFound = {"vacation": await _store(surface).vacation()}
    return ToolReply(text=_sentence(answer["vacation"]), data=answer)


@handles(inputs.SetVacation)
async def set_vacation(surface: Surface, given: inputs.SetVacation) -> ToolReply:
    """Change the automatic answer; the undo restores all of its fields."""
    store = _store(surface)
    before = await store.vacation()
    after = await store.set_vacation(_apply(before, given))
    answer: VacationResult = {"ok": True, "ids": [], "failed": [], "vacation": after}
    if after != before:
        answer["undo"] = undo("set_vacation", **before)
    return ToolReply(text=_sentence(after), data=answer)


async def wanted_answer(surface: Surface, given: inputs.SetVacation) -> str:
    """Describe the automatic answer after the change, without changing it.

    Raises:
        BadArgument: The change is not possible.
    """
    wanted = _apply(await _store(surface).vacation(), given)
    both = wanted["enabled"] and wanted["body"] and wanted["html_body"]
    return _sentence(wanted) + (
        f"\n\nThe formatted version, as it is written:\n{wanted['html_body']}" if both else ""
    )


def _apply(before: Vacation, given: inputs.SetVacation) -> Vacation:
    """Return the answer with the given fields replaced; a new text without HTML removes the old HTML."""
    after = before.copy()
    after["enabled"] = given.enabled
    if given.subject is not None:
        after["subject"] = given.subject
    if given.body is not None:
        after["body"], after["html_body"] = given.body, ""
    if given.html_body is not None:
        after["html_body"] = given.html_body
    if given.start is not None:
        after["start"] = _time(given.start, "start")
    if given.end is not None:
        after["end"] = _time(given.end, "end")
    if given.contacts_only is not None:
        after["contacts_only"] = given.contacts_only
    if given.domain_only is not None:
        after["domain_only"] = given.domain_only
    if after["start"] and after["end"] and _instant(after["start"]) >= _instant(after["end"]):
        raise BadArgument("end must come after start.", argument="end")
    if not after["subject"].isprintable():
        raise BadArgument("The subject is one line, without control characters.", argument="subject")
    return after


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _time(text: str, argument: str) -> str:
    """Parse an RFC 3339 time; empty text stays empty.

    Raises:
        BadArgument: It is not a time with an offset.
    """
    if not text.strip():
        return ""
    try:
        instant = datetime.fromisoformat(text.strip())
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise BadArgument(
            f"{argument} must be a time with an offset, for example 2030-01-31T08:00:00+01:00, or empty.",
            argument=argument,
        )
    return instant.isoformat(timespec="seconds")


def _sentence(vacation: Vacation) -> str:
    if not vacation["enabled"]:
        return "The automatic answer is off."
    times = [f"{name} {vacation[name]}" for name in ("start", "end") if vacation[name]]
    only = [
        word
        for word, holds in (
            ("contacts", vacation["contacts_only"]),
            ("the own organisation", vacation["domain_only"]),
        )
        if holds
    ]
    lines = [f"The automatic answer is on{''.join(', ' + time for time in times)}."]
    lines += [f"Only to: {', '.join(only)}"] if only else []
    lines.append(f"Subject: {convention.one_line(vacation['subject'])}")
    return "\n".join(lines) + f"\n\n{vacation['body'] or vacation['html_body']}"


def _store(surface: Surface) -> VacationStore:
    if not isinstance(surface.mailbox, VacationStore):
        raise BadArgument("This mailbox has no automatic answer.")
    return surface.mailbox
