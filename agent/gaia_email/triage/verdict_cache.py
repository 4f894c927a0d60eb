"""Verdicts cached with the copy of mail, so that a second listing sorts and reads nothing. Entry point: `VerdictCache`.

A verdict is cached under its basis: a digest of the tier and of what the mailbox knew of sender and thread, and one of
the program's own files. What it owes to the user's policy and corrections, to the message's labels and to its thread is
no part of it and is put to it again each time, and so is what the user taught, for which what a message looks like to
lessons is stored beside its verdict; what it owes to time is bounded (`gaia_email.cascade.fading.steady`).
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import time
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gaia_email
import gaia_mail
from gaia_email.cascade.verdict import (
    Authentication,
    Context,
    Flags,
    Placement,
    Priority,
    Seen,
    Signal,
    Suspicion,
    Teachable,
    Tier,
    UnsubscribeTargets,
    Verdict,
)
from gaia_email.mailbox.correspondents import domain_of
from gaia_email.mailbox.reader import MailReader, VerdictKeeper
from gaia_email.prepare.extract.model import Entities
from gaia_email_registry.contract.wire import Summary

if TYPE_CHECKING:
    from gaia_email.ledger.cached_verdicts import CachedVerdict

JUDGING = ("prepare", "cascade", "policy", "mailbox", "triage")
"""Packages of the program that have a say in a verdict, besides all that reads mail."""

_DIGITS = 32
"""Of each half of a basis: what a verdict rests on but the program, then the program."""


class NotPlainError(TypeError):
    """A value has no text that is the same in every process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedJudgement:
    """What is stored of a judged message.

    Attributes:
        sender: Address and display name as the message itself has them.
        known: A digest of the domains that the user had written to.
        resembled: Which of these the sender resembles, in words of the program.
        headers: Values of the header fields that rules asked for, by lower-case name.
    """

    verdict: Verdict
    sender: tuple[str, str]
    list_id: str
    headers: Mapping[str, str]
    content_hash: str
    known: str = ""
    resembled: str = ""


class VerdictCache:
    """The verdicts of one mailbox, as one tier with one policy gives them.

    Nothing is cached where the mailbox has no copy, or where the tier or its contexts cannot be told apart by a text.
    """

    def __init__(self, mail: MailReader, tier: Tier, wanted: frozenset[str], ids: Sequence[str]) -> None:
        """Loads what is cached.

        Args:
            mail: The mailbox.
            tier: Who judges.
            wanted: Names of the header fields that rules ask for.
            ids: The messages that are looked at.
        """
        self._keeper = mail if isinstance(mail, VerdictKeeper) else None
        self._shared: dict[int, tuple[object, str]] = {}
        self._alike: dict[tuple[str, str, frozenset[str]], str] = {}
        self._made_by = self._build = ""
        self._kept: dict[str, CachedVerdict] = {}
        if self._keeper is None:
            return
        try:
            self._made_by = "\n".join((type(tier).__name__, plain(tier), *sorted(wanted)))
            self._build = fingerprint()
        except NotPlainError:
            self._keeper = None
            return
        self._kept = self._keeper.cached_verdicts(ids)

    def find(self, summary: Summary, context: Context) -> CachedJudgement | None:
        """What judging this message would give; None where it has to be judged."""
        return self._holding(summary, context, self._build)

    def find_older(self, summary: Summary, context: Context) -> CachedJudgement | None:
        """What another build of the program gave, where all else is as it was; `find` has found nothing."""
        kept = self._kept.get(summary["id"])
        return None if kept is None else self._holding(summary, context, kept.basis[_DIGITS:])

    def _holding(self, summary: Summary, context: Context, build: str) -> CachedJudgement | None:
        kept = self._kept.get(summary["id"])
        if kept is None or not kept.holds(self._basis(summary, context, build), context.age_s):
            return None
        try:
            judged = from_text(kept.value)
        except (ValueError, KeyError, TypeError, IndexError):  # written by no program that kept to this form
            return None
        del self._kept[summary["id"]]
        return judged if self._resembles_alike(judged, context.known_domains) else None

    def keep(self, found: Sequence[tuple[Summary, Context, CachedJudgement]]) -> None:
        """Cache what was judged."""
        if self._keeper is None:
            return
        try:
            self._keeper.cache_verdicts([self._to_keep(*one) for one in found])
        except NotPlainError:
            self._keeper = None

    def _to_keep(self, summary: Summary, context: Context, judged: CachedJudgement) -> CachedVerdict:
        from gaia_email.ledger.cached_verdicts import (
            CachedVerdict,  # late: it brings the database's library along
        )

        after, until = judged.verdict.steady
        known = context.known_domains
        judged = replace(judged, known=self._text(known), resembled=self._resembled(judged.sender, known))
        return CachedVerdict(
            message_id=summary["id"],
            basis=self._basis(summary, context, self._build),
            age=context.age_s,
            after=after,
            until=until,
            value=to_text(judged),
            look=_look(judged.verdict.teachable),
        )

    def _basis(self, summary: Summary, context: Context, build: str) -> str:
        """What it depends on, but time and the domains that the user has written to: a digest, then the build."""
        known = [
            self._text(getattr(context, name)) for name in _CONTEXT if name not in ("age_s", "known_domains")
        ]
        parts = (
            self._made_by,
            summary["date"],
            str(summary["size"]),
            *known,
        )
        return (
            blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=_DIGITS // 2).hexdigest() + build
        )

    def _resembles_alike(self, judged: CachedJudgement, known: frozenset[str]) -> bool:
        """Whether the known domains say the same of its sender as they did, were others written to since or not."""
        return judged.known == self._text(known) or judged.resembled == self._resembled(judged.sender, known)

    def _text(self, value: object) -> str:
        if isinstance(value, (bool, int, float, str)) or value is None:
            return repr(value)
        found = self._shared.get(id(value))  # with the value itself, so that no other one gets its id
        if found is None:
            digest = blake2b(plain(value).encode("utf-8", "replace"), digest_size=16).hexdigest()
            found = self._shared[id(value)] = (value, digest)
        return found[1]

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


_CONTEXT = tuple(one.name for one in fields(Context))


def plain(value: object) -> str:
    """A text that is the same in every process for equal values; `digest` is the text of what has one.

    Raises:
        NotPlainError: There is none.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, time):
        return value.isoformat()
    if isinstance(value, (frozenset, set)):
        return "{" + ",".join(sorted(map(plain, value))) + "}"  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(map(plain, value)) + ")"  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{plain(key)}:{plain(one)}" for key, one in value.items())) + "}"  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
    digest = getattr(value, "digest", None)
    if isinstance(digest, str):
        return digest
    if is_dataclass(value) and not isinstance(value, type):
        return "(" + ",".join(f"{one.name}={plain(getattr(value, one.name))}" for one in fields(value)) + ")"
    raise NotPlainError(f"a {type(value).__name__} cannot be told apart from another")


@lru_cache(maxsize=4)
def fingerprint(*, packages: tuple[str, ...] = JUDGING) -> str:
    """A digest of the program's own files in these packages and of all that reads mail; each build has its own."""
    digest = blake2b(digest_size=16)
    agent, mail = (Path(str(one.__file__)).parent for one in (gaia_email, gaia_mail))
    for folder in (*(agent / package for package in packages), mail):
        for path, info in sorted(_files(str(folder))):
            digest.update(f"{path}\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # a package that this build does not have, or a program inside an archive
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            yield entry.path, entry.stat()


def to_text(judged: CachedJudgement) -> str:
    """As JSON, without entities: no listing shows them."""
    one, flags = judged.verdict, judged.verdict.flags
    unsubscribe, authentication = flags.unsubscribe, flags.authentication
    return json.dumps(
        [
            judged.sender,
            judged.list_id,
            dict(judged.headers),
            judged.content_hash,
            judged.known,
            judged.resembled,
            [
                one.bucket,
                one.content_category,
                one.labels,
                one.speech_act,
                dict(one.speech_acts),
                one.cohort,
                one.needs_reply,
                one.confidence,
                one.tier,
                one.summary,
                one.steady,
            ],
            [one.priority.score, one.priority.reason],
            [[signal.name, signal.weight, signal.evidence] for signal in one.priority.signals],
            [flags.bulk, flags.spam, flags.imitates, flags.withheld],
            [flags.phishing.score, flags.phishing.reasons],
            [flags.injection.score, flags.injection.reasons],
            unsubscribe and [unsubscribe.one_click, unsubscribe.url, unsubscribe.mailto],
            [authentication.spf, authentication.dkim, authentication.dmarc, authentication.trusted],
            one.teachable and _teachable_to_json(one.teachable),
        ],
        separators=(",", ":"),
    )


def from_text(text: str) -> CachedJudgement:
    """What `to_text` was given, but its entities.

    Raises:
        ValueError, TypeError, KeyError, IndexError: It was given nothing of the kind.
    """
    parts: Any = json.loads(text)
    sender, list_id, headers, digest, known, resembled, about, *rest = parts
    standing, signals, flags, phishing, injection, out, proved, teachable = rest
    bucket, category, labels, act, acts, cohort, needs_reply, confidence, tier, summary, steady = about
    verdict = Verdict(
        bucket=bucket,
        content_category=category,
        labels=tuple(labels),
        speech_act=act,
        speech_acts=acts,
        cohort=cohort,
        needs_reply=needs_reply,
        confidence=confidence,
        tier=tier,
        priority=Priority(
            score=standing[0],
            reason=standing[1],
            signals=tuple(
                Signal(name=name, weight=weight, evidence=evidence) for name, weight, evidence in signals
            ),
        ),
        summary=summary,
        entities=_NOTHING,
        flags=Flags(
            bulk=flags[0],
            spam=flags[1],
            phishing=_judgement(phishing),
            injection=_judgement(injection),
            unsubscribe=out and UnsubscribeTargets(one_click=out[0], url=out[1], mailto=out[2]),
            authentication=_authentication(*proved),
            imitates=flags[2],
            withheld=tuple(flags[3]),
        ),
        steady=(steady[0], steady[1]),
        teachable=teachable and _teachable_from_json(*teachable),
    )
    return CachedJudgement(
        verdict=verdict,
        sender=(sender[0], sender[1]),
        list_id=list_id,
        headers=headers,
        content_hash=digest,
        known=known,
        resembled=resembled,
    )


def _look(one: Teachable | None) -> bytes | None:
    """What lessons look at; None where none may move the message."""
    if one is None or not one.placements:
        return None
    from gaia_email.cascade.model.owner import pack_look

    return pack_look(one.seen)


def _teachable_to_json(one: Teachable) -> list[object]:
    """Marks are packed, and what several placements have in common is kept once: there is one for every message."""
    seen = one.seen
    parts = (seen.about, seen.words, seen.subject, seen.kinds)
    marks = array("I", (seen.sender, *(mark for part in parts for mark in part)))
    if sys.byteorder == "big":
        marks.byteswap()
    texts = list(dict.fromkeys((there.said, there.ending) for there in one.placements))
    return [
        [seen.bucket, seen.chances],
        [len(part) for part in parts],
        b64encode(marks.tobytes()).decode("ascii"),
        one.awaits,
        [
            [placement.bucket, placement.late, texts.index((placement.said, placement.ending))]
            for placement in one.placements
        ],
        texts,
    ]


def _teachable_from_json(
    scores: Sequence[Any],
    lengths: Sequence[int],
    packed: str,
    awaits: bool,
    placements: Sequence[Any],
    texts: Sequence[Any],
) -> Teachable:
    marks = array("I", b64decode(packed))
    if sys.byteorder == "big":
        marks.byteswap()
    ends = [1]
    for length in lengths:
        ends.append(ends[-1] + length)
    about, words, subject, kinds = (tuple(marks[begin:end]) for begin, end in pairwise(ends))
    bucket, chances = scores
    return Teachable(
        seen=Seen(
            bucket=bucket,
            chances=tuple(chances),
            about=about,
            words=words,
            subject=subject,
            sender=marks[0],
            kinds=kinds,
        ),
        awaits=awaits,
        placements=tuple(
            Placement(bucket=now, late=late, said=texts[text][0], ending=texts[text][1])
            for now, late, text in placements
        ),
    )


_NOTHING = Entities()
_UNSUSPECTED = Suspicion()


def _judgement(parts: Sequence[Any]) -> Suspicion:
    return Suspicion(score=parts[0], reasons=tuple(parts[1])) if parts[0] or parts[1] else _UNSUSPECTED


@lru_cache(maxsize=256)
def _authentication(spf: str, dkim: str, dmarc: str, trusted: bool) -> Authentication:
    return Authentication(spf=spf, dkim=dkim, dmarc=dmarc, trusted=trusted)
