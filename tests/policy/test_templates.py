"""Answers the user wrote: what a slot can take, what is never promised, and when one may go out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email.ledger.template_files import load_templates, templates_directory
from gaia_email.policy.commitments import PHRASES, commitment_in
from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.model import Decision, PolicyVerdict
from gaia_email.policy.templates import AnswerRecipient, Template, Trigger, fill, may_send, parse_template
from gaia_email_registry.errors import BadArgument
from gaia_mail.mime.model import Headers
from tests.policy.made import NOW, message

PLAIN = """---
cohorts: intra_org
---
Hello {{requester_name}},

{{greeting: thank you|many thanks}}, it has arrived.
"""
WITH_SENTENCE = PLAIN + "{{ack: max=20_words, grounding=thread}}\n"


def test_literal_and_bounded_slots_are_filled_from_where_they_have_to_be() -> None:
    template = parse_template("arrived", PLAIN)
    assert template.cohorts == {"intra_org"}
    text = fill(template, {"requester_name": "Ann"}, {"greeting": "many thanks"})
    assert text == "Hello Ann,\n\nmany thanks, it has arrived.\n"
    with pytest.raises(BadArgument, match="nothing to fill requester_name"):
        fill(template, {}, {"requester_name": "Ann", "greeting": "many thanks"})
    with pytest.raises(BadArgument, match="none of the words"):
        fill(template, {"requester_name": "Ann"}, {"greeting": "hey"})
    with pytest.raises(BadArgument, match="one line"):
        fill(template, {"requester_name": "Ann\nBcc: x"}, {"greeting": "many thanks"})


def test_a_template_without_a_head_names_no_cohort() -> None:
    assert parse_template("plain", "Thank you.").cohorts == frozenset()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no text"),
        ("{{a}}", "no text"),
        ("Hi {{a", "not closed"),
        ("Hi {{A b}}", "name of a slot"),
        ("Hi {{a: max=21_words}}", "up to 20"),
        ("Hi {{a: max=0_words}}", "up to 20"),
        ("Hi {{a: max=five}}", "up to 20"),
        ("Hi {{a: x||y}}", "choose from"),
        ("Hi {{a}} and {{a: x|y}}", "two ways"),
        ("---\ncohorts: vip\nHi", "not closed"),
        ("---\nto: x@y.example\n---\nHi", "knows only cohorts"),
    ],
)
def test_a_template_that_cannot_be_used_says_why(text: str, problem: str) -> None:
    with pytest.raises(BadArgument, match=problem):
        parse_template("odd", text)


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("Your note on the 12 chairs arrived.", ""),
        ("Danke, Ihre Nachricht ist angekommen!", ""),
        ("word " * 21, "at most 20 words"),
        ("", "one line"),
        ("One.\nTwo.", "one line"),
        ("It arrived. It is fine.", "more than one sentence"),
        ("We agree to that.", "commits you"),
        ("I’ll pay on Friday.", "commits you"),
        ("I'll look into it.", "commits you"),
        ("І аgrее to that.", "commits you"),
        ("I a\u200bgree to that.", "printable"),
        ("Ich bestätige den Termin.", "commits you"),
        ("J’accepte cette offre.", "commits you"),
        ("Details at www.evil.example today.", "link or an address"),
        ("Write to eve@evil.example instead.", "link or an address"),
        ("Pay 900 euros.", "number"),
        ("The 12 chairs arrived.", ""),
    ],
)
def test_a_sentence_promises_nothing_and_stands_on_the_thread(sentence: str, problem: str) -> None:
    template = parse_template("ack", WITH_SENTENCE)
    values = {"greeting": "thank you", "ack": sentence}

    def filled() -> str:
        return fill(template, {"requester_name": "Ann"}, values, thread="Please count the 12 chairs.")

    if not problem:
        assert sentence in filled()
    else:
        with pytest.raises(BadArgument, match=problem):
            filled()


def test_every_listed_phrase_is_found_in_a_sentence() -> None:
    assert [phrase for phrase in PHRASES if not commitment_in(f"Well, {phrase.upper()}, thank you.")] == []


@pytest.mark.parametrize(
    "sentence", ["I a\u200bgree.", "I\u00a0confirm it.", "1 agree!", "I-agree", "ＩＡＧＲＥＥ or I AGREE"]
)
def test_a_promise_cannot_be_hidden(sentence: str) -> None:
    assert commitment_in(sentence)


def test_words_that_only_contain_a_phrase_are_none() -> None:
    assert not commitment_in("Thank you for the unconfirmed and disapproved list.")


TRIGGER = Trigger(sender="ann@home.example", headers=Headers(()), to_owner=True)
INSIDE = AnswerRecipient(address="ann@home.example", cohort="intra_org", outside=False)


def deciding(level: int = 5) -> Decision:
    policy = Policy().with_level("intra_org", level)
    return decide(
        message("ann@home.example"), PolicyVerdict(bucket="actionable", cohort="intra_org"), policy, now=NOW
    )


def outcome(
    template: Template | None = None,
    *,
    trigger: Trigger = TRIGGER,
    decision: Decision | None = None,
    recipients: tuple[AnswerRecipient, ...] = (INSIDE,),
) -> str:
    chosen = template or parse_template("arrived", PLAIN)
    return may_send(chosen, trigger, decision or deciding(), recipients).outcome


def test_a_template_goes_out_by_itself_only_at_level_five_inside_the_organisation() -> None:
    assert outcome() == "permitted"
    assert outcome(decision=deciding(4)) == "ask"
    assert outcome(decision=deciding(1)) == "refused"


def test_a_sentence_of_a_models_or_another_organisation_always_asks() -> None:
    assert outcome(parse_template("ack", WITH_SENTENCE)) == "ask"
    assert outcome(recipients=(INSIDE, replace(INSIDE, outside=True))) == "ask"


def test_a_cohort_that_is_not_named_or_another_recipients_is_refused() -> None:
    assert outcome(parse_template("plain", "Thank you.")) == "refused"
    assert outcome(recipients=(INSIDE, replace(INSIDE, cohort="vip"))) == "refused"
    assert outcome(recipients=()) == "refused"


@pytest.mark.parametrize(
    ("sender", "headers", "to_owner", "answered"),
    [
        ("ann@home.example", {"auto-submitted": "auto-generated"}, True, False),
        ("ann@home.example", {"list-id": "<x.example>"}, True, False),
        ("ann@home.example", {"precedence": "Bulk"}, True, False),
        ("ann@home.example", {"return-path": "<>"}, True, False),
        ("", {}, True, False),
        ("MAILER-DAEMON@home.example".lower(), {}, True, False),
        ("owner-x@home.example", {}, True, False),
        ("x-request@home.example", {}, True, False),
        ("ann@home.example", {}, False, False),
        ("ann@home.example", {}, True, True),
    ],
)
def test_no_automatic_answer_where_rfc_3834_forbids_one(
    sender: str, headers: dict[str, str], to_owner: bool, answered: bool
) -> None:
    trigger = Trigger(
        sender=sender, headers=Headers(tuple(headers.items())), to_owner=to_owner, answered=answered
    )
    assert outcome(trigger=trigger) == "refused"


def test_mail_that_says_it_was_sent_by_a_person_can_be_answered() -> None:
    assert outcome(trigger=replace(TRIGGER, headers=Headers((("Auto-Submitted", "No"),)))) == "permitted"


def test_templates_are_read_from_the_data_directory_and_a_broken_one_stops_no_other(tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path)}
    assert load_templates(environ).usable == {}
    folder = templates_directory(environ)
    folder.mkdir(parents=True)
    (folder / "arrived.md").write_text(PLAIN, encoding="utf-8")
    (folder / "broken.md").write_text("Hi {{a", encoding="utf-8")
    (folder / "latin.md").write_bytes(b"Gr\xfc\xdfe")
    (folder / "huge.md").write_text("x" * 200_000, encoding="utf-8")
    (folder / "notes.txt").write_text("not a template", encoding="utf-8")
    found = load_templates(environ)
    assert set(found.usable) == {"arrived"}
    assert set(found.problems) == {"broken", "latin", "huge"}
