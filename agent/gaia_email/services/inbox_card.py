"""The card of the inbox, kept with the copy of mail so that a second look sorts nothing. Entry point: `read_card`.

A card is kept under the basis of each of its mailboxes: a digest of how far the copy follows the account and of all
else that decides what the card says, the user's rules, the program and the time among it. While every basis is the
same, so is the card, but for the ages of its rows, which are counted on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from time import time
from typing import TYPE_CHECKING, Any

from gaia_email.app import App
from gaia_email.documents.card import Card, aged, card_from_json, card_of, card_to_json
from gaia_email.mailbox.reader import CardKeeper, MailReader, RefreshableMailbox
from gaia_email.policy.switches import holds_alert, holds_run
from gaia_email.services.opening import owner_of, tell_remarks, with_copy
from gaia_email.triage.surveying import LISTING
from gaia_email.triage.tiers import default_tier, has_models, models_for_uncertain
from gaia_email.triage.verdict_cache import JUDGING, NotPlainError, fingerprint, plain
from gaia_email_registry.errors import MailError, ProviderError

if TYPE_CHECKING:
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.services.source import SourceSpec
    from gaia_email.triage.inbox import Inbox

SHOWING = (*JUDGING, "documents", "services", "models")
"""Packages of the program that have a say in what a card shows."""

ROWS = 10
"""Rows a section that a card has at most."""

MOST_ROWS = 2_000
"""Rows of a card that is kept: to read more takes as long as to sort them."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of each mailbox."""

    rules: UserRules
    since: float | None
    whole: bool
    now: float
    progress: Progress
    tell: Callable[[str], None]

    async def inbox(self, app: App, mail: MailReader, source: SourceSpec) -> Inbox:
        # Late, as below: a card that was kept needs nobody to judge.
        from gaia_email.services.reading import triaged

        return await triaged(
            app,
            mail,
            source,
            rules=self.rules,
            now=self.now,
            since=self.since,
            progress=self.progress,
            tell=self.tell,
            older_stand=not self.whole,
        )


@dataclass(slots=True, kw_only=True)
class _Look:
    """One mailbox as it was found.

    Attributes:
        basis: What its part of a card rests on; empty where nothing may be kept.
        kept: What is kept, where that has the same basis.
        inbox: What was found otherwise.
        error: Why it could not be read.
    """

    basis: str = ""
    kept: Mapping[str, Any] | None = None
    inbox: Inbox | None = None
    error: MailError | None = None


def read_card(
    app: App,
    sources: Sequence[SourceSpec],
    *,
    rules: UserRules,
    since: float | None = None,
    whole: bool = False,
    progress: Progress = lambda done, total: None,
    tell: Callable[[str], None] = lambda said: None,
) -> tuple[Card, Mapping[str, SourceSpec]]:
    """The card of several mailboxes together, with at most `ROWS` rows a section, and the source of each account.

    A `whole` one has every row, and is kept where they are no more than `MOST_ROWS`.

    What is wrong with one of the mailboxes is a problem of the card and costs only that one.

    Raises:
        MailError: None of them can be read.
    """
    asked = _Asked(rules=rules, since=since, whole=whole, now=time(), progress=progress, tell=tell)
    name = _name(sources, since, whole)
    looks = [_tried(app, source, asked, name, place) for place, source in enumerate(sources)]
    if kept := _still_right(looks, sources, asked.now):
        return kept
    for place, (source, look) in enumerate(zip(sources, looks, strict=True)):
        if look.kept is not None:  # its own part stands, but that of another mailbox does not
            looks[place] = _tried(app, source, asked, name, place, afresh=True)
    from gaia_email.services.reading import together

    inbox, whose = together(
        [(source, look.inbox) for source, look in zip(sources, looks, strict=True) if look.inbox is not None],
        [(source, look.error) for source, look in zip(sources, looks, strict=True) if look.error is not None],
    )
    card = card_of(inbox, most=None if whole else ROWS)
    is_whole = inbox.unreadable == len(inbox.problems)  # what could not be read may be readable the next time
    is_final = is_whole and not inbox.older and _is_settled(inbox) and inbox.newest <= asked.now
    if is_final and card.rows <= MOST_ROWS and all(look.basis for look in looks):
        _keep(
            app,
            name,
            {
                "made_at": asked.now,
                "bases": [look.basis for look in looks],
                "places": {account: sources.index(source) for account, source in whose.items()},
                "card": card_to_json(card),
            },
        )
    return card, whose


def _tried(
    app: App, source: SourceSpec, asked: _Asked, name: str, place: int, *, afresh: bool = False
) -> _Look:
    """A mailbox with its inbox, or with what is kept of it unless it is to be read `afresh`."""

    async def look(mail: MailReader) -> _Look:
        if not isinstance(mail, CardKeeper) or not isinstance(mail, RefreshableMailbox):
            inbox = await asked.inbox(app, mail, source)
            tell_remarks(mail, asked.tell)
            return _Look(inbox=inbox)
        try:
            await mail.refresh(lambda done: asked.progress(done, LISTING))
        finally:
            asked.progress(0, 0)
        tell_remarks(mail, asked.tell)
        models = _models(app, mail)
        state = f"{mail.state(asked.since)}\0{models}"
        basis = "" if models is None else await _basis(app, mail, state, source, asked)
        kept = None if afresh or not basis else mail.cached_card(name)
        if kept is not None and _has_basis(kept, place, basis):
            return _Look(basis=basis, kept=kept)
        return _Look(basis=basis, inbox=await asked.inbox(app, mail, source))

    try:
        return with_copy(app, source, look, now=asked.now)
    except MailError as error:
        return _Look(error=error)


async def _basis(app: App, mail: MailReader, state: str, source: SourceSpec, asked: _Asked) -> str:
    """A digest of all that decides what the card says of this mailbox; empty where that cannot be told by a text."""
    rules, tier, now = await asked.rules.at(mail.labels), default_tier(environ=app.environ), asked.now
    status = await mail.status()
    quiet = rules.policy.quiet_hours
    instant = (
        rules.switches.travels(now),
        holds_run(rules.switches, quiet, now=now, scheduled=rules.scheduled, started_at=rules.run_started_at),
        holds_alert(rules.switches, quiet, now=now),
    )
    parts = (owner_of(app, source), status["account"], status["provider"], status["errors"], instant, rules)
    try:
        text = "\0".join(
            (fingerprint(packages=SHOWING), state, type(tier).__name__, plain(tier), *map(plain, parts))
        )
    except NotPlainError:
        return ""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _models(app: App, mail: CardKeeper) -> str | None:
    """Which language models have a word, and what they have said; None where that cannot be told."""
    if not has_models(environ=app.environ):
        return ""
    said: list[str] = []
    uncertain = models_for_uncertain(tell=said.append, ask=False, environ=app.environ)
    if uncertain is None:  # none is chosen any more; or one that cannot be asked, which is said each time
        return None if said else ""
    return "\0".join((uncertain.name, plain(uncertain.weights), mail.answers_state()))


def _is_settled(inbox: Inbox) -> bool:
    """Whether no language model was asked, nor will be the next time: what it was to say, it has said before."""
    cost = inbox.cost
    return cost is None or not (cost.calls or cost.failed or cost.said)


def _name(sources: Sequence[SourceSpec], since: float | None, whole: bool) -> str:
    """What a card of these mailboxes is kept under; of the newest mail, of all mail and of every row apart."""
    places = tuple((source.kind, source.mailbox.path, source.server, source.user) for source in sources)
    return blake2b(
        plain((places, since is None, whole)).encode("utf-8", "replace"), digest_size=12
    ).hexdigest()


def _has_basis(kept: Mapping[str, Any], place: int, basis: str) -> bool:
    bases = kept.get("bases")
    return isinstance(bases, list) and bases[place : place + 1] == [basis]


def _still_right(
    looks: Sequence[_Look], sources: Sequence[SourceSpec], now: float
) -> tuple[Card, Mapping[str, SourceSpec]] | None:
    """The card that is kept, where it is that of all these mailboxes as they are now."""
    kept = looks[0].kept
    if kept is None or any(look.kept != kept for look in looks):
        return None
    try:
        passed = now - float(kept["made_at"])
        places: Mapping[str, int] = kept["places"]
        whose = {account: sources[place] for account, place in places.items()}
        card = card_from_json(kept["card"])
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
    ):  # written by no program of this form
        return None
    return (aged(card, passed), whose) if passed >= 0 else None


def _keep(app: App, name: str, value: Mapping[str, object]) -> None:
    """Keep a card; a disk that is full keeps none, and a program that was faster has kept as good a one."""
    from gaia_email.ledger.keeping import CARD_DOCUMENT

    with suppress(ProviderError), app.ledger() as ledger, ledger.write() as tx:
        found = ledger.documents.read(tx, CARD_DOCUMENT + name)
        ledger.documents.write(tx, CARD_DOCUMENT + name, value, found.version if found else 0)
