"""What the labelled messages hold together: enough of everything, nothing twice, no group torn between parts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

from gaia_email_evals.cases import PARTS, LabelledMessage, part_of
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS, Cohort

FOLDER = Path(__file__).resolve().parents[4] / "evals" / "fixtures"
_FIELD = re.compile(r'^(id|template|thread) = "(.*)"$', re.MULTILINE)


def test_there_are_enough_messages_and_enough_that_try_to_deceive(cases: list[LabelledMessage]) -> None:
    assert len(cases) > 1000
    assert all(sum(case.part == part for case in cases) > 100 for part in PARTS)
    assert sum(case.source in ("adversarial", "phishing") for case in cases) >= 60
    assert sum(case.labels.injection is True for case in cases) >= 20
    assert sum(case.labels.phishing is True for case in cases) >= 20
    assert sum(case.labels.spam is True for case in cases) >= 10


def test_every_file_gives_messages_and_every_name_is_given_once(cases: list[LabelledMessage]) -> None:
    empty = [
        file.name for file in FOLDER.glob("*.toml") if "[[mail]]" not in file.read_text(encoding="utf-8")
    ]
    assert not empty
    twice = [name for name, count in Counter(case.name for case in cases).items() if count > 1]
    assert not twice


def test_every_label_is_one_of_its_answers(cases: list[LabelledMessage]) -> None:
    for case in cases:
        labels = case.labels
        assert labels.buckets, case.name
        assert set(labels.buckets) <= set(BUCKETS), case.name
        assert len(set(labels.buckets)) == len(labels.buckets) <= 3, case.name
        assert labels.category in CATEGORIES, case.name
        assert labels.act in SPEECH_ACTS, case.name
        assert labels.cohort in get_args(Cohort), case.name
        assert {type(value) for value in (labels.needs_reply, labels.phishing, labels.spam)} == {bool}, (
            case.name
        )
        assert re.fullmatch("[a-z]{2}", case.language), case.name
        assert len(case.context.owner) == 1, case.name


def test_labels_do_not_contradict_the_guide(cases: list[LabelledMessage]) -> None:
    """`evals/LABELS.md`: a trap is worth no more than to be known, spam nothing, and nobody answers either."""
    for case in cases:
        labels = case.labels
        if labels.phishing:
            assert labels.buckets[:2] == ("low_priority", "informational"), case.name
        elif labels.spam:
            assert labels.buckets[0] == "low_priority", case.name
        assert not (labels.needs_reply and (labels.phishing or labels.spam)), case.name
        assert not (labels.needs_reply and labels.buckets == ("low_priority",)), case.name


def test_every_part_has_every_bucket_category_and_act(cases: list[LabelledMessage]) -> None:
    for part in PARTS:
        chosen = [case for case in cases if case.part == part]
        assert min(Counter(case.labels.buckets[0] for case in chosen)[bucket] for bucket in BUCKETS) >= 20
        assert {case.labels.category for case in chosen} == set(CATEGORIES)
        assert {case.labels.act for case in chosen} == set(SPEECH_ACTS)
        assert {case.labels.needs_reply for case in chosen} == {True, False}
        assert {"en", "de", "es", "fr", "it", "nl", "pt"} <= {case.language for case in chosen}


def test_no_group_is_torn_between_parts(cases: list[LabelledMessage]) -> None:
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        parts[case.group].add(case.part)
        assert case.part == part_of(case.group)
    assert not [group for group, found in parts.items() if len(found) > 1]


def test_mails_of_one_template_share_a_part() -> None:
    """A thread is a group of its own; if its mails share a template with others, they must not part from them."""
    parts: defaultdict[str, set[str]] = defaultdict(set)
    tables = 0
    for file in sorted(FOLDER.glob("*.toml")):
        for table in file.read_text(encoding="utf-8").split("[[mail]]")[1:]:
            fields = dict(_FIELD.findall(table.partition("\ntext = ")[0]))
            parts[fields["template"]].add(part_of(fields.get("thread") or fields["template"]))
            tables += 1
    assert tables >= 400
    assert not [template for template, found in parts.items() if len(found) > 1]


def test_no_text_is_there_twice(cases: list[LabelledMessage]) -> None:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases:
        message = decode(case.raw)
        words = " ".join(re.findall(r"\w+", (message.text or message.html).casefold()))
        if words:
            texts[words].append(case.name)
    assert len(texts) >= 400
    assert not [names for names in texts.values() if len(names) > 1]
