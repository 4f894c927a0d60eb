"""`gaia email classify` as other programs rely on it."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.services.processes import side_by_side
from gaia_email_registry.errors import InternalError
from tests.cli.printed import Run, fits

HELLO = b"""From: Ann Lee <ann@lee.example>
To: Me <me@home.example>
Subject: Lunch on Friday?
Date: Mon, 02 Mar 2026 09:00:00 +0100
Message-ID: <hello@lee.example>

Hi, can you come to lunch on Friday? Please tell me by tomorrow.

Ann
"""


def rows_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    path = tmp_path / "hello.eml"
    path.write_bytes(HELLO)
    return path


def test_one_message_gives_one_line_of_the_published_form(run: Run, hello: Path) -> None:
    result = run("classify", str(hello))
    assert result.code == 0
    assert result.err == ""
    (row,) = rows_of(result.out)
    fits(row, "classify")
    assert row["path"] == str(hello)
    assert row["message_id"] == "<hello@lee.example>"
    assert row["from"] == {"name": "Ann Lee", "address": "ann@lee.example"}
    assert row["date"] == "2026-03-02T09:00:00+01:00"
    assert row["needs_reply"] is True
    assert row["bucket"] in ("urgent", "actionable")
    assert row["speech_act"] in ("request", "propose", "meet")


def test_garbage_is_collected_as_before_when_the_command_is_done(run: Run, hello: Path) -> None:
    before = gc.get_threshold()
    run("classify", str(hello))
    assert gc.get_threshold() == before


def test_the_keys_stand_in_the_published_order(run: Run, hello: Path) -> None:
    (row,) = rows_of(run("classify", str(hello)).out)
    assert list(row) == [
        "schema_version",
        "path",
        "index",
        "message_id",
        "thread_id",
        "subject",
        "from",
        "date",
        "bucket",
        "content_category",
        "labels",
        "speech_act",
        "speech_acts",
        "cohort",
        "needs_reply",
        "confidence",
        "tier",
        "priority",
        "text",
        "entities",
        "flags",
        "attachments",
        "defects",
        "elapsed_ms",
    ]


def test_the_sample_mailbox_is_valid_to_the_last_line(run: Run, sample_maildir: Path) -> None:
    result = run("classify", str(sample_maildir))
    rows = rows_of(result.out)
    assert result.code == 0
    assert len(rows) >= 150
    for row in rows:
        fits(row, "classify")


def test_evidence_occurs_in_the_message(run: Run, sample_maildir: Path) -> None:
    for row in rows_of(run("classify", str(sample_maildir)).out):
        for given in row["priority"]["signals"]:
            if not given["evidence"]:
                continue
            header = f"{row['subject']}\n{row['from']['name']}\n{row['from']['address']}"
            body = "\n".join(str(text) for text in row["text"].values())
            haystack = " ".join(f"{header}\n{body}".split())
            evidence = " ".join(given["evidence"].split())
            raw = _raw_of(row, sample_maildir)
            assert evidence in haystack or evidence in raw, (row["subject"], signal)


def _raw_of(row: dict[str, Any], folder: Path) -> str:
    from gaia_mail.mime.read import parse_message

    message = parse_message(Path(row["path"]).read_bytes())
    values = [value for _, value in message.headers.fields()]
    names = [attachment.filename for attachment in message.attachments]
    return " ".join("\n".join([*values, *names, message.text, message.html, *message.calendars]).split())


def test_standard_input_needs_an_owner_and_then_works(run: Run) -> None:
    refused = run("classify", "-", stdin=HELLO)
    assert refused.code == 2
    assert "--user" in refused.err
    result = run("classify", "-", "--user", "me@home.example", stdin=HELLO)
    assert result.code == 0
    assert rows_of(result.out)[0]["needs_reply"] is True


def test_a_stream_and_a_file_give_the_same_single_message(run: Run, hello: Path) -> None:
    (streamed,) = rows_of(run("classify", "-", "--user", "me@home.example", stdin=HELLO).out)
    (filed,) = rows_of(run("classify", str(hello), "--user", "me@home.example").out)
    for row in (streamed, filed):
        del row["path"], row["elapsed_ms"]
    assert streamed == filed


def test_a_missing_path_is_named_and_the_others_are_done(run: Run, hello: Path) -> None:
    result = run("classify", str(hello.parent / "nowhere.mbox"), str(hello))
    assert result.code == 3
    assert "nowhere.mbox" in result.err
    assert len(rows_of(result.out)) == 1
    assert run("classify", str(hello.parent / "nowhere.mbox")).code == 1


def test_an_empty_mailbox_is_said_to_be_one(run: Run, tmp_path: Path) -> None:
    for part in ("cur", "new", "tmp"):
        (tmp_path / part).mkdir()
    result = run("classify", str(tmp_path))
    assert (result.code, result.out) == (0, "")
    assert "no message" in result.err


def test_fields_pick_and_reach_into_objects(run: Run, hello: Path) -> None:
    (row,) = rows_of(run("classify", str(hello), "--fields", "bucket,priority.score,from.address").out)
    assert list(row) == ["bucket", "priority.score", "from.address"]
    assert row["from.address"] == "ann@lee.example"


def test_json_is_one_document(run: Run, hello: Path) -> None:
    document = json.loads(run("classify", "--json", str(hello)).out)
    assert [message["index"] for message in document["messages"]] == [0]


def test_the_lines_are_the_same_from_several_processes(
    run: Run, sample_maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.app.services.classify.BATCH", 7)

    def lines(*options: str) -> list[dict[str, Any]]:
        rows = rows_of(run("classify", str(sample_maildir), *options).out)
        for row in rows:
            del row["elapsed_ms"]
        return rows

    alone = lines()
    assert len(alone) > 3 * 7
    assert lines("--jobs", "3") == alone


def test_a_process_that_is_ended_from_outside_is_told_with_what_to_try() -> None:
    def ends(_: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    with pytest.raises(InternalError, match="smaller --jobs"):
        list(side_by_side(ends, [1, 2, 3], 2))


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8"},
    ],
)
def test_the_lines_are_the_same_under_any_seed_locale_and_zone(
    environment: dict[str, str], sample_maildir: Path, tmp_path: Path
) -> None:
    def lines(extra: dict[str, str]) -> list[dict[str, Any]]:
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                "from gaia_email.interfaces.cli import main; main()",
                "email",
                "classify",
                sample_maildir,
            ],
            env={**os.environ, **extra},
            capture_output=True,
            check=True,
        )
        rows = rows_of(ran.stdout.decode("utf-8"))
        for row in rows:
            del row["elapsed_ms"]
        return rows

    assert lines(environment) == lines({"PYTHONHASHSEED": "77", "TZ": "America/St_Johns"})
