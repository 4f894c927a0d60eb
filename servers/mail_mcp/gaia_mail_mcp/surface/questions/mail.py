"""Questions about outgoing mail, and lines about people for all questions. Entries: `about_mail`, `describe_people`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract import inputs
from gaia_email_registry.errors import MailError
from gaia_mail.asking.mail import mail_shown
from gaia_mail.asking.people import AddressField, recipients, same
from gaia_mail.asking.text import mail_text, person_lines, single
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.read import parse_message
from gaia_mail.query.nodes import And, Field, Not, Or, Query, Text
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.outgoing import OutgoingMessage, edit_draft, find_draft
from gaia_mail_mcp.surface.questions.model import WHOLE, ApprovalQuestion, digest
from gaia_mail_mcp.surface.senders import own_addresses, senders

LOOKED_UP = 20
"""Maximum number of recipients that are looked up in the mailbox; others are marked as never written to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """Addresses by what the mailbox shows: the user's own, those written to, and those only found in mail text."""

    own: frozenset[str]
    known: frozenset[str]
    in_text: frozenset[str]


async def about_mail(surface: Surface, built: OutgoingMessage) -> ApprovalQuestion:
    """Return the question about a mail to be sent; its digest covers the whole mail."""
    return await _shown(surface, "Send this email?", built)


async def about_draft(surface: Surface, given: inputs.UpdateDraft | inputs.DeleteDraft) -> ApprovalQuestion:
    """Return the question about a draft, as it would be after the change or before its deletion.

    Raises:
        MailError: There is no such draft, or it cannot be changed in this way.
    """
    before = await find_draft(surface, given.draft_id)
    if isinstance(given, inputs.DeleteDraft):
        return await _shown(surface, "Delete this draft?", before)
    after = replace(before, raw=await edit_draft(surface, before.raw, given))
    shown = await _shown(surface, "Change a draft, so that it reads like this?", after)
    return replace(shown, content=digest((shown.content.encode(), before.raw)))


async def _shown(surface: Surface, asked: str, built: OutgoingMessage) -> ApprovalQuestion:
    message = parse_message(built.raw)
    people = [box.address for box in (*message.to, *message.cc, *message.bcc, *message.reply_to)]
    whom = await acquaintance(surface, people)
    usual = [sender["address"] for sender in await senders(surface) if sender["default"]]
    shown = mail_shown(built.raw, own=whom.own, known=whom.known, in_text=whom.in_text, usual=usual)
    about = await _conversation(surface, built.thread_id) if built.thread_id is not None else ""
    return ApprovalQuestion(
        text=mail_text(asked, shown, most=WHOLE) + about,
        brief=mail_text(asked, shown) + about,
        content=digest((shown.digest.encode(), (built.thread_id or "").encode())),
    )


async def _conversation(surface: Surface, thread_id: str) -> str:
    """Return a line about the conversation of a mail, described by its first message; empty if it starts one."""
    try:
        ids = await surface.mailbox.thread(thread_id)
    except MailError:
        return f"\n\nIt belongs to the conversation {single(thread_id)[:200]}, which is not there."
    for item in await surface.mailbox.read(ids[:LOOKED_UP], raw=False):
        if "DRAFT" not in item.summary["labels"]:
            began = f"{convention.address(item.summary)}: {item.summary['subject']}"
            return f"\n\nIt belongs to the conversation that began with {single(began)}"
    return ""


async def describe_people(
    surface: Surface, label: str, field: AddressField, people: Sequence[MailboxAddress]
) -> list[str]:
    """Return lines that name each person after `label`, with warnings about the address."""
    whom = await acquaintance(surface, [person.address for person in people])
    found = recipients(
        [(field, person) for person in people], own=whom.own, known=whom.known, in_text=whom.in_text
    )
    return [line for person in found for line in person_lines(label, person)]


async def acquaintance(surface: Surface, addresses: Iterable[str]) -> Acquaintance:
    """Look up addresses in the mailbox: mail sent to an address makes it known, a mere mention does not."""
    found = await senders(surface)
    own = frozenset({*own_addresses(found), *addresses_in(surface.source.account)})
    mine = {same(address) for address in own}
    known: set[str] = set()
    in_text: set[str] = set()
    for address in list(dict.fromkeys(other for other in addresses if same(other) not in mine))[:LOOKED_UP]:
        if await _any(surface, And(parts=(Field(name="in", value="sent"), _to(address)))):
            known.add(address)
        elif await _any(surface, And(parts=(Text(value=address), Not(part=_wrote(address))))):
            in_text.add(address)
    return Acquaintance(own=own, known=frozenset(known), in_text=frozenset(in_text))


def _to(address: str) -> Or:
    return Or(
        parts=(
            Field(name="to", value=address),
            Field(name="cc", value=address),
            Field(name="bcc", value=address),
        )
    )


def _wrote(address: str) -> Field:
    return Field(name="from", value=address)


async def _any(surface: Surface, condition: And) -> bool:
    page = await surface.mailbox.search(Query(root=condition), limit=1)
    return bool(page.ids)
