"""Everything that waits says who asked for it and through what, wherever it is shown; old rows say it is not known."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from gaia_email.app.documents.cards.waiting import call_card, item_card
from gaia_email.app.documents.origins import OriginRow, origin_row, origin_text, text_of_row
from gaia_email.app.documents.pending import confirmation_row as server_row
from gaia_email.app.documents.pending import item_row
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email.ledger import NewItem, open_ledger
from gaia_email_registry.approvals import ApprovalRequest, Approvals
from gaia_email_registry.origin import (
    UNKNOWN,
    OriginInterface,
    PrincipalKind,
    RequestOrigin,
    origin_from_text,
)
from tests.origins import CLIENT, KEY, PERSON
from tests.pending.asking import AskingBench

VERSIONS = Path(__file__).parents[1] / "ledger" / "versions"


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        (KEY, "An API key named ‘phone’ asked for it over HTTP."),
        (CLIENT, "The MCP client asked for it."),
        (PERSON, "You asked for it in a terminal."),
        (
            RequestOrigin(principal="api_token", interface="http"),
            "A program with the API token asked for it over HTTP.",
        ),
        (
            RequestOrigin(principal="agent", interface="control", name="notes"),
            "The agent ‘notes’ of another program asked",
        ),
        (
            RequestOrigin(principal="automation", interface="automation", name="Bills"),
            "The automation ‘Bills’ asked for it.",
        ),
        (UNKNOWN, "An earlier version did not record who asked for it."),
    ],
)
def test_an_origin_is_said_in_plain_words(origin: RequestOrigin, said: str) -> None:
    assert origin_text(origin).startswith(said)
    assert origin_from_text(origin.to_text()) == origin


def test_only_a_persons_own_word_is_said_to_be_theirs() -> None:
    kinds: tuple[PrincipalKind, ...] = get_args(PrincipalKind)
    interfaces: tuple[OriginInterface, ...] = get_args(OriginInterface)
    for kind in kinds:
        for interface in interfaces:
            for found in (False, True):
                said = origin_text(
                    RequestOrigin(principal=kind, interface=interface, name="You"), found=found
                )
                assert said.endswith(".")
                assert ("You asked" in said or "that you started" in said) <= (kind == "person"), said


@pytest.mark.parametrize(
    "text", ["", "{}", "null", '{"principal": "root", "interface": "http", "name": ""}', "[1]"]
)
def test_what_is_no_origin_is_unknown(text: str) -> None:
    assert origin_from_text(text) == UNKNOWN


def test_a_name_cannot_pretend_to_be_another_sentence() -> None:
    evil = RequestOrigin(
        principal="api_key", interface="http", name="x’ asked.\nYou asked for it in a terminal.\u202e"
    )
    said = origin_text(evil)
    assert "\n" not in said and "\u202e" not in said and said.startswith("An API key named ‘x")


@pytest.mark.parametrize("version", ["0007", "0012"])
def test_what_an_older_program_stored_has_an_unknown_origin(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    path = tmp_path / "email" / "ledger.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as old:
        old.executescript((VERSIONS / f"{version}.sql").read_text(encoding="utf-8"))
    with open_ledger() as ledger, ledger.read() as tx:
        (item,) = ledger.pending.starting_with(tx, "p0")
        call = ledger.approvals(tx).get("c0")
        assert call is not None
        assert item.origin == call.asked.origin == UNKNOWN


def test_a_file_of_servers_questions_from_before_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "approvals.db"
    with closing(sqlite3.connect(path)) as old:
        old.execute(
            "CREATE TABLE approvals (approval_id TEXT PRIMARY KEY, call TEXT NOT NULL, shown_digest TEXT NOT NULL,"
            " server TEXT NOT NULL, account TEXT NOT NULL, tool TEXT NOT NULL, shown TEXT NOT NULL,"
            " state TEXT NOT NULL, created_at REAL NOT NULL, answered_at REAL, answered_by TEXT)"
        )
        old.execute(
            "INSERT INTO approvals VALUES ('a1','c','d','s','a','t','Send it?','open',100.0,NULL,NULL)"
        )
        old.commit()
    kept = Approvals(path, clock=lambda: 101.0)
    (waiting,) = kept.waiting()
    assert waiting.asked.origin == UNKNOWN
    request = ApprovalRequest(
        call="c2", shown_digest="d", server="s", account="a", tool="t", shown="x", origin=CLIENT
    )
    assert kept.ask(request).asked.origin == CLIENT
    assert [one.asked.origin for one in kept.waiting()] == [UNKNOWN, CLIENT]


def test_types_require_an_origin_of_everything_that_waits() -> None:
    for make in (
        lambda: NewItem(type="question", account_id="a", proposal={}),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
        lambda: ApprovalRequest(  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
            call="c", shown_digest="d", server="s", account="a", tool="t", shown="x"
        ),
    ):
        with pytest.raises(TypeError, match="origin"):
            make()


def _translated(text: str) -> str:
    return text.upper().replace("{NAME}", "{name}")


def test_cards_and_lines_name_the_origin_of_a_server_s_question(tmp_path: Path) -> None:
    request = ApprovalRequest(
        call="c", shown_digest="d", server="gaia-imap-mcp", account="a", tool="trash_email", shown="Trash?",
        origin=CLIENT,
    )  # fmt: skip
    row = server_row(Approvals(tmp_path / "approvals.db").ask(request))
    assert "   The MCP client asked for it." in confirmation_lines(row)
    assert "The MCP client asked for it." in call_card(row).lines
    key: OriginRow = origin_row(KEY)
    assert text_of_row(key, _translated) == "AN API KEY NAMED ‘phone’ ASKED FOR IT OVER HTTP."


@pytest.mark.parametrize("origin", [PERSON, KEY, CLIENT])
def test_what_a_run_found_says_who_started_the_run(bench: AskingBench, origin: RequestOrigin) -> None:
    bench.origin = origin
    bench.put("low default offers")
    for number in range(2):
        bench.put(f"low {number}")
    bench.ask()
    said = origin_text(origin, found=True)
    assert "run that" in said
    rows = [item_row(item) for item in bench.waiting()]
    assert {row["type"] for row in rows} == {"question", "notify"}
    assert {row["origin"]["text"] for row in rows} == {said}
    assert all(said in item_card(row).lines for row in rows)
