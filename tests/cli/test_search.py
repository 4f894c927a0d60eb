"""`gaia email search`: what it finds and shows, and what it says when the mailbox does not answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gaia_email.app.sample.mailbox import SAMPLE_OWNER
from gaia_email.app.services import opening
from gaia_email.interfaces.cli import output
from gaia_email_registry.errors import NeedsAuth, ProviderError
from tests.cli.printed import Run, fits
from tests.maildirs import link_mail


@pytest.fixture
def maildir(sample_maildir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_maildir, tmp_path / "Maildir", copy_function=link_mail))


@pytest.fixture
def source(maildir: Path) -> tuple[str, str]:
    return ("--maildir", str(maildir))


def put(maildir: Path, name: str, text: str) -> None:
    (maildir / "cur" / f"{name}:2,").write_text(text, encoding="utf-8")


def test_the_document_has_the_published_form_and_ids_that_show_takes(
    run: Run, source: tuple[str, str]
) -> None:
    result = run("search", "invoice", *source, "--json")
    assert result.code == 0
    document = json.loads(result.out)
    fits(document, "search")
    assert document["up_to_date"] is True
    assert document["hits"]
    hit = document["hits"][0]
    assert [hit["snippet"][start:end].lower() for start, end in hit["marks"]].count("invoice") == len(
        hit["marks"]
    )
    shown = run("show", hit["id"], *source, "--json")
    assert json.loads(shown.out)["subject"] == hit["subject"]


def test_what_has_come_since_is_found(run: Run, source: tuple[str, str], maildir: Path) -> None:
    assert json.loads(run("search", "xylophone", *source, "--json").out)["total"] == 0
    put(maildir, "1.new", "From: Bo <bo@example.org>\nSubject: the Xylophone\n\nas you wished\n")
    document = json.loads(run("search", "xylophone", *source, "--json").out)
    assert [hit["subject"] for hit in document["hits"]] == ["the Xylophone"]


def test_without_the_mailbox_the_copy_answers_and_says_so(
    run: Run, source: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = json.loads(run("search", "invoice", *source, "--json").out)

    def gone(*_: object, **__: object) -> None:
        raise ProviderError("The mail server does not answer.")

    monkeypatch.setattr("gaia_email.app.services.searching.with_mail", gone)
    result = run("search", "invoice", *source, "--json")
    assert result.code == 0
    document = json.loads(result.out)
    assert document["hits"] == before["hits"]
    assert document["up_to_date"] is False
    assert document["problem"] == "The mail server does not answer."
    assert "does not answer. This is from the copy of 2" in result.err


def test_without_mailbox_and_copy_the_error_is_that_of_the_mailbox(
    run: Run, source: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise NeedsAuth("The login has expired.", hint="gaia email connect")

    monkeypatch.setattr("gaia_email.app.services.searching.with_mail", refused)
    result = run("search", "invoice", *source)
    assert (result.code, result.out) == (4, "")
    assert "The login has expired." in result.err
    offline = run("search", "invoice", *source, "--offline")
    assert offline.code == 1
    assert "no copy of this mail yet" in offline.err


def test_offline_asks_no_mailbox(run: Run, source: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    run("search", "invoice", *source)
    monkeypatch.setattr(opening, "open_mail", None)
    document = json.loads(run("search", "invoice", *source, "--offline", "--json").out)
    assert document["hits"]
    assert document["up_to_date"] is False


def test_a_query_that_cannot_be_read_gets_a_sentence_and_a_caret(run: Run, source: tuple[str, str]) -> None:
    result = run("search", "form:ann invoice", *source)
    assert result.code == 2
    assert "did you mean 'from:'" in result.err
    assert "^" in result.err


def test_what_is_cut_is_said(run: Run, source: tuple[str, str]) -> None:
    result = run("search", "in:anywhere", *source, "--limit", "2")
    assert len(result.out.splitlines()) == 3
    assert "showing 2 of " in result.err


def test_nothing_of_a_hostile_hit_steers_the_terminal(
    run: Run, source: tuple[str, str], maildir: Path, monkeypatch: pytest.MonkeyPatch, plain_terminal: None
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    put(
        maildir,
        "1.bad",
        'From: "A\x1b]0;pwned\x07" <a\x1b[2J@example.org>\n'
        "Subject: =?utf-8?q?tuba_=1B[31m_=E2=80=AE?=\n\ntuba \x1b[1A \x9b2J end\n",
    )
    result = run("search", "tuba", *source)
    assert result.code == 0
    assert "tuba" in result.out
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(result.out)
    assert "next  gaia email show 1\n" in result.out


def test_the_demo_leaves_nothing_behind(run: Run, home_of_its_own: Path) -> None:
    assert json.loads(run("search", "invoice", "--demo", "--json").out)["account"] == SAMPLE_OWNER
    assert not (home_of_its_own / ".gaia" / "email").exists()
