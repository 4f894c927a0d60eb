"""Cards of threads and messages. Entries: `thread_card`, `message_card`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gaia_email.app.documents.cards.grammar import CardChip, CardPill, CardTone, ShownCard
from gaia_email.app.documents.cards.wording import (
    ACTS,
    HEADINGS,
    TIERS,
    card_lines,
    deadline_first,
    one_line,
    priority_number,
)
from gaia_email.app.languages.speaking import N_, _
from gaia_understanding.cascade.bands import bucket_at
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import EntitiesRow, ShowDocument, ThreadRow, WhyDocument
    from gaia_understanding.cascade.verdict import Bucket

MOST_CHIPS = 12
"""Maximum number of chips for a message; the rest is only in its text."""

_TONES: dict[Bucket, CardTone] = {"urgent": "urgent", "actionable": "needs"}


def thread_card(row: ThreadRow, bucket: Bucket) -> ShownCard:
    """Return the card of a thread: sender and subject, the reason for its place, and its summary."""
    sender = row["from"]
    reason, summary = card_lines(row["subject"], row["reason"], row["summary"])
    suspicious = [name for name in row["warnings"] if name != "spam"]
    return ShownCard(
        mark=HEADINGS["suspicious" if suspicious else bucket][0],
        who=one_line(sender["name"]) or one_line(sender["address"]),
        title=one_line(row["subject"]),
        lines=tuple(filter(None, (reason, summary))),
        pills=(
            priority_pill(row["priority"], row["reason"]),
            *map(_warning_pill, suspicious),
            *(
                _warning_pill(name, one["from"]["address"])
                for one in row["others"]
                for name in one["warnings"]
                if name != "spam"
            ),
        ),
        age_s=row["age_s"],
        unsure=row["unsure"],
    )


def message_card(shown: ShowDocument, why: WhyDocument) -> ShownCard:
    """Return the card of a message: its speech act, priority, deciding tier, and the entities found in it."""
    sender = shown["from"] or {"name": "", "address": ""}
    who = f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"]
    act, tier = why["speech_act"], why["tier"]
    return ShownCard(
        mark=HEADINGS[why["bucket"]][0],
        who=one_line(who),
        title=one_line(shown["subject"]),
        lines=(one_line(deadline_first(why["priority"]["reason"])),),
        pills=(
            priority_pill(why["priority"]["score"], why["priority"]["reason"]),
            CardPill(text=_(act), title=_(ACTS[act])),
            CardPill(
                text=tier,
                title=_("{sure}, decided by {tier}").format(
                    sure=in_words(why["confidence"], _), tier=_(TIERS.get(tier, tier))
                ),
            ),
            *map(_warning_pill, (name for name in why["warnings"])),
        ),
        chips=tuple(_chips(shown["entities"], sender["address"])[:MOST_CHIPS]),
        unsure=why["unsure"],
    )


def priority_pill(score: float, reason: str) -> CardPill:
    """Return a priority as a numbered pill: red for urgent, amber for needs you, grey below."""
    return CardPill(
        text=str(priority_number(score)),
        tone=_TONES.get(bucket_at(score), "plain"),
        title=one_line(deadline_first(reason)),
    )


def _warning_pill(name: str, sender: str = "") -> CardPill:
    kind = _(name)
    text = f"{kind}: {one_line(sender)}" if sender else kind
    return CardPill(text=text, tone="warn", title=_("It looks like {kind}.").format(kind=kind))


def _chips(found: EntitiesRow, sender: str) -> list[CardChip]:
    chips = [
        CardChip(
            text=one_line(one["text"]),
            kind=N_("deadline") if one["deadline"] else N_("date"),
            use="snooze",
            value=one["value"],
        )
        for one in found["dates"]
    ]
    copied = [
        *((N_("code"), code) for code in found["codes"]),
        *((N_("money"), one["text"]) for one in found["money"]),
        *((N_("phone"), phone) for phone in found["phones"]),
        *((N_("parcel"), f"{one['carrier']} {one['number']}") for one in found["tracking"]),
    ]
    chips += [CardChip(text=one_line(text), kind=kind, use="copy", value=text) for kind, text in copied]
    if sender:
        chips.append(CardChip(text=one_line(sender), kind=N_("person"), use="search", value=f"from:{sender}"))
    hosts = dict.fromkeys(_host(url) for url in found["urls"])
    return chips + [CardChip(text=one_line(host), kind=N_("link")) for host in hosts if host]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
