"""Mail files that were connected once: used without being named, listed, and forgotten without being touched."""

from __future__ import annotations

import json
import mailbox
import os
import shutil
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.aliases import keep_aliases, unknown_aliases
from gaia_email.app.services.opening import owner_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli import output
from gaia_email.ledger.database import ledger_file
from gaia_email_registry.accounts import read_accounts
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps
from tests.cli.printed import Run


def maildir(folder: Path, *subjects: str) -> Path:
    box = mailbox.Maildir(folder, create=True)
    for number, subject in enumerate(subjects):
        box.add(
            f"From: Ann Lee <ann@example.com>\nTo: me@example.org\nSubject: {subject}\n"
            f"Date: Mon, 2 Mar 2026 10:0{number}:00 +0000\nMessage-ID: <{number}{subject}@example.com>\n\n"
            "Could you send me the plan?\n"
        )
    return folder


def subjects(told: str) -> set[str]:
    return {row["subject"] for rows in json.loads(told)["buckets"].values() for row in rows}


def test_a_connected_maildir_is_used_without_being_named(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    told = run("connect", "--maildir", str(folder), "--user", "me@example.org")
    assert told.code == 0 and "next: gaia email inbox" in told.err
    assert subjects(run("inbox", "--json").out) == {"Roof", "Fence"}
    found = json.loads(run("search", "roof", "--json").out)
    assert [row["subject"] for row in found["hits"]] == ["Roof"]
    key = json.loads(run("accounts", "--json").out)["accounts"][0]["id"]
    assert key == f"maildir:{folder.resolve()}"
    assert subjects(run("inbox", "--account", key, "--json").out) == {"Roof", "Fence"}


def test_the_owners_other_addresses_are_found_from_what_was_sent_and_asked_about_once(
    run: Run, tmp_path: Path
) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    sent = mailbox.Maildir(folder).add_folder("Sent")
    for number, (sender, to) in enumerate(
        [("ida@work.example", "ann@example.com")] * 3
        + [("me@example.org", "ann@example.com"), ("once@elsewhere.example", "ann@example.com")]
    ):
        sent.add(
            f"From: {sender}\nTo: {to}\nSubject: S{number}\nDate: Mon, 2 Mar 2026 11:0{number}:00 +0000\n"
            f"Message-ID: <s{number}@example.org>\n\nHere it is.\n"
        )
    run("connect", "--maildir", str(folder))
    (account,) = read_accounts(os.environ)
    source = SourceSpec(kind="maildir", path=str(folder), user=())
    assert unknown_aliases(App(), account, source) == ["ida@work.example", "me@example.org"], (
        "one sent mail is no proof"
    )
    keep_aliases(App(), account, ["ida@work.example", "Me@example.org"])
    assert set(owner_of(App(), source)) == {"ida@work.example", "me@example.org"}
    assert unknown_aliases(App(), account, source) == [], "nobody is asked twice"
    run("connect", "--maildir", str(folder))
    (row,) = json.loads(run("accounts", "--json").out)["accounts"]
    assert row["aliases"] == ["ida@work.example", "me@example.org"], "connecting again keeps them"
    (row,) = json.loads(run("accounts", "--alias", "b@example.org", "--json").out)["accounts"]
    assert row["aliases"] == ["b@example.org"]
    (row,) = json.loads(run("accounts", "--no-alias", "--json").out)["accounts"]
    assert row["aliases"] == [] and unknown_aliases(App(), account, source) == []


def test_nobody_is_asked_about_an_address_that_was_said(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    sent = mailbox.Maildir(folder).add_folder("Sent")
    sent.add("From: me@example.org\nTo: ann@example.com\nSubject: S\nMessage-ID: <s@example.org>\n\nHere.\n")
    run("connect", "--maildir", str(folder), "--user", "me@example.org")
    (account,) = read_accounts(os.environ)
    assert unknown_aliases(App(), account, SourceSpec(kind="maildir", path=str(folder), user=())) == []


def test_mail_that_was_connected_is_judged_once_and_other_mail_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[Context] = []
    real = BuiltinTier.judging

    def judging(self: BuiltinTier, prepared: Prepared, context: Context) -> Steps[Verdict]:
        judged.append(context)
        return real(self, prepared, context)

    monkeypatch.setattr(BuiltinTier, "judging", judging)
    folder, ledger = maildir(tmp_path / "Mail", "Roof", "Fence"), ledger_file(os.environ)
    for _ in range(2):
        assert subjects(run("inbox", "--maildir", str(folder), "--json").out) == {"Roof", "Fence"}
    assert len(judged) == 4 and not ledger.exists()
    run("connect", "--maildir", str(folder))
    judged.clear()
    cards = [
        json.loads(run(*words, "--json").out) for words in (("inbox",), ("inbox", "--maildir", str(folder)))
    ]
    for card in cards:
        for row in (row for rows in card["buckets"].values() for row in rows):
            del row["age_s"]  # a second may pass between the two
    assert cards[0]["buckets"] == cards[1]["buckets"]
    assert len(judged) == 2
    maildir(folder, "Gate")
    assert subjects(run("inbox", "--json").out) == {"Roof", "Fence", "Gate"}


def test_what_is_not_there_is_not_connected(run: Run, tmp_path: Path) -> None:
    told = run("connect", "--maildir", str(tmp_path / "nowhere"))
    assert told.code != 0 and "does not exist" in told.err
    assert json.loads(run("accounts", "--json").out)["accounts"] == []


def test_one_mailbox_is_connected_at_a_time(run: Run, tmp_path: Path) -> None:
    for more in (("--mbox", "x.mbox"), ("--email", "me@example.org")):
        told = run("connect", "--maildir", str(tmp_path), *more)
        assert told.code == 2 and "one mailbox at a time" in told.err
    assert "--user goes with" in run("connect", "--user", "me@example.org").err


def test_disconnecting_leaves_the_files(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    run("connect", "--maildir", str(folder))
    before = sorted(path.name for path in folder.rglob("*"))
    told = run("disconnect", f"maildir:{folder.resolve()}")
    assert told.code == 0 and "the files are untouched" in told.err
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert "no mailbox was named" in run("inbox").err


def test_several_mailboxes_are_one_inbox_and_each_row_says_whose(run: Run, tmp_path: Path) -> None:
    home, work = maildir(tmp_path / "Home", "Roof"), maildir(tmp_path / "Work", "Fence")
    for folder in (home, work):
        run("connect", "--maildir", str(folder), "--user", "me@example.org")
    told = json.loads(run("inbox", "--json").out)
    rows = {row["subject"]: row for rows in told["buckets"].values() for row in rows}
    assert rows["Roof"]["account"] == f"maildir:{home.resolve()}"
    assert rows["Fence"]["account"] == f"maildir:{work.resolve()}"
    assert (told["total"], told["threads"]) == (2, 2)
    assert subjects(run("inbox", "--maildir", str(home), "--json").out) == {"Roof"}


def test_mailboxes_that_are_sorted_again_keep_their_own_rows(run: Run, tmp_path: Path) -> None:
    for name, subject in (("Home", "Roof"), ("Work", "Fence")):
        run("connect", "--maildir", str(maildir(tmp_path / name, subject)), "--user", "me@example.org")
    assert subjects(run("inbox", "--explain-cost", "--json").out) == {"Roof", "Fence"}


def test_a_message_that_came_to_two_mailboxes_is_one_row(run: Run, tmp_path: Path) -> None:
    folders = [maildir(tmp_path / name, "Roof") for name in ("Home", "Work")]
    for folder in folders:
        run("connect", "--maildir", str(folder), "--user", "me@example.org")
    told = json.loads(run("inbox", "--json").out)
    (row,) = (row for rows in told["buckets"].values() for row in rows)
    assert {row["account"], *row["also_in"]} == {f"maildir:{folder.resolve()}" for folder in folders}
    assert (told["total"], told["threads"]) == (2, 1)


def test_a_mailbox_that_is_gone_costs_only_itself(run: Run, tmp_path: Path) -> None:
    home, work = maildir(tmp_path / "Home", "Roof"), maildir(tmp_path / "Work", "Fence")
    for folder in (home, work):
        run("connect", "--maildir", str(folder))
    shutil.rmtree(home)
    told = run("inbox", "--json")
    assert told.code == 0 and subjects(told.out) == {"Fence"}
    assert "could not be read" in told.err
    shutil.rmtree(work)
    assert run("inbox", "--json").code != 0


def test_rows_of_a_card_over_several_mailboxes_find_their_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    for name, subject in (("Home", "Roof"), ("Work", "Fence")):
        run("connect", "--maildir", str(maildir(tmp_path / name, subject)), "--user", "me@example.org")
    card = run("inbox").out
    assert str((tmp_path / "Home").resolve())[:20] in card
    shown = {run("show", number).out.splitlines()[0] for number in ("1", "2")}
    assert shown == {"Roof", "Fence"}


def test_a_correction_moves_its_message_a_second_one_the_sender_until_one_is_taken_back(
    run: Run, tmp_path: Path
) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof", "Fence", "Gate")))

    def rows() -> dict[str, tuple[str, str]]:
        found = json.loads(run("inbox", "--json").out)["buckets"]
        return {row["subject"]: (bucket, row["id"]) for bucket, some in found.items() for row in some}

    def buckets() -> dict[str, str]:
        return {subject: bucket for subject, (bucket, _) in rows().items()}

    before = buckets()
    assert before == dict.fromkeys(("Roof", "Fence", "Gate"), "actionable")
    roof, fence = rows()["Roof"][1], rows()["Fence"][1]
    assert run("correct", roof, "--bucket", "low_priority").code == 0
    assert buckets() == {**before, "Roof": "low_priority"}
    why = json.loads(run("why", roof, "--json").out)
    assert why["priority"]["reason"].startswith(
        "You moved this to Low priority; the rules would have it in Needs you."
    )
    assert run("correct", fence, "--bucket", "low_priority").code == 0
    assert buckets() == dict.fromkeys(before, "low_priority")
    assert run("correct", fence, "--retract").code == 0
    assert buckets() == {**before, "Roof": "low_priority"}
    assert run("correct", roof, "--retract").code == 0
    assert buckets() == before
