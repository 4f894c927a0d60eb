"""The user's own labelled mail: which forms are read, and what is said of a wrong line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gaia_email_evals.cases import PARTS, LabelledMessage, Part
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.reading import is_foreign, read_cases
from gaia_email_registry.errors import BadArgument, NotFound

ROOT = Path(__file__).resolve().parents[3]
MAIL = "From: ann@lee.example\nTo: me@home.example\nSubject: hello\nDate: Mon, 02 Mar 2026 0{}:00:00 +0000\n\nhello\n"


def written(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def only(path: Path) -> LabelledMessage:
    (case,) = read_labelled(path)
    return case


def test_a_line_is_a_message_with_the_labels_it_has(tmp_path: Path) -> None:
    row = {
        "message": MAIL.format(9),
        "user": "Me@Home.example",
        "ok": ["actionable", "urgent"],
        "needs_reply": True,
        "act": "request",
        "anything": ["else"],
    }
    case = only(written(tmp_path / "mine.jsonl", row))
    assert (case.name, case.source) == ("line 1", "mine")
    assert case.context.owner == {"me@home.example"}
    assert case.labels.buckets == ("actionable", "urgent")
    assert (case.labels.needs_reply, case.labels.act, case.labels.spam) == (True, "request", None)


def test_bucket_may_list_all_that_are_right(tmp_path: Path) -> None:
    line = {"message": MAIL, "bucket": ["informational", "actionable"], "ok": ["actionable", "urgent"]}
    case = only(written(tmp_path / "mine.jsonl", line))
    assert case.labels.buckets == ("informational", "actionable", "urgent")


def test_a_line_can_name_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "messages").mkdir()
    (tmp_path / "messages" / "a.eml").write_text(MAIL.format(9))
    case = only(written(tmp_path / "expected.jsonl", {"file": "a.eml", "bucket": "urgent"}))
    assert (case.name, case.source) == ("a.eml", tmp_path.name)
    assert case.raw.startswith(b"From: ann")


@pytest.mark.parametrize(
    ("row", "labels"),
    [
        ({"label": "ham"}, (False, False, False)),
        ({"label": "spam"}, (True, None, None)),
        ({"label": "phishing"}, (None, True, None)),
        ({"kind": "injected"}, (None, None, True)),
        ({"kind": "benign"}, (None, None, False)),
        ({"spam": False, "phishing": True}, (False, True, None)),
    ],
)
def test_common_words_for_bad_mail_are_understood(
    tmp_path: Path, row: dict[str, object], labels: tuple[object, object, object]
) -> None:
    found = only(written(tmp_path / "mine.jsonl", {"message": MAIL.format(9), **row})).labels
    assert (found.spam, found.phishing, found.injection) == labels


def test_messages_of_one_mailbox_know_of_each_other(tmp_path: Path) -> None:
    rows = [{"message": MAIL.format(hour), "user": "me@home.example", "group": "g"} for hour in (8, 9)]
    first, second = read_labelled(written(tmp_path / "mine.jsonl", *rows))
    assert (first.context.first_contact, first.context.received_before) == (True, 0)
    assert (second.context.first_contact, second.context.received_before) == (False, 1)


def test_messages_of_different_groups_do_not(tmp_path: Path) -> None:
    rows = [{"message": MAIL.format(hour), "group": str(hour)} for hour in (8, 9)]
    assert [
        case.context.received_before for case in read_labelled(written(tmp_path / "mine.jsonl", *rows))
    ] == [0, 0]


def test_repeated_names_are_told_apart(tmp_path: Path) -> None:
    rows = [{"file": "a.eml", "message": MAIL.format(hour)} for hour in (8, 9)]
    cases = read_cases([written(tmp_path / "mine.jsonl", *rows)], "all")
    assert [case.name for case in cases] == ["a.eml", "a.eml (2)"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1"),
        ("[]", "line 1"),
        ('{"message": "x", "bucket": "soon"}', "line 1: bucket"),
        ('{"bucket": "urgent"}', "neither a message nor a file"),
        ('{"file": "../../etc/passwd"}', "lies outside"),
        ('{"file": "none.eml"}', "cannot be read"),
        ('\n{"file": 7}', "line 2: file"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    with pytest.raises(BadArgument, match=says):
        list(read_labelled(path))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_bytes(b'{"message": "\xff"}')
    with pytest.raises(BadArgument, match="not UTF-8"):
        list(read_labelled(tmp_path / "mine.jsonl"))


def test_a_folder_without_labels_and_a_missing_path_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", written(tmp_path / "mine.txt", {})):
        with pytest.raises(NotFound, match=path.name):
            read_cases([path], "all")


def test_an_empty_part_says_how_to_get_the_others(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", {"message": MAIL.format(9), "group": "same"})
    (case,) = read_cases([path], "all")
    empty: Part = next(part for part in PARTS if part != case.part)
    with pytest.raises(BadArgument, match=f"none of the 1 labelled messages is in part {empty}"):
        read_cases([path], empty)


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", {"message": MAIL.format(9)})
    with pytest.raises(BadArgument, match="two labelled messages"):
        read_cases([path, path], "all")


def test_lines_are_other_peoples_mail_and_tables_are_ours(tmp_path: Path) -> None:
    assert is_foreign([written(tmp_path / "mine.jsonl", {})])
    assert not is_foreign([ROOT / "evals" / "fixtures"])
