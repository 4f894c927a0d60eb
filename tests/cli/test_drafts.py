"""A draft is kept as it was shown: to whom, about what, from whom; numbers mean the list that was printed last."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from gaia_email.interfaces.cli import output
from tests.cli.printed import Run, fits

ASK = "Could you send me an offer for 20 chairs by Friday?"
ME = "me@firm.example"


class Box:
    """A Maildir whose name is no address."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "Mail"
        for name in ("", ".Sent", ".Drafts", ".Trash", ".Spam"):
            for part in ("cur", "new", "tmp"):
                (self.path / name / part).mkdir(parents=True, exist_ok=True)
        self._count = 0

    def put(self, head: str, text: str = ASK, *, folder: str = "", flags: str = "") -> None:
        self._count += 1
        raw = (
            f"{head}\nDate: Mon, 02 Mar 2026 09:{self._count:02}:00 +0000\n"
            f"Message-ID: <{self._count}@firm.example>\nMIME-Version: 1.0\n\n{text}\n"
        )
        (self.path / folder / "cur" / f"17{self._count:08}.m{self._count}.host:2,{flags}").write_text(raw)

    def drafts(self) -> list[EmailMessage]:
        found = sorted((self.path / ".Drafts").glob("*/*"))
        return [message_from_bytes(one.read_bytes(), policy=policy.default) for one in found]


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def ids(run: Run, box: Box, *more: str) -> list[str]:
    document = json.loads(run("inbox", "--maildir", str(box.path), "--json", "--all", *more).out)
    return [row["id"] for some in document["buckets"].values() for row in some]


def kept(run: Run, box: Box, *more: str) -> tuple[dict[str, Any], EmailMessage]:
    (id_,) = ids(run, box, *more)
    ran = run("draft", id_, "--maildir", str(box.path), "--save", "--json", *more)
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    fits(document, "draft")
    (stored,) = box.drafts()
    return document, stored


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("From: Ann <ann@client.example>", "ann@client.example"),
        ("From: no-reply@shop.example\nReply-To: Jana <jana@client.example>", "jana@client.example"),
        (
            "From: Ann <ann@client.example>\nReply-To: list@lists.example\nList-Id: <l.lists.example>",
            "list@lists.example",
        ),
        (
            "From: Ann <ann@client.example>\nReply-To: list@lists.example\nMail-Reply-To: ann@home.example",
            "ann@home.example",
        ),
        ("From: Ann <ann@client.example>\nReply-To: ", "ann@client.example"),
        (f"From: Form <{ME}>\nReply-To: jana@client.example", "jana@client.example"),
    ],
)
def test_a_draft_goes_to_whom_it_says(run: Run, box: Box, fields: str, expected: str) -> None:
    box.put(f"{fields}\nTo: {ME}\nSubject: Chairs")
    document, stored = kept(run, box, "--user", ME)
    assert document["to"] == expected == ", ".join(one.addr_spec for one in stored["to"].addresses)
    assert document["subject"] == "Re: Chairs" == stored["subject"]
    assert stored["cc"] is None and document["cc"] == ""
    assert stored["in-reply-to"] == "<1@firm.example>"
    assert "> Could you send me an offer" in stored.get_body().get_content()  # type: ignore[union-attr]


@pytest.mark.parametrize("more", [("--user", ME), ()])
def test_a_draft_in_mail_files_is_from_the_owner(run: Run, box: Box, more: tuple[str, ...]) -> None:
    box.put(f"From: Ann <ann@client.example>\nTo: {ME}\nSubject: Chairs")
    _, stored = kept(run, box, *more)
    assert stored["from"].addresses[0].addr_spec == ME


def test_a_draft_says_whom_it_goes_to_and_about_what(
    run: Run, box: Box, plain_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.put(f"From: Ann <ann@client.example>\nReply-To: team@client.example\nTo: {ME}\nSubject: Chairs")
    (id_,) = ids(run, box, "--user", ME)
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    shown = run("draft", id_, "--maildir", str(box.path), "--user", ME).out
    assert shown.startswith("To: team@client.example\nSubject: Re: Chairs\n\n")


@pytest.mark.parametrize(
    "name", ["no-reply", "noreply", "do_not_reply", "donotreply-42", "shop+noreply", "NO.REPLY"]
)
def test_a_draft_that_nobody_would_read_says_so_and_names_another_way(run: Run, box: Box, name: str) -> None:
    box.put(
        f"From: Shop <{name}@shop.example>\nTo: {ME}\nSubject: Order",
        f"{ASK} Questions? Write to help@shop.example, not to crook@evil.example.",
    )
    (id_,) = ids(run, box, "--user", ME)
    ran = run("draft", id_, "--maildir", str(box.path), "--user", ME, "--json")
    assert "help@shop.example" in json.loads(ran.out)["no_reply"]
    assert "crook@evil.example" not in json.loads(ran.out)["no_reply"]


def test_an_address_that_people_read_is_no_reason_for_a_warning(run: Run, box: Box) -> None:
    box.put(f"From: Norbert Reply <norbert.reply@client.example>\nTo: {ME}\nSubject: Chairs")
    (id_,) = ids(run, box, "--user", ME)
    ran = run("draft", id_, "--maildir", str(box.path), "--user", ME, "--json")
    assert json.loads(ran.out)["no_reply"] == ""


def test_after_a_search_a_number_means_its_row(
    run: Run, box: Box, monkeypatch: pytest.MonkeyPatch, plain_terminal: None
) -> None:
    box.put(f"From: Ann <ann@client.example>\nTo: {ME}\nSubject: Chairs")
    box.put(f"From: Bo <bo@other.example>\nTo: {ME}\nSubject: Tables", "Can you send me tables by Friday?")
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    source = ("--maildir", str(box.path), "--user", ME)
    run("inbox", *source, "--all")
    for words, address in (("tables", "bo@other.example"), ("chairs", "ann@client.example")):
        shown = run("search", *source, words).out
        assert "  1 " in shown
        assert run("draft", "1").out.startswith(f"To: {address}\n")
    run("search", *source, "nothing-of-the-kind")
    assert run("draft", "1").code != 0


def test_follow_ups_and_what_was_put_off_number_their_rows_or_take_the_numbers_away(
    run: Run, box: Box, monkeypatch: pytest.MonkeyPatch, plain_terminal: None
) -> None:
    box.put(f"From: Ann <ann@client.example>\nTo: {ME}\nSubject: Chairs")
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    source = ("--maildir", str(box.path), "--user", ME)
    run("inbox", *source, "--all")
    assert run("draft", "1").code == 0
    run("later", *source)
    assert run("draft", "1").code != 0
    assert "  1 " in run("followups", *source).out
    assert run("draft", "1").out.startswith("To: ann@client.example\n")


@pytest.mark.parametrize(("folder", "flags"), [(".Drafts", "D"), (".Trash", ""), (".Spam", "")])
def test_a_draft_or_a_deleted_answer_answers_nothing(run: Run, box: Box, folder: str, flags: str) -> None:
    box.put(
        f"From: Bo Meier <bo@firm.example>\nTo: {ME}\nSubject: Server",
        "The server is down. Please fix it today, before 17:00!",
    )

    def bucket() -> str:
        document = json.loads(run("inbox", "--maildir", str(box.path), "--user", ME, "--json", "--all").out)
        return next(name for name, some in document["buckets"].items() for _ in some)

    before = bucket()
    assert before in ("urgent", "actionable")
    thread = "In-Reply-To: <1@firm.example>\nReferences: <1@firm.example>"
    answer = f"From: {ME}\nTo: bo@firm.example\nSubject: Re: Server\n{thread}"
    box.put(answer, "I am on it.", folder=folder, flags=flags)
    assert bucket() == before
    box.put(answer, "I am on it.", folder=".Sent", flags="S")
    assert bucket() == "informational"
