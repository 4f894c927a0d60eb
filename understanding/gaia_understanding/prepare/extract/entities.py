"""Extract every kind of entity from one prepared message. Entry: `extract_entities`."""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress, ParsedMessage
from gaia_understanding.prepare.extract.actions import ActionMail, find_actions
from gaia_understanding.prepare.extract.codes import find_codes
from gaia_understanding.prepare.extract.dates import FoundDate, find_dates
from gaia_understanding.prepare.extract.itinerary import find_itinerary
from gaia_understanding.prepare.extract.json_ld import MarkedUpData, read_json_ld
from gaia_understanding.prepare.extract.meeting import find_proposal
from gaia_understanding.prepare.extract.model import ActionItem, Entities, Meeting, Receipt, Tracking
from gaia_understanding.prepare.extract.money import find_money
from gaia_understanding.prepare.extract.people import find_people
from gaia_understanding.prepare.extract.phones import MAX_PHONES, find_phones
from gaia_understanding.prepare.extract.reading import Reading, is_bulk, read
from gaia_understanding.prepare.extract.receipts import find_receipt
from gaia_understanding.prepare.extract.sentences import ANALYSED_CHARS
from gaia_understanding.prepare.extract.tracking import find_tracking
from gaia_understanding.prepare.extract.view import TextView, view_of, widen_view
from gaia_understanding.prepare.model import Link, Prepared
from gaia_understanding.steps import Steps, last

_MAX_SIGNATURE = 2_000
_NOT_COUNTRIES = frozenset(("io", "co", "ai", "me", "tv", "cc", "ws", "fm", "eu", "gg", "so", "to"))
_NO_MARKS = MarkedUpData()
_DIGIT = lazy_pattern(r"\d")


def extract_entities(prepared: Prepared) -> Entities:
    """Extract the entities of the new text, its links, calendar parts and schema.org blocks.

    schema.org and calendar parts come first: they are exact. Only the first 20,000 characters are analysed
    (of a mailing `reading.BULK_CHARS` for dates, people, actions and meetings) and each kind is capped. Never
    raises on account of a message's content; the same message always gives the same entities.
    """
    return last(extraction(read(prepared)))


def extraction(reading: Reading) -> Steps[Entities]:
    """Extract the entities in steps, from a message that has been read."""
    prepared, message = reading.prepared, reading.prepared.message
    text = prepared.normalized
    known = reading.known
    yield
    _ = reading.requests  # found once, and here its step takes nothing else along
    yield
    near = view_of(
        reading.text,
        language=prepared.language,
        region=_region(message.sender),
        tokens=known,
        lower=reading.lower,
    )
    view = near
    # Entities searched for beyond the part that is read have digits, except addresses.
    if len(reading.text) < min(len(text), ANALYSED_CHARS) and any(map(text.__contains__, "0123456789")):
        view = widen_view(near, text)
    bulk = is_bulk(message)
    yield
    marked = read_json_ld(prepared.json_ld) if prepared.json_ld else _NO_MARKS
    dates = find_dates(near, message.date)
    people = find_people(near, message.sender, (*message.to, *message.cc))
    yield
    money = find_money(view)
    merchant = _merchant(message.sender)
    phones, codes = _phones(view, prepared.signature), find_codes(view)
    yield
    actions = _actions(reading, marked, dates, bulk=bulk)
    yield
    return Entities(
        dates=tuple(dict.fromkeys([found.mention() for found in dates])),
        people=people,
        money=tuple(dict.fromkeys([found.money for found in money])),
        urls=find_urls(text[:ANALYSED_CHARS], prepared.links),
        phones=phones,
        codes=codes,
        action_items=actions,
        meeting=_meeting(reading, near, marked, dates, bulk=bulk),
        receipt=_receipt(marked, message)
        if marked.receipt
        else find_receipt(view, message.subject, merchant, money, dates, message.date),
        itinerary=marked.itinerary or find_itinerary(view, message.subject[:300], merchant, dates),
        tracking=_tracking(marked, view),
    )


def _region(sender: MailboxAddress | None) -> str:
    """Return the country of a sender's domain, `gb` for `.uk`; empty if it has none."""
    if sender is None:
        return ""
    top = sender.address.rpartition(".")[2].lower()
    if len(top) != 2 or top in _NOT_COUNTRIES:
        return ""
    return "gb" if top == "uk" else top


def _merchant(sender: MailboxAddress | None) -> str:
    if sender is None:
        return ""
    return sender.name.strip('" ') or sender.address.rpartition("@")[2]


def _phones(view: TextView, signature: str) -> tuple[str, ...]:
    """Return numbers of the text, then those of the signature."""
    phones = find_phones(view)
    if len(phones) < MAX_PHONES and _DIGIT.search(signature):
        signed = find_phones(view_of(signature[:_MAX_SIGNATURE], tokens=frozenset()))
        phones = tuple(dict.fromkeys((*phones, *signed)))[:MAX_PHONES]
    return phones


def _actions(
    reading: Reading, marked: MarkedUpData, dates: tuple[FoundDate, ...], *, bulk: bool
) -> tuple[ActionItem, ...]:
    prepared, message = reading.prepared, reading.prepared.message
    mail = ActionMail(
        text=prepared.normalized[:ANALYSED_CHARS],
        subject=message.subject,
        language=prepared.language,
        sender=message.sender.name if message.sender else "",
        addressees=tuple([mailbox.name for mailbox in message.to[:20] if mailbox.name]),
        bulk=bulk,
    )
    return (*marked.actions, *find_actions(mail, reading.sentences, reading.starts, reading.requests, dates))


def _meeting(
    reading: Reading,
    view: TextView,
    marked: MarkedUpData,
    dates: tuple[FoundDate, ...],
    *,
    bulk: bool,
) -> Meeting | None:
    message = reading.prepared.message
    if message.calendars:
        from gaia_understanding.prepare.extract.ics import read_meeting

        invitation = read_meeting(message.calendars, message.date)
        if invitation is not None:
            return invitation
    if marked.meeting is not None:
        return marked.meeting
    if bulk:
        return None
    organizer = message.sender.address if message.sender else ""
    placed = zip(reading.starts, reading.sentences, strict=True)
    return find_proposal(view, placed, message.subject, organizer, dates)


def _receipt(marked: MarkedUpData, message: ParsedMessage) -> Receipt | None:
    """Return the stated purchase; the sender is the merchant if the block names none."""
    stated = marked.receipt
    if stated is None or stated.merchant:
        return stated
    return Receipt(
        merchant=_merchant(message.sender),
        total=stated.total,
        currency=stated.currency,
        date=stated.date,
        order_number=stated.order_number,
    )


def _tracking(marked: MarkedUpData, view: TextView) -> tuple[Tracking, ...]:
    found = find_tracking(view)
    if not marked.tracking:
        return found
    stated = {parcel.number: parcel for parcel in marked.tracking}
    for parcel in found:
        stated.setdefault(parcel.number, parcel)
    return tuple(stated.values())


MAX_URLS = 50
_MAX_URL_CHARS = 2_000

# One character class first: it lets the regular expression engine skip quickly.
_URL = lazy_pattern(r"[hHwW](?i:(?<=h)ttps?://|(?<=w)ww\.)[^\s<>\"“”«»`\\^{}|]{3,2000}")
_TRAILING = ".,;:!?'’*_~…>\""
_USUAL = ("https://", "http://")
_WEB = ("http://", "https://", "ftp://", "www.")
_BRACKETS = {")": "(", "]": "["}


def find_urls(text: str, links: tuple[Link, ...]) -> tuple[str, ...]:
    """Return the targets of `links`, then addresses that are only in `text`; each once, at most `MAX_URLS`."""
    found: dict[str, None] = {}
    for link in links:
        url = link.url.strip()
        if (url.startswith(_USUAL) or url[:8].lower().startswith(_WEB)) and len(url) <= _MAX_URL_CHARS:
            found[url] = None
            if len(found) >= MAX_URLS:
                return tuple(found)
    if (
        "/" in text and "://" in text
    ) or "www." in text:  # one character is found many times as fast as three
        for match in _URL.finditer(text):
            found[_without_punctuation(match[0])] = None
            if len(found) >= MAX_URLS:
                break
    return tuple(found)


def _without_punctuation(url: str) -> str:
    """Return `url` without the sentence's own punctuation; a bracket stays if it was opened inside."""
    while url:
        last = url[-1]
        if last in _TRAILING or (last in _BRACKETS and url.count(last) > url.count(_BRACKETS[last])):
            url = url[:-1]
        else:
            break
    return url
