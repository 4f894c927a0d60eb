"""Make the findings agree with each other: the act with the bucket, the words and the answer. Entry: `agree`.

The model answers each question apart. A request that asks nothing of the user, an answer awaited though
nothing is asked, or a correction without a word of one is a contradiction that a reader sees at once.
"""

from __future__ import annotations

from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.asks.needs_reply import on_a_list
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.verdict import SPEECH_ACTS, Bucket, SpeechAct

_WANTING: tuple[SpeechAct, ...] = ("request", "propose", "meet")
_TELLING: tuple[SpeechAct, ...] = ("commit", "amend", "deliver", "fyi")
_PLAIN = 0.85
"""The probability from which a request is plain."""
_HINTED = 0.3
"""The probability from which the rules have seen a word of a change."""


def agree(
    acts: ActProbabilities,
    rules: ActProbabilities,
    facts: RuleFacts,
    *,
    bucket: Bucket,
    needs_reply: bool,
    personal: bool,
) -> ActProbabilities:
    """Return the acts with the main one chosen among those that fit; the others become no likelier than it.

    Args:
        acts: The model's acts.
        rules: The acts that the rules found before.
        facts: The message.
        bucket: The message's bucket.
        needs_reply: True if a person waits for an answer.
        personal: True for mail from one person to others, not a mailing or a notice.
    """
    fitting = _fitting(acts, rules, facts, bucket=bucket, needs_reply=needs_reply, personal=personal)
    if acts.main in fitting:
        return acts
    main = max(fitting, key=acts.probabilities.__getitem__)
    limit = acts.probabilities[main]
    return ActProbabilities(
        probabilities={
            act: value if act in fitting else min(value, limit) for act, value in acts.probabilities.items()
        },
        sentences=acts.sentences,
        requests=acts.requests,
        main=main,
    )


def _fitting(
    acts: ActProbabilities,
    rules: ActProbabilities,
    facts: RuleFacts,
    *,
    bucket: Bucket,
    needs_reply: bool,
    personal: bool,
) -> tuple[SpeechAct, ...]:
    if needs_reply:
        return _WANTING
    others = on_a_list(facts) or facts.sender.audience == "copy"
    telling = bucket in ("informational", "low_priority") and personal and not others
    fitting = (*_TELLING, "meet") if telling and acts.main == "meet" else _TELLING if telling else SPEECH_ACTS
    if rules.probabilities["amend"] >= _HINTED:
        return fitting
    return tuple([act for act in fitting if act != "amend"])


def awaits_answer(rules: ActProbabilities, facts: RuleFacts, *, by_rules: bool, personal: bool) -> bool:
    """Return True if the user is asked so plainly that the rules alone see that an answer is awaited.

    That is by a question, or by a person who writes to the user alone and says plainly what is wanted.
    """
    if not by_rules:
        return False
    if personal and ("?" in rules.sentences["request"] or "？" in rules.sentences["request"]):
        return True
    alone = facts.sender.kind == "person" and facts.sender.audience == "me"
    return alone and rules.probabilities["request"] >= _PLAIN
