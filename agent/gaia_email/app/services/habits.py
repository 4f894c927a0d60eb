"""The owner's mail habits, read from the mailbox or its copy. Entry: `read_habits`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE
from gaia_email.triage.learn.habits import PEOPLE_S, Habits, Letter
from gaia_email.triage.learn.mailing_lists import MailingList, mailing_list_of
from gaia_email_registry.accounts import addresses_in
from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.exchanged import was_exchanged
from gaia_understanding.cascade.understand import read_raw
from gaia_understanding.prepare.pipeline import prepare

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email_registry.contract.wire import Summary

PAGE = 500
LETTERS, SENDERS = 50, 100
"""Maximum number of sent messages to read, and of senders whose newest message is checked for a mailing list."""


def read_habits(app: App, source: SourceSpec) -> Habits:
    """Count the habits of the last ninety days; nothing is stored or changed."""
    now = app.clock()

    async def look(mail: MailReader) -> Habits:
        summaries = await _recent(mail, now)
        owner = await _owner(app, mail, source, summaries)
        return Habits.of(
            summaries,
            owner=owner,
            lists=await _lists(mail, summaries, owner),
            letters=await _letters(mail, summaries, owner),
            now=now,
        )

    return with_copy(app, source, look, now=now)


async def _recent(mail: MailReader, now: float) -> list[Summary]:
    found: list[Summary] = []
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=ANYWHERE, limit=PAGE, cursor=cursor)
        new = [one for one in page["emails"] if (parse_date(one["date"]) or 0.0) >= now - PEOPLE_S]
        found += filter(was_exchanged, new)
        cursor = page.get("next_cursor")
        if not cursor or not new:
            return found


async def _owner(
    app: App, mail: MailReader, source: SourceSpec, summaries: Sequence[Summary]
) -> frozenset[str]:
    """Return the owner's addresses: as given, those of the account, or the most frequent recipient."""
    given = owner_of(app, source) or addresses_in((await mail.status())["account"])
    if not given:
        to = Counter(one["address"].lower() for summary in summaries for one in summary["to"])
        given = tuple(address for address, _ in to.most_common(1))
    return frozenset(address.lower() for address in given)


async def _lists(
    mail: MailReader, summaries: Sequence[Summary], owner: Collection[str]
) -> Mapping[str, MailingList]:
    """Return the mailing list of each sender whose newest message came through one (RFC 2919, RFC 2369).

    Only the busiest senders are read. People whom the owner writes to, and those of their own organisation,
    are left out: nobody unsubscribes from them.
    """
    written = {to["address"].lower() for one in summaries if _is_own(one, owner) for to in one["to"]}
    domains = {domain_of(address) for address in owner}
    home = {organisational_domain(domain) for domain in domains if not is_free_mail(domain)}
    newest = {one["from"]["address"].lower(): one["id"] for one in reversed(summaries)}
    count = Counter(one["from"]["address"].lower() for one in summaries)
    senders = [
        address
        for address, _ in count.most_common()
        if address
        and address not in owner
        and address not in written
        and organisational_domain(domain_of(address)) not in home
    ][:SENDERS]
    by_id = {newest[address]: address for address in senders}
    found: dict[str, MailingList] = {}
    for email in (await mail.read_emails(list(by_id)))["emails"] if by_id else ():
        through = mailing_list_of(read_raw(email).headers)
        if through is not None:
            found[by_id[email["id"]]] = through
    return found


async def _letters(mail: MailReader, summaries: Sequence[Summary], owner: Collection[str]) -> list[Letter]:
    sent = [one["id"] for one in summaries if _is_own(one, owner)][:LETTERS]
    if not sent:
        return []
    emails = {email["id"]: email for email in (await mail.read_emails(sent))["emails"]}
    return [Letter.of(prepare(read_raw(emails[id_]))) for id_ in sent if id_ in emails]


def _is_own(summary: Summary, owner: Collection[str]) -> bool:
    return summary["from"]["address"].lower() in owner
