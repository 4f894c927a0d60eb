"""The steps in which tier 0 judges a message. Entries: `judging`, `finding`.

The order matters once: text addressed to a machine is found first and left out of everything that follows, so
that it cannot move the verdict.
"""

from __future__ import annotations

from dataclasses import replace

from gaia_understanding.cascade import priority
from gaia_understanding.cascade.asks import acts, alerts, emergencies, needs_reply, urgency, waivers
from gaia_understanding.cascade.asks.waivers import Waivers
from gaia_understanding.cascade.facts import RuleFacts, gather
from gaia_understanding.cascade.fading import steady
from gaia_understanding.cascade.kinds import category, cohorts
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.lessons import placements
from gaia_understanding.cascade.model import confidence, owner
from gaia_understanding.cascade.model.combine import settle
from gaia_understanding.cascade.model.features import features_of
from gaia_understanding.cascade.model.learned import load_shipped_model
from gaia_understanding.cascade.model.pressing import hold_back
from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.traps import injection, pastime, phishing, spam
from gaia_understanding.cascade.traps.selling import unless_letter
from gaia_understanding.cascade.verdict import (
    BUCKETS,
    Context,
    Flags,
    Priority,
    Seen,
    Suspicion,
    Teachable,
    Verdict,
)
from gaia_understanding.cascade.view import PhraseView, look
from gaia_understanding.cascade.wording import reason, summary
from gaia_understanding.prepare.extract.entities import extraction
from gaia_understanding.prepare.extract.reading import Reading, read
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps

_YES = 0.5
_REQUEST_FROM = 0.5


def judging(
    prepared: Prepared,
    context: Context,
    *,
    trusted: frozenset[str],
    summaries: bool,
    model: bool,
    lessons: bool,
) -> Steps[Verdict]:
    """Judge one message in steps; see `gaia_understanding.cascade.builtin_tier.BuiltinTier` for the arguments.

    Sentences that may be addressed to a machine cannot raise a message: if there are any, the message is
    judged without them, too, and the lower verdict counts. Lessons are applied when the verdict is read
    (`lessons.apply_lessons`).
    """
    found, unclear = yield from finding(prepared, context, trusted)
    verdict = yield from _settle(found, summaries=summaries, model=model, lessons=lessons)
    if unclear:
        verdict = replace(verdict, flags=replace(verdict.flags, for_machines=True))
        bare, _ = yield from finding(prepared, context, trusted, left_out=unclear)
        without = yield from _settle(bare, summaries=summaries, model=model, lessons=lessons)
        if BUCKETS.index(without.bucket) >= BUCKETS.index(verdict.bucket):
            verdict = replace(without, flags=verdict.flags)
    return verdict


def _settle(found: RuleFindings, *, summaries: bool, model: bool, lessons: bool) -> Steps[Verdict]:
    """Return the verdict on the findings, after the learned model gave its opinion."""
    yield
    shipped = load_shipped_model() if model else None
    seen = None
    if shipped is not None:
        opinion = yield from settle(found, shipped)
        if lessons:
            bucket = priority.bucket_of(found)
            features, chances = opinion or (features_of(found, bucket), None)
            seen = owner.look(features, found.facts.sender.address, bucket, chances)
        yield
    hold_back(found)
    return _verdict(found, seen, summaries=summaries)


def finding(
    prepared: Prepared, context: Context, trusted: frozenset[str], left_out: tuple[str, ...] = ()
) -> Steps[tuple[RuleFindings, tuple[str, ...]]]:
    """Apply the rules, before the learned model; also return the sentences that may be addressed to a machine.

    Sentences in `left_out` are ignored.
    """
    reading = read(prepared, pastime.telling_words())
    yield
    view = _view(reading)
    yield
    examined = injection.examine(prepared, view)
    foreign = (*examined.foreign, *left_out)
    if foreign or examined.subject is not None:
        honest = injection.honest(prepared, foreign, examined.subject)
        reading = read(honest, pastime.telling_words())
        view = _view(reading)
    yield
    entities = yield from extraction(reading)
    yield
    facts = gather(reading, context, entities, view, trusted)
    yield
    found = yield from _find(facts, prepared, examined.judgement)
    return found, () if left_out else examined.unclear


def _view(reading: Reading) -> PhraseView:
    prepared = reading.prepared
    return look(prepared.message.subject, prepared.normalized, reading.sentences, reading)


def _find(facts: RuleFacts, whole: Prepared, injected: Suspicion) -> Steps[RuleFindings]:
    """`whole` still has the text addressed to a machine, so that the phishing check sees all of its links."""
    kind = category.decide(facts)
    yield
    phish = phishing.judge(facts if facts.prepared.links == whole.links else replace(facts, prepared=whole))
    spamminess = spam.score(facts)
    kind = unless_letter(kind, facts, spamminess)
    if phish.score >= _YES and facts.sender.kind != "person" and kind.category == "primary":
        kind = replace(kind, category="notifications")
    yield
    waived = waivers.read(facts.view)
    alert = alerts.find(facts, kind, waived)
    spoken = acts.find(facts, machine=kind.category != "primary", alert=alert, waivers=waived)
    request = spoken.sentences["request"] if spoken.probabilities["request"] >= _REQUEST_FROM else ""
    yield
    wanted = phish.score < _YES and spamminess < _YES
    emergency = _emergency(facts, kind, waived) if wanted else ""
    passing = pastime.find(facts, spoken) if kind.category == "primary" and wanted else None
    return RuleFindings(
        facts=facts,
        category=kind,
        cohort=cohorts.cohort_of(facts, kind.category),
        acts=spoken,
        alert=alert,
        urgency=urgency.measure(facts, kind, alert, request, waivers=waived, emergency=emergency),
        needs_reply=wanted and passing is None and needs_reply.decide(facts, kind, spoken),
        phishing=phish,
        injection=injected,
        spam=spamminess,
        waivers=waived,
        emergency=emergency,
        pastime=passing,
    )


def _emergency(facts: RuleFacts, kind: CategoryFinding, waived: Waivers) -> str:
    """Return the text that reports an emergency to this user, unless it goes to a list or to everybody."""
    if kind.category not in ("primary", "notifications") or facts.lists.bulk or facts.lists.discussion:
        return ""
    stated = emergencies.find_emergency(facts.view)
    return "" if waived.cover(facts.view, stated) else stated


def _verdict(found: RuleFindings, seen: Seen | None, *, summaries: bool) -> Verdict:
    """`seen` holds the features for lessons; None if the learned model is not used."""
    facts = found.facts
    ranking = priority.decide(found)
    parts = reason.parts_for(found, ranking)
    return Verdict(
        bucket=ranking.bucket,
        content_category=found.category.category,
        labels=(),
        speech_act=found.acts.main,
        speech_acts=found.acts.probabilities,
        cohort=found.cohort,
        needs_reply=found.needs_reply,
        confidence=confidence.estimate(found, ranking.own),
        tier="T0",
        priority=Priority(
            score=ranking.score,
            reason=reason.sentence_of(found, parts),
            signals=ranking.signals,
        ),
        summary=summary.line_for(found, ranking) if summaries else "",
        entities=facts.entities,
        flags=Flags(
            bulk=facts.lists.bulk
            or (found.category.machine >= _YES and found.category.category in ("newsletters", "promotions")),
            spam=found.spam,
            phishing=found.phishing,
            injection=found.injection,
            unsubscribe=facts.lists.unsubscribe,
            authentication=facts.authentication,
            imitates=facts.imitates.real if facts.imitates else "",
            withheld=cohorts.withheld(facts),
        ),
        steady=steady(facts, found.urgency),
        is_over=ranking.late is not None,
        teachable=None
        if seen is None
        else Teachable(seen=seen, awaits=found.awaits, placements=placements(found, ranking, parts)),
    )
