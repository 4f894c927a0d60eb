"""Verdicts in the rows of an inbox, so that a second listing sorts and reads nothing. Entry point: `VerdictRows`.

A verdict stands for one version of the program and one basis: the tier, and what the mailbox knew of sender and thread.
What it owes to the user's policy and corrections, to the message's labels and to its thread is no part of it and is put
to it again each time, and so is what the user taught, for which what a message looks like to lessons is stored beside
its verdict; what it owes to time is bounded (`gaia_email.cascade.fading.steady`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

import msgspec

from gaia_email.cascade.model.owner import pack_look, unpack_look
from gaia_email.cascade.verdict import Context, Placement, Teachable, Tier, Verdict
from gaia_email.mailbox.correspondents import domain_of
from gaia_email.mailbox.reader import MailReader, RowReader
from gaia_email.policy.inbox_row import InboxVerdict
from gaia_email.prepare.extract.model import Entities
from gaia_email.triage.versions import NotPlainError, fingerprint, plain
from gaia_email_registry.contract.wire import Summary


class Judgement(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What is stored of a judged message.

    Attributes:
        verdict: Without entities, which no listing shows.
        sender: Address and display name as the message itself has them.
        headers: Values of the header fields that rules asked for, by lower-case name.
        known: A digest of the domains that the user had written to.
        resembled: Which of these the sender resembles, in words of the program.
        awaits: As in `Teachable`, of which the rest is the row's look; None where the verdict has none.
        placements: As in `Teachable`.
    """

    verdict: Verdict
    sender: tuple[str, str]
    list_id: str
    headers: Mapping[str, str]
    content_hash: str
    known: str = ""
    resembled: str = ""
    awaits: bool | None = None
    placements: tuple[Placement, ...] = ()


class VerdictRows:
    """The verdicts of one mailbox, as one tier with one policy gives them.

    Nothing is stored where the mailbox has no rows, or where the tier or its contexts cannot be told apart by a text.
    """

    def __init__(self, mail: MailReader, tier: Tier, wanted: frozenset[str], ids: Sequence[str]) -> None:
        """Loads what is stored.

        Args:
            mail: The mailbox.
            tier: Who judges.
            wanted: Names of the header fields that rules ask for.
            ids: The messages that are looked at.
        """
        self._rows = mail if isinstance(mail, RowReader) else None
        self._alike: dict[tuple[str, str, frozenset[str]], str] = {}
        self._made_by = ""
        self._stored: dict[str, InboxVerdict] = {}
        if self._rows is None:
            return
        try:
            self._made_by = plain((type(tier).__name__, tier, wanted))
        except NotPlainError:
            self._rows = None
            return
        self._stored = self._rows.verdicts(ids)

    def find(self, summary: Summary, context: Context, *, any_version: bool = False) -> Judgement | None:
        """What judging this message would give; None where it has to be judged.

        With `any_version` also what another version of the program gave, where all else is as it was.
        """
        row = self._stored.get(summary["id"])
        if row is None or not (any_version or row.version == fingerprint()):
            return None
        if not row.holds(self._basis(summary, context), context.age_s):
            return None
        try:
            judged = judgement_in(row)
        except msgspec.MsgspecError:  # written by no program that kept to this form
            return None
        del self._stored[summary["id"]]
        return judged if self._resembles_alike(judged, context.known_domains) else None

    def store(self, found: Sequence[tuple[Summary, Context, Judgement]]) -> None:
        """Store what was judged, but what cannot be stored as it is."""
        if self._rows is None:
            return
        rows: list[InboxVerdict] = []
        for one in found:
            with suppress(NotPlainError):
                rows.append(self._row(*one))
        self._rows.store_verdicts(rows)

    def _row(self, summary: Summary, context: Context, judged: Judgement) -> InboxVerdict:
        known = context.known_domains
        resembled = self._resembled(judged.sender, known)
        judged = msgspec.structs.replace(judged, known=_digest_of(known), resembled=resembled)
        return row_of(summary["id"], judged, context.age_s, fingerprint(), self._basis(summary, context))

    def _basis(self, summary: Summary, context: Context) -> str:
        """A digest of all that it depends on but the program, time and the domains that the user has written to."""
        known = replace(context, age_s=0.0, known_domains=frozenset())
        text = plain((self._made_by, summary["date"], summary["size"], known))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def _resembles_alike(self, judged: Judgement, known: frozenset[str]) -> bool:
        """Whether the known domains say the same of its sender as they did, were others written to since or not."""
        return judged.known == _digest_of(known) or judged.resembled == self._resembled(judged.sender, known)

    def _resembled(self, sender: tuple[str, str], known: frozenset[str]) -> str:
        if not known:
            return ""
        from gaia_email.cascade.sender.lookalikes import imitates_known, known_in_name, other_ending

        domain, name = domain_of(sender[0]), sender[1]
        key = (domain, name, known)
        found = self._alike.get(key)
        if found is None:
            imitated = imitates_known(domain, known)
            found = repr((imitated, other_ending(domain, known), known_in_name(name, known)))
            self._alike[key] = found
        return found


@lru_cache(maxsize=8)
def _digest_of(domains: frozenset[str]) -> str:
    return blake2b(plain(domains).encode(), digest_size=16).hexdigest()


def row_of(message_id: str, judged: Judgement, age_s: float, version: str, basis: str) -> InboxVerdict:
    """The row of what was judged when its message was of that age.

    Raises:
        NotPlainError: Something in it cannot be stored.
    """
    after, until = judged.verdict.steady
    known = judged.verdict.teachable
    judged = msgspec.structs.replace(
        judged,
        verdict=replace(judged.verdict, entities=Entities(), teachable=None),
        awaits=known and known.awaits,
        placements=known.placements if known else (),
    )
    try:
        value = msgspec.msgpack.encode(judged)
    except (TypeError, ValueError) as error:
        raise NotPlainError(str(error)) from None
    return InboxVerdict(
        message_id=message_id,
        version=version,
        basis=basis,
        age=age_s,
        after=after,
        until=until,
        look=pack_look(known.seen) if known else None,
        value=value,
    )


def judgement_in(row: InboxVerdict) -> Judgement:
    """What `row_of` was given, but its entities.

    Raises:
        msgspec.MsgspecError: It was given nothing of the kind.
    """
    judged = msgspec.msgpack.decode(row.value, type=Judgement)
    if judged.awaits is None or row.look is None:
        return judged
    known = Teachable(seen=unpack_look(row.look), awaits=judged.awaits, placements=judged.placements)
    return msgspec.structs.replace(judged, verdict=replace(judged.verdict, teachable=known))
