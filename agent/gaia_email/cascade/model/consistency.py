"""What is said of a message agrees with itself: its act with its bucket, its words and the answer. Entry: `agree`.

The model answers each question apart. A request that asks nothing of the user, an answer awaited where nothing is
asked, or a correction without a word of one is a contradiction that a reader sees at once.
"""

from __future__ import annotations

from gaia_email.cascade.asks.acts import ActProbabilities
from gaia_email.cascade.asks.needs_reply import on_a_list
from gaia_email.cascade.facts import RuleFacts
from gaia_email.cascade.verdict import SPEECH_ACTS, Bucket, SpeechAct

_WANTING: tuple[SpeechAct, ...] = ("request", "propose", "meet")
_TELLING: tuple[SpeechAct, ...] = ("commit", "amend", "deliver", "fyi")
_PLAIN = 0.85
"""From which probability a request is put plainly."""
_HINTED = 0.3
"""From which probability the rules have seen a word of a change."""


def agree(
    acts: ActProbabilities,
    rules: ActProbabilities,
    facts: RuleFacts,
    *,
    bucket: Bucket,
    needs_reply: bool,
    personal: bool,
) -> ActProbabilities:
    """The acts with the main one chosen among those that fit; what does not fit is no likelier than that.

    Args:
        acts: What the model finds.
        rules: What the rules found before it.
        facts: The message.
        bucket: Where it stands.
        needs_reply: Whether somebody waits for an answer.
        personal: Whether it is mail from one person to others, and no mailing or notice.
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


def awaited(rules: ActProbabilities, facts: RuleFacts, *, by_rules: bool, personal: bool) -> bool:
    """Whether the user is asked in so many words that the rules alone see that an answer is awaited.

    By a question, or by a person who writes to the user alone and says plainly what is wanted.
    """
    if not by_rules:
        return False
    if personal and ("?" in rules.sentences["request"] or "？" in rules.sentences["request"]):
        return True
    alone = facts.sender.kind == "person" and facts.sender.audience == "me"
    return alone and rules.probabilities["request"] >= _PLAIN
