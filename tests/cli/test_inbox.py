"""`inbox`, `triage`, `why`, `show` and `demo`: the documents, the tables, the cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gaia_email.app.documents.schemas import document_names, schema
from gaia_email.interfaces.cli import card, output
from tests.cli.printed import Run, fits


@pytest.fixture(scope="module")
def source(sample_maildir: Path) -> tuple[str, str]:
    return ("--maildir", str(sample_maildir))


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch, plain_terminal: None) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)


def threads(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for rows in document["buckets"].values() for row in rows]


def test_the_inbox_document_has_the_published_form(run: Run, source: tuple[str, str]) -> None:
    result = run("inbox", *source, "--json")
    assert result.code == 0
    document = json.loads(result.out)
    fits(document, "inbox")
    assert list(document["buckets"]) == [
        "urgent",
        "actionable",
        "informational",
        "suspicious",
        "low_priority",
    ]
    assert all(document["buckets"].values())
    assert document["unreadable"] == 0


def test_every_thread_is_listed_once_with_a_reason(run: Run, source: tuple[str, str]) -> None:
    rows = threads(json.loads(run("inbox", *source, "--json").out))
    assert len({row["thread_id"] for row in rows}) == len(rows)
    assert all(row["reason"] for row in rows)


def test_triage_adds_a_plan_and_never_more_than_the_level_allows(run: Run, source: tuple[str, str]) -> None:
    document = json.loads(run("triage", *source, "--json").out)
    fits(document, "triage")
    for row in threads(document):
        assert (row["plan"]["mode"] == "apply") <= (row["plan"]["level"] >= 4)
        if row["warnings"]:
            assert row["plan"]["mode"] != "apply"


def test_an_id_from_the_listing_opens_why_and_show(run: Run, source: tuple[str, str]) -> None:
    rows = threads(json.loads(run("inbox", *source, "--json").out))
    for row in rows[:3]:
        for view in ("why", "show"):
            result = run(view, row["id"], *source, "--json")
            assert result.code == 0, result.err
            document = json.loads(result.out)
            fits(document, view)
            assert document["subject"] == row["subject"]


def test_the_start_of_an_id_is_enough_and_an_unknown_one_is_explained(
    run: Run, source: tuple[str, str]
) -> None:
    (first, *_) = threads(json.loads(run("inbox", *source, "--json").out))
    assert run("why", first["id"][:8], *source).code == 0
    missing = run("why", "zzzzzzzz", *source)
    assert missing.code == 1
    assert "zzzzzzzz" in missing.err
    assert "gaia email inbox" in missing.err


def test_a_pipe_gets_tab_separated_values(run: Run, source: tuple[str, str]) -> None:
    lines = run("inbox", *source).out.splitlines()
    header = lines[0].split("\t")
    assert header[:3] == ["bucket", "priority", "id"]
    assert all(len(line.split("\t")) == len(header) for line in lines)
    assert "\x1b" not in "".join(lines)


def test_jsonl_has_a_thread_a_line(run: Run, source: tuple[str, str]) -> None:
    rows = [json.loads(line) for line in run("inbox", *source, "--jsonl").out.splitlines()]
    document = json.loads(run("inbox", *source, "--json").out)
    assert len(rows) == document["threads"]


def test_limit_says_how_many_there_are(run: Run, source: tuple[str, str]) -> None:
    result = run("inbox", *source, "--json", "--limit", "1")
    document = json.loads(result.out)
    assert document["shown"] == 5
    assert document["threads"] > 5
    assert f"showing 5 of {document['threads']}" in result.err


@pytest.mark.usefixtures("on_a_terminal")
@pytest.mark.parametrize(("lines", "shown"), [(24, 3), (200, 10)])
def test_the_card_shows_buckets_counts_and_next_commands(
    lines: int, shown: int, run: Run, source: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", str(lines))
    out = run("inbox", *source).out
    for heading in ("🔥 Urgent", "📬 Needs you", "Worth knowing", "Low priority"):
        assert heading in out
    assert "could not read 0" in out
    assert "gaia email why 1" in out
    total = int(out.partition("Needs you  ")[2].split()[0])
    assert f"{total - shown} more" in out and "--all shows them" in out
    assert out.index("Worth knowing") < out.index("Suspicious") < out.index("Low priority")
    assert "⚠ phishing" in out and "⚠ phishing" not in out[: out.index("Suspicious")]


@pytest.mark.usefixtures("on_a_terminal")
def test_a_thread_takes_at_most_three_lines(run: Run, source: tuple[str, str]) -> None:
    out = run("inbox", *source, "--all").out
    document = json.loads(run("inbox", *source, "--json").out)
    frame = 30
    assert len(out.splitlines()) <= 3 * document["threads"] + frame


@pytest.mark.usefixtures("on_a_terminal")
def test_no_line_of_the_card_is_wider_than_it_may_be(run: Run, source: tuple[str, str]) -> None:
    from rich.cells import cell_len

    lines = run("inbox", "--demo", "--all").out.splitlines()
    assert max(cell_len(line) for line in lines) <= card.MAX_WIDTH


@pytest.mark.usefixtures("on_a_terminal")
@pytest.mark.parametrize("view", ["why", "show"])
def test_the_detail_cards_read_well(view: str, run: Run, source: tuple[str, str]) -> None:
    rows = threads(json.loads(run("inbox", *source, "--json").out))
    warned = {row["warnings"][0]: row["id"] for row in rows if row["warnings"]}
    assert len(warned) >= 3
    for warning, id_ in warned.items():
        assert warning in run(view, id_, *source).out


def test_demo_needs_nothing(run: Run) -> None:
    document = json.loads(run("demo", "--json").out)
    assert document["total"] >= 120
    assert document["account"]


def test_demo_writes_a_maildir_for_other_programs(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    assert run("demo", "--write", str(folder)).code == 0
    assert run("demo", "--write", str(folder)).code == 2
    assert json.loads(run("inbox", "--maildir", str(folder), "--json").out)["total"] >= 120


@pytest.mark.parametrize("name", document_names())
def test_every_published_schema_is_a_valid_one(name: str, run: Run) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert json.loads(run("schema", name).out) == schema(name)


def test_no_source_leads_to_the_demo(run: Run) -> None:
    result = run("inbox")
    assert result.code == 4
    assert "gaia email demo" in result.err


def test_two_sources_are_a_usage_error(run: Run, source: tuple[str, str]) -> None:
    assert run("inbox", *source, "--demo").code == 2


@pytest.mark.parametrize("since", ["yesterday-ish", "7q"])
def test_a_bad_since_says_what_would_be_right(since: str, run: Run, source: tuple[str, str]) -> None:
    result = run("inbox", *source, "--since", since)
    assert result.code == 2
    assert "7d" in result.err


def test_an_unknown_command_offers_the_nearest(run: Run) -> None:
    result = run("inbxo")
    assert result.code == 2
    assert "inbox" in result.err
