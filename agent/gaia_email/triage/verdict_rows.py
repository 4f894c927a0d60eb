"""Verdicts stored with the rows of an inbox, so that a second listing reads no messages. Entry point: `VerdictRows`.

A verdict is valid for one version of the program and one basis: the tier, and the mailbox's knowledge of sender and
thread. The effects of the user's policy and corrections, of the message's labels and of its thread are not stored but
applied each time. So are lessons, for which the message's learning features are stored with the verdict. The effect of
time is bounded (`gaia_understanding.cascade.fading.steady`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

import msgspec

from gaia_email.mailbox.correspondents import domain_of
from gaia_email.mailbox.reader import MailReader, RowReader
from gaia_email.policy.inbox_row import InboxVerdict
from gaia_email.triage.versions import NotPlainError, fingerprint, plain
from gaia_email_registry.contract.wire import Summary
from gaia_understanding.cascade.model.owner import pack_look, unpack_look
from gaia_understanding.cascade.verdict import Context, Placement, Teachable, Tier, Verdict
from gaia_understanding.prepare.extract.model import Entities


class Judgement(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The stored data of a judged message.

    Attributes:
        verdict: The verdict without entities, which no listing shows.
        sender: Address and display name in the message itself.
        headers: Values of the header fields that rules asked for, by lower-case name.
        known: A digest of the domains that the user had written to.
        resembled: The known domains and names that the sender resembles, as text.
        awaits: As in `Teachable`, whose other features are in the row; None if the verdict has none.
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

    Nothing is stored if the mailbox has no rows, or if the tier or its contexts have no stable text form.
    """

    def __init__(self, mail: MailReader, tier: Tier, wanted: frozenset[str], ids: Sequence[str]) -> None:
        """Load the stored verdicts.

        Args:
            mail: The mailbox.
            tier: The tier that judges.
            wanted: Names of the header fields that rules ask for.
            ids: The messages to be judged.
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
        """Return the stored verdict of this message; None if it has to be judged.

        With `any_version` a verdict of another program version counts too, if nothing else has changed.
        """
        row = self._stored.get(summary["id"])
        if row is None or not (any_version or row.version == fingerprint()):
            return None
        if not row.holds(self._basis(summary, context), context.age_s):
            return None
        try:
            judged = judgement_in(row)
        except msgspec.MsgspecError:  # not written in this form
            return None
        del self._stored[summary["id"]]
        return judged if self._resembles_alike(judged, context.known_domains) else None

    def store(self, found: Sequence[tuple[Summary, Context, Judgement]]) -> None:
        """Store verdicts, except those that cannot be stored unchanged."""
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
        """Return a digest of all inputs of a verdict except the program, time, and the domains written to."""
        known = replace(context, age_s=0.0, known_domains=frozenset())
        text = plain((self._made_by, summary["date"], summary["size"], known))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def _resembles_alike(self, judged: Judgement, known: frozenset[str]) -> bool:
        """Return True if the known domains say the same about the sender as when it was judged."""
        return judged.known == _digest_of(known) or judged.resembled == self._resembled(judged.sender, known)

    def _resembled(self, sender: tuple[str, str], known: frozenset[str]) -> str:
        if not known:
            return ""
        from gaia_understanding.cascade.sender.lookalikes import imitates_known, known_in_name, other_ending

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
    """Return the row for a verdict given at the message age `age_s`.

    Raises:
        NotPlainError: A value cannot be stored.
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
    """Return the verdict stored by `row_of`, without entities.

    Raises:
        msgspec.MsgspecError: The row does not have this form.
    """
    judged = msgspec.msgpack.decode(row.value, type=Judgement)
    if judged.awaits is None or row.look is None:
        return judged
    known = Teachable(seen=unpack_look(row.look), awaits=judged.awaits, placements=judged.placements)
    return msgspec.structs.replace(judged, verdict=replace(judged.verdict, teachable=known))
