"""A decision in sentences: whole ones, that agree with what was decided."""

from __future__ import annotations

from hypothesis import given, settings

from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.explain import DOING, sentences
from gaia_email.policy.levels import ACTIONS
from gaia_email.policy.model import MessageFacts, PolicyVerdict
from gaia_email.policy.switches import Switches
from tests.policy.made import NOW, message, messages, policies, switches, verdicts


def test_it_walks_from_the_sender_to_what_may_be_done() -> None:
    policy = Policy().with_vip("lee@other.example").with_level("newsletters", 4)
    judged = PolicyVerdict(
        bucket="low_priority", cohort="newsletters", listed=True, confidence=0.5, forged="it fails DMARC"
    )
    assert sentences(decide(message(), judged, policy, now=NOW))[:6] == (
        "It would be in vip, but that stands on who wrote it, and it fails DMARC.",
        "It is in newsletters, since it was sent to a list that you can unsubscribe from, or by a known sender "
        "of newsletters.",
        "Its level is L4, act with undo: the agent does what can be undone, without asking.",
        "How sure the verdict is: probably (50 %); below 60 % the level drops by one, to L3.",
        "A triage would put this up for your review: label it gaia/low_priority and archive it.",
        "By itself the agent may answer questions about it, alert you to it, suggest a label, a draft or a "
        "priority or sort it ahead of your review.",
    )


@given(messages, verdicts, policies(), switches)
@settings(max_examples=100)
def test_every_action_is_spoken_of_once_in_whole_sentences(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, switched: Switches
) -> None:
    decision = decide(facts, judged, policy, switched, now=NOW)
    told = sentences(decision)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in told)
    spoken = [
        sentence
        for sentence in told
        if sentence.startswith(("By itself the agent may", "It asks you before", "It may not"))
    ]
    for action in ACTIONS:
        allowed = decision.ruling(action).outcome == "permitted"
        found = [sentence for sentence in spoken if DOING[action] in sentence.partition(": ")[0]]
        assert found, action
        assert allowed == found[0].startswith("By itself")
