"""Combine the learned model's opinion with the rules' findings. Entry: `settle`.

The model decides what rules cannot say: how much a text wants of the user, and what kind of text it is. It
does not decide what must be certain: who wrote it, whether it is a trap, what a calendar part or the user's
own answer says.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_mail.domains import organisational_domain
from gaia_understanding.cascade.asks import alerts, scope, urgency
from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.asks.needs_reply import asks_others
from gaia_understanding.cascade.asks.sentence_acts import with_sentences
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds import cohorts
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.model.consistency import agree, awaits_answer
from gaia_understanding.cascade.model.conventions import find_convention
from gaia_understanding.cascade.model.features import Features, features_of, sentence_features
from gaia_understanding.cascade.model.learned import Learned
from gaia_understanding.cascade.model.pressing import may_be_urgent
from gaia_understanding.cascade.model.suspicion import add_suspicion, withholds
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.priority import Opinion, RuleFindings, bucket_of, certain, warns
from gaia_understanding.cascade.traps.generators import is_publication
from gaia_understanding.cascade.traps.links import host_of
from gaia_understanding.cascade.traps.origin import agrees
from gaia_understanding.cascade.traps.selling import unless_letter
from gaia_understanding.cascade.traps.spam import SCHEMES
from gaia_understanding.cascade.verdict import (
    BUCKETS,
    CATEGORIES,
    SPEECH_ACTS,
    USUAL,
    Bucket,
    Category,
    SpeechAct,
)
from gaia_understanding.steps import Steps

_YES = 0.5
_ASKING: tuple[SpeechAct, ...] = ("request", "propose", "meet", "commit")
_CERTAIN, _SURE, _CLEAR, _HINTED = 0.8, 0.9, 0.7, 0.3
_KNOWN_SURE = 0.7
_RULED, _AT_HOME = 0.7, 0.9
_SOME_LETTERS = 3
_FAINT, _LINKS = 0.1, 8
_NEVER_SENT = frozenset({"spam_casino", "spam_pills", "spam_adult"})
"""Trades whose mailings nobody is believed to have joined."""
_NEVER = 1.1
_MACHINE, _PERSON = 0.75, 0.3
_NOTE = 400
_FEW_SENTENCES, _SHORT, _OFFERING = 3, 200, 2
_GREETING = 4
"""The most words of a greeting."""
_OFFERS = frozenset({"cat_newsletter", "cat_social", "bulk_text"})
_SENTENCES = 8
COSTS: dict[str, float] = {"urgent": 4.0, "actionable": 1.0, "informational": 1.0, "low_priority": 3.0}
"""The cost of mistaking a message of each bucket for another: an urgent one missed, or an advertisement to be read.

Chosen by cross-validation, in which they find 93 % of what is urgent (docs/ablation.md).
"""
_SELLING: tuple[Category, ...] = ("promotions", "newsletters", "social")
_RARE, _HARDLY = 0.02, 0.25
"""The factors for a short question to be worthless, and to be for information alone.

It is so short that the model sees little of what it wants.
"""
_AWAITED = 0.35
"""The likelihood from which a sender who asks waits for an answer: an ignored question costs twice a false mark."""
_WAIVED = 0.05
"""The factor for `urgent` if the mail says that nothing is to be done, or that the reader may leave it."""
_UNSAID = 0.1
"""The least factor for `actionable` in mail of machines, the less its words sound like a request.

A machine nearly always asks in words that the rules know.
"""
_QUIET = 0.15
"""The least factor for `urgent` if the rules see neither a request nor anything that presses."""
_UNREAD = 0.4
"""Mail less likely than this to be worthless is not put away unread for the sake of the costs."""
_PASTIME = 0.8
"""The least certainty that mail passed on for luck or fun is worthless; it always was in train and dev."""
_LIKELY = 0.3
"""The likelihood from which a sentence may be quoted as the one that asks."""


def settle(found: RuleFindings, model: Learned) -> Steps[tuple[Features, Mapping[str, float]] | None]:
    """Put the model's opinion into the findings; return its features and bucket chances, None if rules are certain."""
    if certain(found):
        _move_certain(found)
        return None
    by_rules = bucket_of(found)
    features = features_of(found, by_rules)
    yield
    scores = model.scores(features)
    yield
    trap = scores.chance("trap") if "trap" in model.questions else 0.0
    found.phishing = add_suspicion(found.facts, found.phishing, trap)
    if warns(found):
        found.needs_reply = False
        return features, scores.probabilities("bucket")
    question, asked_by_rules = _question(found, features), by_rules in ("urgent", "actionable")
    found.spam = spam_score(found, scores.chance("spam"), question=question)
    categories, acts = scores.probabilities("category"), scores.probabilities("act")
    _categorise(found, _rarely(categories, _SELLING) if question else categories)
    buckets = scores.probabilities("bucket")
    if question and asked_by_rules:
        buckets = _scale(buckets, {"informational": _HARDLY, "low_priority": _RARE})
    elif asks_others(found.facts) or (
        acts["request"] < _CERTAIN and _only_names_questions(found, asked=asked_by_rules)
    ):
        buckets = _rarely(buckets, ("urgent", "actionable"))
    if asked_by_rules and found.facts.sender.audience == "me" and not found.facts.view.has("no_hurry"):
        # Rules and model find that the user is asked: the surer the model, the less the mail is for
        # information alone.
        told = _RARE if _is_told(found) else max(_RARE, 1 - acts["request"])
        buckets = _scale(buckets, {"informational": told})
    # An offer is not urgent however it hurries: the likelier it is one, the less.
    buckets = _scale(buckets, {"urgent": max(_RARE, 1 - categories["promotions"])})
    if withholds(found.facts, trap):
        buckets = {**buckets, "urgent": 0.0, "actionable": buckets["actionable"] + buckets["urgent"]}
    bucket, confidence = _bucket(buckets, found, asked=asked_by_rules, requests=acts["request"])
    if found.pastime is not None:
        bucket, confidence = "low_priority", max(buckets["low_priority"], _PASTIME)
    bucket, confidence = _by_convention(found, bucket, confidence)
    wanted = found.phishing.score < _YES and found.spam < _YES
    personal, rules = found.category.category == "primary", found.acts
    asked = bucket in ("urgent", "actionable")
    reply = scores.chance("reply") >= _AWAITED or awaits_answer(
        rules, found.facts, by_rules=found.needs_reply, personal=personal
    )
    found.awaits = wanted and reply and _answerable(found.facts)
    found.needs_reply = asked and found.awaits
    found.acts = agree(
        _acts(found, acts, model, asked=asked),
        rules,
        found.facts,
        bucket=bucket,
        needs_reply=found.needs_reply,
        personal=personal,
    )
    if personal and wanted and not found.facts.lists.bulk:
        found.acts = with_sentences(found.acts, found.facts.view)
    found.opinion = Opinion(bucket=bucket, confidence=round(confidence, 3))
    return features, scores.probabilities("bucket")


def _only_names_questions(found: RuleFindings, *, asked: bool) -> bool:
    """Return True if a person's questions are all titles of something, and the rules find that nothing is asked."""
    return not asked and found.category.category == "primary" and scope.only_names_questions(found.facts.view)


def _by_convention(found: RuleFindings, bucket: Bucket, confidence: float) -> tuple[Bucket, float]:
    """Return the bucket that the owner set for mail of this kind; unchanged if they set none."""
    place = find_convention(found, bucket)
    if place is None:
        return bucket, confidence
    found.convention = place[0]
    return place[1], _SURE


def _move_certain(found: RuleFindings) -> None:
    """Let the owner's conventions move mail that the rules alone are certain of."""
    found.awaits = found.needs_reply
    bucket, confidence = _by_convention(found, bucket_of(found), 0.0)
    if found.convention is not None:
        found.opinion = Opinion(bucket=bucket, confidence=confidence)


def _bucket(
    likely: dict[str, float], found: RuleFindings, *, asked: bool, requests: float
) -> tuple[Bucket, float]:
    """Return the bucket that costs least to be wrong about, and its likelihood.

    `asked` is True if the rules find something that is wanted of the user, `requests` is the likelihood that
    the text asks. Advertising wants nothing that the user must do, however it is worded. Mail that a person
    wrote to the user is put away unread only if that is likelier than all else together, and surer still if
    they know each other.
    """
    wants = likely["urgent"] + likely["actionable"]
    factors = (found.facts.context.conventions or USUAL).costs
    weighed = {name: value * COSTS[name] * factors.get(name, 1.0) for name, value in likely.items()}
    hinted = requests if requests >= _HINTED else 0.0
    if found.waivers.free or (found.waivers.nothing and not found.needs_reply):
        weighed["urgent"] *= _WAIVED
    elif not asked and not found.urgency.score:
        weighed["urgent"] *= max(_QUIET, hinted)
    if not asked and found.alert.kind == "none" and found.facts.sender.kind != "person":
        weighed["actionable"] *= _UNSAID + (1 - _UNSAID) * hinted
    if found.category.category == "promotions" or (found.category.category in _SELLING and not asked):
        weighed["urgent"] = 0.0
    close = _close(found.facts) or _is_note(found)
    if likely["low_priority"] < _UNREAD or close:
        weighed["low_priority"] = likely["low_priority"]
    if found.facts.lists.bulk and found.category.category in _SELLING and wants < _CERTAIN:
        return "low_priority", likely["low_priority"]
    total = sum(weighed.values())
    enough = _KNOWN_SURE if close else _YES
    offered = found.category.category != "primary" and not (close and asked)
    surely_low = offered or (weighed["low_priority"] >= enough * total and not _asks_members(found))
    open_to = BUCKETS if surely_low else BUCKETS[:-1]
    best = max(open_to, key=weighed.__getitem__)
    if best != "urgent" or may_be_urgent(found, likely["urgent"]):
        return best, likely[best]
    if not found.waivers.nothing:  # mail that may need the user today is at least actionable
        weighed["actionable"] += likely["urgent"]
        likely = {**likely, "actionable": likely["actionable"] + likely["urgent"]}
    best = max(open_to[1:], key=weighed.__getitem__)
    return best, likely[best]


def _asks_members(found: RuleFindings) -> bool:
    """Return True for a question that a person puts to all members of a list: this user may know the answer."""
    facts = found.facts
    return (
        facts.lists.discussion
        and facts.sender.kind == "person"
        and found.category.category == "primary"
        and found.spam < _HINTED
        and any(
            span.kind == "question" and "?" in span.text and scope.asks_anyone(fold(span.text))
            for span in found.acts.requests
        )
    )


def _question(found: RuleFindings, features: Features) -> bool:
    """Return True for a short question by one person, without traits of mailings or a firm's name as sender.

    A sender without a name is an ordinary case: many programs leave it out.
    """
    facts = found.facts
    return (
        found.category.category == "primary"
        and facts.sender.kind == "person"
        and "named:domain" not in features.facts
        and "?" in (facts.view.body or facts.view.subject)
        and (_only_asks(facts) or _offers_nothing(found))
        and found.spam < _HINTED
        and not (facts.prepared.links or facts.lists.bulk or facts.lists.list_id or facts.lists.automatic)
        and len(facts.prepared.normalized) <= _SHORT
    )


def _only_asks(facts: RuleFacts) -> bool:
    """Return True if a text is nothing but questions, except a greeting or a name: sellers say what they have."""
    sentences = facts.view.sentences
    longer = [sentence for sentence in sentences if len(sentence.split()) > _GREETING]
    return bool(longer) and len(sentences) <= _FEW_SENTENCES and all("?" in sentence for sentence in longer)


def _is_note(found: RuleFindings) -> bool:
    """Return True for a few unhurried lines of a person, without traits of mailings: nobody puts those away unread."""
    facts = found.facts
    return (
        found.category.category == "primary"
        and found.category.margin >= _CLEAR
        and facts.sender.kind == "person"
        and len(facts.prepared.normalized) <= _NOTE
        and not found.urgency.score
        and _offers_nothing(found)
    )


def _offers_nothing(found: RuleFindings) -> bool:
    """Return True if there is no link, no word of mailings, of selling or of a scheme, and no header of a list."""
    facts = found.facts
    counts = facts.view.counts
    return (
        _OFFERS.isdisjoint(counts)
        and SCHEMES.isdisjoint(counts)
        and facts.view.count("cat_promotion") + facts.view.count("outreach_claim") < _OFFERING
        and found.spam < _HINTED
        and not facts.prepared.links
        and not (facts.lists.bulk or facts.lists.list_id or facts.lists.automatic)
    )


def _is_told(found: RuleFindings) -> bool:
    """Return True if a person tells the user in a short mail what to do, so plainly that nothing else can mean less."""
    return (
        found.facts.sender.kind == "person"
        and len(found.facts.prepared.normalized) <= _SHORT
        and any(span.kind == "directive" and span.strength >= _CERTAIN for span in found.acts.requests)
    )


def _rarely(likely: dict[str, float], answers: tuple[str, ...]) -> dict[str, float]:
    """Return the likelihoods with these answers a fiftieth as likely."""
    return _scale(likely, dict.fromkeys(answers, _RARE))


def _scale(likely: dict[str, float], by: Mapping[str, float]) -> dict[str, float]:
    """Return the likelihoods with some answers multiplied by these factors."""
    scaled = dict(likely)
    for answer, times in by.items():
        scaled[answer] *= times
    total = sum(scaled.values())
    return {answer: value / total for answer, value in scaled.items()}


def _close(facts: RuleFacts) -> bool:
    """Return True if the sender is a correspondent, a colleague, or a member of the same list."""
    context = facts.context
    if context.written_to > 0 or context.owner_in_thread or facts.lists.discussion or facts.lists.list_id:
        return True
    return facts.shares_domain


def spam_score(found: RuleFindings, likely: float, *, question: bool = False) -> float:
    """Return the model's likelihood, kept below a flag unless it is clear enough; clearer if the rules see little.

    A sender who mails from their own domain and links there, or who has written before, is flagged only if
    there is next to no doubt, and so is a person's short `question`; a publication, or a sender with a proven
    identity, never because of the model alone. If the rules are sure, the model need only think it possible.
    """
    if found.spam >= _RULED:
        return round(max(likely, _YES) if likely >= _HINTED else likely, 3)
    if likely < _YES:
        return round(likely, 3)
    authentication, context = found.facts.authentication, found.facts.context
    proved = authentication.trusted and authentication.dmarc == "pass"
    known = context.written_to > 0 or context.received_before >= _SOME_LETTERS
    at_home = known or agrees(found.facts) or (found.spam < _FAINT and _leaves_at_home(found.facts))
    needed = _AT_HOME if at_home else _YES if found.spam >= _HINTED else _CLEAR
    if question:
        needed = max(needed, _AT_HOME)
    if found.spam < _HINTED and (proved or is_publication(found.facts)):
        needed = _NEVER
    return round(likely if likely >= needed else min(likely, _YES - 0.01), 3)


def _leaves_at_home(facts: RuleFacts) -> bool:
    """Return True if the mail has an unsubscribe link, and that and every link lead to the sender's own domain."""
    leaving, home = facts.lists.unsubscribe, facts.sender.organisation
    if (
        leaving is None
        or not (facts.prepared.links and leaving.url)
        or not _NEVER_SENT.isdisjoint(facts.view.counts)
    ):
        return False
    urls = [leaving.url, *(link.url for link in facts.prepared.links[:_LINKS])]
    return all(organisational_domain(host) == home for host in map(host_of, urls) if host)


def _answerable(facts: RuleFacts) -> bool:
    """Return True if someone would read an answer."""
    address = facts.sender.address
    return bool(address) and not facts.lists.automatic and not facts.lists.bulk and "reply@" not in address


def _categorise(found: RuleFindings, likely: dict[str, float]) -> None:
    """Put the model's category into the findings, and redo what depends on it."""
    best = max(CATEGORIES, key=likely.__getitem__)
    old = found.category
    facts = found.facts
    if best == old.category:
        old.margin = likely[best]
        return
    doubtful = old.category == "receipts" and _names_no_money(facts)
    declared = facts.lists.bulk and old.category in _SELLING and best not in _SELLING
    needed = _LIKELY if doubtful else _CLEAR if declared else _YES
    if likely[best] < needed or _says_itself(facts, best, old, likely[best]):
        return
    machine = old.machine
    if best != "primary":
        machine = max(machine, _YES)
    elif not facts.shares_domain:
        machine = min(machine, 0.49)
    kind = unless_letter(
        CategoryFinding(category=best, margin=likely[best], machine=machine), facts, found.spam, likely[best]
    )
    if kind.category == old.category:
        return
    found.category = kind
    found.cohort = cohorts.cohort_of(facts, kind.category)
    found.alert = alerts.find(facts, kind, found.waivers)
    found.urgency = urgency.measure(
        facts,
        kind,
        found.alert,
        found.acts.sentences["request"],
        waivers=found.waivers,
        emergency=found.emergency,
    )


def _names_no_money(facts: RuleFacts) -> bool:
    """Return True if the mail names no sum and no journey and has no file: about a parcel, say, not a receipt."""
    entities = facts.entities
    total = entities.receipt is not None and entities.receipt.total
    return not (entities.money or total or entities.itinerary or facts.message.attachments)


def _says_itself(facts: RuleFacts, best: Category, old: CategoryFinding, likely: float) -> bool:
    """Return True if headers, or the user's own letters to the sender, speak against the model's category."""
    if best == "primary":
        return not facts.shares_domain and (facts.lists.automatic or old.machine >= _MACHINE)
    if facts.lists.bulk:
        return False
    if facts.context.written_to and best in _SELLING:
        return True
    if facts.sender.kind != "person":
        return False
    if best == "notifications" and likely < _SURE and old.machine < _PERSON:
        return True
    return facts.context.written_to > 0 or (best in ("newsletters", "social") and old.machine < _PERSON)


def _acts(found: RuleFindings, likely: dict[str, float], model: Learned, *, asked: bool) -> ActProbabilities:
    """Return the model's speech acts; in a short mail, its reading of each sentence counts for two."""
    wants = asks = sum([likely[act] for act in _ASKING])
    sentences = dict(found.acts.sentences)
    few = found.category.category == "primary" and len(found.facts.view.sentences) <= _FEW_SENTENCES
    quote = asked and not sentences["request"]
    askings = _askings(found, model) if few or quote else {}
    if few and askings:
        asks = (wants + 2 * max(askings.values())) / 3
    if quote and askings:
        best = max(askings, key=lambda sentence: askings[sentence])
        sentences["request"] = best if askings[best] >= _LIKELY else ""
    probabilities: dict[SpeechAct, float] = {act: likely[act] for act in SPEECH_ACTS}
    if asks != wants:
        up, down = asks / max(wants, 1e-6), (1 - asks) / max(1 - wants, 1e-6)
        probabilities = {
            act: value * (up if act in _ASKING else down) for act, value in probabilities.items()
        }
    main = max(_ASKING, key=probabilities.__getitem__)
    if asks >= _YES > probabilities[main]:
        probabilities[main] = asks
    return ActProbabilities(
        probabilities={act: round(value, 3) for act, value in probabilities.items()},
        sentences=sentences,
        requests=found.acts.requests,
        main=max(SPEECH_ACTS, key=probabilities.__getitem__),
    )


def _askings(found: RuleFindings, model: Learned) -> dict[str, float]:
    """Return the likelihood that each of the first sentences asks, promises or proposes.

    Empty if the model never learned that.
    """
    if "intent" not in model.questions:
        return {}
    spans = {span.text: span for span in found.acts.requests}
    return {
        sentence: model.asks(sentence_features(sentence, spans.get(sentence)))
        for sentence in found.facts.view.sentences[:_SENTENCES]
    }
