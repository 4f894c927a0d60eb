"""`gaia email eval`: scores for people and programs, and a comparison that other people's CI can rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gaia_email_evals.command import own_messages
from tests.cli.printed import Run, fits


def mail(subject: str, text: str) -> str:
    return (
        f"From: Ann Lee <ann@lee.example>\nTo: me@home.example\nSubject: {subject}\n"
        f"Date: Mon, 02 Mar 2026 09:00:00 +0000\nMessage-ID: <{subject}@lee.example>\n\n{text}\n"
    )


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    rows = [
        {"bucket": "actionable", "needs_reply": True, "text": "Can you send me the plan next week?"},
        {"bucket": "informational", "needs_reply": False, "text": "The plan is done. Nothing to do for you."},
    ]
    path = tmp_path / "mine.jsonl"
    lines = [
        json.dumps({**row, "user": "me@home.example", "message": mail(f"plan {number}", str(row["text"]))})
        for number, row in enumerate(rows * 20)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_programs_own_messages_are_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(own_messages().glob("*.toml"))


def test_without_our_messages_it_is_said_where_they_are(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email_evals.command.OWN_MESSAGES", Path("evals/elsewhere"))
    result = run("eval")
    assert result.code == 2 and "pip download" in result.err and "eval FILE.jsonl" in result.err


def test_a_pipe_gets_a_table_of_figures(run: Run, mails: Path) -> None:
    result = run("eval", str(mails))
    assert (result.code, result.err) == (0, "")
    lines = [line.split("\t") for line in result.out.splitlines()]
    assert lines[0] == ["part", "figure", "value", "low", "high", "of"]
    assert ["all", "buckets right"] in [line[:2] for line in lines]


def test_json_is_of_the_published_form_and_holds_no_text(run: Run, mails: Path) -> None:
    result = run("eval", str(mails), "--json")
    document = json.loads(result.out)
    fits(document, "eval")
    assert document["parts"][0]["messages"] == 40
    assert "plan" not in result.out


def test_markdown_is_a_page(run: Run, mails: Path) -> None:
    assert run("eval", str(mails), "--markdown").out.startswith("# Scorecard\n")


def test_a_terminal_gets_a_card(
    run: Run, mails: Path, monkeypatch: pytest.MonkeyPatch, plain_terminal: None
) -> None:
    monkeypatch.setattr("gaia_email.interfaces.cli.output.is_terminal", lambda: True)
    out = run("eval", str(mails)).out
    assert out.startswith("labelled mail  40 messages · part all")
    assert "confidence stated → right" in out
    assert "always informational" in out


def test_a_scorecard_can_be_kept_and_compared_with(run: Run, mails: Path, tmp_path: Path) -> None:
    kept = tmp_path / "before.json"
    assert run("eval", str(mails), "--out", str(kept)).code == 0
    result = run("eval", str(mails), "--compare", str(kept), "--json")
    comparison = json.loads(result.out)["parts"][0]["comparison"]
    assert result.code == 0
    assert (comparison["outcome"], comparison["paired"]["messages"]) == ("no difference", 40)


def test_a_worse_run_ends_with_an_error_code(run: Run, mails: Path, tmp_path: Path) -> None:
    kept = tmp_path / "before.json"
    run("eval", str(mails), "--out", str(kept))
    card = json.loads(kept.read_text())
    right = {"actionable": "informational", "informational": "actionable"}
    text = mails.read_text()
    for name, other in right.items():
        text = text.replace(f'"bucket": "{name}"', f'"bucket": "was {other}"')
    mails.write_text(text.replace('"bucket": "was ', '"bucket": "'))
    for row in card["parts"][0]["rows"]:
        row["bucket"] = right.get(row["bucket"], row["bucket"])
    kept.write_text(json.dumps(card))
    result = run("eval", str(mails), "--compare", str(kept))
    assert result.code == 1
    assert "Worse than before." in result.err


def test_a_hostile_name_does_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    row = {
        "message": mail("x", "y"),
        "bucket": "urgent",
        "source": "\x1b[2J\u009b\u202e",
        "language": "\x1b]0;x\x07",
    }
    path.write_text(json.dumps(row))
    for form in ("--json", "--markdown"):
        out = run("eval", str(path), form).out
        assert not set(out) & {"\x1b", "\u009b", "\u202e", "\x07"}


def test_out_takes_its_form_from_its_name(run: Run, mails: Path, tmp_path: Path) -> None:
    page = tmp_path / "card.md"
    result = run("eval", str(mails), "--out", str(page))
    assert page.read_text(encoding="utf-8").startswith("# Scorecard\n")
    assert "wrote" in result.err
    refused = run("eval", str(mails), "--out", str(tmp_path / "card.txt"))
    assert refused.code == 2
    assert "--markdown" in refused.err
    nowhere = run("eval", str(mails), "--out", str(tmp_path / "none" / "card.md"))
    assert nowhere.code == 1
    assert "does not exist" in nowhere.err


def test_an_older_scorecard_of_another_part_is_refused(run: Run, mails: Path, tmp_path: Path) -> None:
    kept = tmp_path / "before.json"
    run("eval", str(mails), "--out", str(kept))
    result = run("eval", str(mails), "--part", "train", "--compare", str(kept))
    assert result.code == 2
    assert "no part train, only all" in result.err


def test_json_and_markdown_exclude_each_other(run: Run, mails: Path) -> None:
    assert run("eval", str(mails), "--json", "--markdown").code == 2


def test_the_scorecard_is_the_same_under_any_seed_and_locale(mails: Path) -> None:
    def scored(extra: dict[str, str]) -> dict[str, Any]:
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                "from gaia_email.interfaces.cli import main; main()",
                "email",
                "eval",
                mails,
                "--json",
            ],
            env={**os.environ, **extra},
            capture_output=True,
            check=True,
        )
        section: dict[str, Any] = json.loads(ran.stdout.decode("utf-8"))["parts"][0]
        del section["latency"]
        return section

    assert scored({"PYTHONHASHSEED": "1", "LC_ALL": "C"}) == scored(
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"}
    )
