"""A language model chosen on the command line: what it changes, what it never changes, and nothing without one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.interfaces.cli import output
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.triage import tiers
from gaia_email_registry.contract.wire import ReadEmailsResult
from gaia_understanding.cascade.agree import CAUTIOUS
from tests.cli.printed import Run, document
from tests.models import model_server
from tests.models.conftest import patient_probe as patient_probe
from tests.models.in_thread import listening
from tests.models.model_server import ModelServer
from tests.models.stand_ins import constant, mails_in

WHO = ("--user", "me@example.org")


def mail(number: int, subject: str, text: str, sender: str = "kim@friends.example") -> str:
    return (
        f"From: Kim Park <{sender}>\nTo: me@example.org\nSubject: {subject}\nMessage-ID: <{number}@friends.example>\n"
        f"Date: Mon, 02 Nov 2026 09:{number:02}:00 +0000\n\n{text}\n"
    )


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Mail that leaves the rules unsure, and some that does not."""
    folder = tmp_path / "Maildir"
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    texts = [
        mail(1, "The trip", "It was good to see everyone there, the lake was cold though."),
        mail(2, "Keys", "They are with the neighbour on the second floor."),
        mail(3, "Numbers", "Attached what we talked about, see the last column."),
        mail(4, "Hm", "Not sure about that one after all."),
        mail(5, "Spare keys", "They are with the neighbours, on the second floor.", "lee@other.example"),
    ]
    for number, text in enumerate(texts):
        (folder / "new" / f"1.{number}.host").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def server() -> Iterator[ModelServer]:
    scripted = ModelServer(pages=model_server.llama_cpp(), chat=constant("urgent"))
    with listening(scripted) as one:
        yield one


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch, plain_terminal: None) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)


def chosen(run: Run, server: ModelServer) -> None:
    ran = run("models", "use", "qwen3-4b", "--at", str(server.address))
    assert ran.code == 0, ran.err
    assert "is asked from now on" in ran.err


def is_unsure(row: dict[str, Any]) -> bool:
    return bool(row["confidence"] < CAUTIOUS.ask_below and not row["warnings"])


def rows(run: Run, box: Path, *args: str) -> dict[str, dict[str, Any]]:
    found = document(run, "inbox", "inbox", "--maildir", str(box), *WHO, "--all", *args)
    found_rows = {
        row["subject"]: {"bucket": bucket, **row} for bucket, each in found["buckets"].items() for row in each
    }
    for row in found_rows.values():
        del row["age_s"]  # a second may pass between two looks
    return found_rows


def test_a_chosen_model_moves_what_the_rules_are_unsure_of_and_the_cost_is_told(
    run: Run, box: Path, server: ModelServer
) -> None:
    before = rows(run, box)
    unsure = [subject for subject, row in before.items() if is_unsure(row)]
    assert len(unsure) >= 2
    chosen(run, server)
    ran = run("inbox", "--maildir", str(box), *WHO, "--explain-cost", "--json")
    assert re.search(r"Asked qwen3-4b at http://127\.0\.0\.1:\d+ about \d+ messages: \d+ calls", ran.err)
    assert "moved" in ran.err
    after = rows(run, box)
    shown = {subject for body in server.chats for _, subject, _ in mails_in(body)}
    assert shown == set(unsure)
    assert any(after[subject]["bucket"] != before[subject]["bucket"] for subject in unsure)
    assert all(after[subject]["confidence"] <= before[subject]["confidence"] for subject in before)


def test_nothing_is_asked_twice(run: Run, box: Path, server: ModelServer) -> None:
    chosen(run, server)
    first = rows(run, box)
    asked = len(server.chats)
    assert asked
    ran = run("inbox", "--maildir", str(box), *WHO, "--explain-cost")
    assert "Nothing new was asked" in ran.err
    assert rows(run, box) == first
    assert len(server.chats) == asked


@pytest.mark.usefixtures("on_a_terminal")
def test_the_card_is_kept_once_the_model_has_nothing_left_to_say(
    run: Run, box: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = 0
    reading = MailCopy.read_emails

    async def counted(copy: MailCopy, ids: Sequence[str]) -> ReadEmailsResult:
        nonlocal readings
        readings += 1
        return await reading(copy, ids)

    def looks(*arguments: str) -> tuple[bool, bool]:
        """Whether mail was read to be judged, and whether the model was asked."""
        before = readings, len(server.chats)
        ran = run("inbox", *arguments)
        assert ran.code == 0, ran.err
        return readings > before[0], len(server.chats) > before[1]

    monkeypatch.setattr(MailCopy, "read_emails", counted)
    assert run("connect", "--maildir", str(box), *WHO).code == 0
    assert looks() == (True, False)
    chosen(run, server)
    assert looks() == (True, True)
    assert looks() == (True, False)
    assert looks() == (False, False)
    assert looks("--all") == (False, False)
    assert "answers are forgotten" in run("retriage", "--made-by", "qwen3-4b").err
    assert looks() == (True, True)
    assert looks() == (True, False)
    assert run("models", "off").code == 0
    assert looks() == (False, False)
    assert looks() == (False, False)


def test_why_shows_both_words_and_whose_stood(run: Run, box: Path, server: ModelServer) -> None:
    chosen(run, server)
    before = rows(run, box)
    moved = next(row for row in before.values() if "moved it for" in row["reason"])
    found = document(run, "why", "why", moved["id"], "--maildir", str(box), *WHO)
    assert found["second"]["stands"] == "model"
    assert found["second"]["by_model"] != found["second"]["by_rules"]
    assert found["second"]["model"] == "qwen3-4b"
    assert found["bucket"] == moved["bucket"]
    assert found["tier"] == "T2"


def test_what_the_owner_said_is_neither_asked_about_nor_overruled(
    run: Run, box: Path, server: ModelServer
) -> None:
    before = rows(run, box)
    unsure = [row for row in before.values() if is_unsure(row)]
    for row in unsure:
        assert run("correct", row["id"], "--bucket", row["bucket"], "--maildir", str(box), *WHO).code == 0
    chosen(run, server)
    after = rows(run, box)
    assert {subject: row["bucket"] for subject, row in after.items()} == {
        subject: row["bucket"] for subject, row in before.items()
    }
    assert server.chats == []


def test_of_two_messages_that_are_alike_only_the_one_the_owner_spoke_of_is_left_alone(
    run: Run, box: Path, server: ModelServer
) -> None:
    same = (box / "new" / "1.3.host").read_bytes()
    (box / "new" / "1.9.host").write_bytes(same)
    before = document(run, "inbox", "inbox", "--maildir", str(box), *WHO, "--all")
    ids = {row["id"]: bucket for bucket, each in before["buckets"].items() for row in each}
    for id_, bucket in ids.items():
        assert run("correct", id_, "--bucket", bucket, "--maildir", str(box), *WHO).code == 0
    chosen(run, server)
    after = document(run, "inbox", "inbox", "--maildir", str(box), *WHO, "--all")
    assert {row["id"]: bucket for bucket, each in after["buckets"].items() for row in each} == ids


def test_a_protected_sender_is_not_shown_to_a_model(run: Run, box: Path, server: ModelServer) -> None:
    assert run("protect", "add", "--sender", "kim@friends.example").code == 0
    chosen(run, server)
    rows(run, box)
    assert not server.holds("neighbour on the second floor")


def test_watch_tells_the_verdict_after_the_model(run: Run, box: Path, server: ModelServer) -> None:
    chosen(run, server)
    ran = run("watch", "--maildir", str(box), *WHO, "--once", "--all", "--jsonl")
    assert ran.code == 0, ran.err
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert {row["subject"]: row["bucket"] for row in told} == {
        subject: row["bucket"] for subject, row in rows(run, box).items()
    }
    assert any(row["tier"] == "T2" for row in told)


def test_a_server_that_is_gone_is_said_once_and_the_rules_stand(
    run: Run, box: Path, server: ModelServer
) -> None:
    before = rows(run, box)
    chosen(run, server)
    server.chat = model_server.refuses
    ran = run("inbox", "--maildir", str(box), *WHO)
    assert ran.code == 0
    assert ran.err.count("rules' verdicts stand") == 1
    assert {name: row["bucket"] for name, row in rows(run, box).items()} == {
        name: row["bucket"] for name, row in before.items()
    }


def test_off_ends_it_and_status_names_what_is_chosen_and_trusted(
    run: Run, box: Path, server: ModelServer
) -> None:
    assert document(run, "status", "status")["models"] is None
    before = rows(run, box)
    chosen(run, server)
    standing = document(run, "status", "status")["models"]
    assert standing["T2"] == "qwen3-4b"
    assert standing["trusted"] == []
    rows(run, box)
    asked = len(server.chats)
    assert "No model will be asked." in run("models", "off").err
    after = rows(run, box)
    assert {name: (row["bucket"], row["reason"]) for name, row in after.items()} == {
        name: (row["bucket"], row["reason"]) for name, row in before.items()
    }
    assert len(server.chats) == asked
    assert document(run, "status", "status")["models"]["T2"] is None


def test_models_lists_servers_models_and_what_is_missing(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", str(server.address))
    found = document(run, "models", "models", "list")
    (model,) = found["models"]
    assert (model["model"], model["where"], model["chosen_for"]) == ("qwen3-4b", "here", [])
    assert {"what": "No model is chosen, so none is asked.", "command": "gaia email models use"} in found[
        "missing"
    ]
    assert run("models", "use").code == 0
    found = document(run, "models", "models", "list")
    assert found["models"][0]["chosen_for"] == ["T2"]
    assert found["missing"] == []


def test_without_a_server_each_of_the_four_is_named_with_its_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    found = document(run, "models", "models", "list")
    assert found["servers"] == []
    assert [one["command"].split()[0] for one in found["missing"][1:]] == [
        "lemonade", "llama-server", "ollama", "lms",
    ]  # fmt: skip


def test_a_model_that_may_run_elsewhere_needs_trust_by_name(
    run: Run, box: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", str(server.address))
    server.pages = model_server.ollama({"big": model_server.CLOUD_TAG})
    refused = run("models", "use", "big")
    assert refused.code == 5
    assert "gaia email models trust big" in refused.err
    asked = run("models", "trust", "big")
    assert asked.code == 5
    assert "may leave this machine" in asked.err
    assert run("models", "trust", "big", "--yes").code == 0
    assert run("models", "use", "big").code == 0
    assert document(run, "status", "status")["models"]["trusted"] == [
        {"place": server.address.place, "model": "big"}
    ]
    assert run("models", "untrust", "big").code == 0
    rows(run, box)
    assert server.chats == []
    assert run("models", "untrust", "big").code == 1


def test_a_name_that_no_server_has_is_answered_with_those_that_there_are(
    run: Run, server: ModelServer
) -> None:
    ran = run("models", "use", "gpt-9", "--at", str(server.address))
    assert ran.code == 1
    assert "there are: qwen3-4b" in ran.err


PROBE = """
import builtins, os, socket, sys
opened = []
real = builtins.open
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
def connect(*_): raise AssertionError("connected")
socket.socket.connect = connect
sys.argv = ["gaia", "email", "inbox", "--maildir", sys.argv[1], "--json"]
from gaia_email.interfaces.cli.app import gaia
gaia.main(sys.argv[1:], prog_name="gaia", standalone_mode=False)
bad = [name for name in sys.modules if name.startswith(("gaia_email.models", "openai")) or name in
       ("gaia_email.triage.uncertain", "gaia_understanding.cascade.answers", "gaia_understanding.cascade.agree")]
assert not bad, bad
assert not [path for path in opened if "models.json" in path or "leases" in path]
"""


def test_without_a_choice_not_one_module_file_or_connection_more(box: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    ran = subprocess.run(
        [sys.executable, "-c", PROBE, str(box)],
        env={"GAIA_HOME": str(home), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert not list(home.rglob("*model*"))
    assert not list(home.rglob("*lease*"))


def test_triage_plans_by_the_same_verdicts(run: Run, box: Path, server: ModelServer) -> None:
    chosen(run, server)
    ran = run("triage", "--maildir", str(box), *WHO, "--explain-cost", "--json", "--all")
    assert ran.code == 0
    assert "Asked qwen3-4b" in ran.err
    found = json.loads(ran.out)
    assert {row["id"]: bucket for bucket, each in found["buckets"].items() for row in each} == {
        row["id"]: row["bucket"] for row in rows(run, box).values()
    }


def test_a_constant_model_that_agrees_moves_nothing(run: Run, box: Path, server: ModelServer) -> None:
    before = rows(run, box)
    server.chat = constant("informational")
    chosen(run, server)
    after = rows(run, box)
    same = [name for name, row in before.items() if row["bucket"] == "informational"]
    assert same
    assert all(after[name]["reason"] == before[name]["reason"] for name in same)


def test_a_triage_that_acts_writes_down_who_judged_and_a_second_one_asks_nobody(
    run: Run, box: Path, server: ModelServer
) -> None:
    from gaia_email.ledger import open_ledger

    plain = document(run, "triage-apply", "triage", "--apply", "--yes", "--maildir", str(box), *WHO)
    assert plain["run_id"]
    chosen(run, server)
    document(run, "triage-apply", "triage", "--apply", "--yes", "--maildir", str(box), *WHO)
    asked = len(server.chats)
    assert asked
    with open_ledger() as ledger, ledger.read() as tx:
        made = tx.exec_driver_sql("select model, prompt_version from message_state").fetchall()
    assert ("qwen3-4b", "1") in {(model, prompt) for model, prompt in made}
    document(run, "triage-apply", "triage", "--apply", "--yes", "--maildir", str(box), *WHO)
    assert len(server.chats) == asked


def test_what_a_model_sorted_is_sorted_again_when_it_is_named(
    run: Run, box: Path, server: ModelServer
) -> None:
    chosen(run, server)
    assert run("triage", "--maildir", str(box), *WHO, "--apply", "--yes").code == 0
    asked = len(server.chats)
    assert asked > 0
    assert run("triage", "--maildir", str(box), *WHO, "--apply", "--yes").code == 0
    assert len(server.chats) == asked
    told = run("retriage", "--maildir", str(box), "--made-by", "qwen3-4b")
    assert told.code == 0 and "will be sorted again" in told.err and "answers are forgotten" in told.err
    assert run("triage", "--maildir", str(box), *WHO, "--apply", "--yes").code == 0
    assert len(server.chats) > asked
    missing = run("retriage", "--maildir", str(box), "--made-by", "another")
    assert missing.code != 0 and "another sorted nothing" in missing.err and "qwen3-4b" in missing.err


@pytest.mark.usefixtures("on_a_terminal")
def test_on_a_terminal_the_cards_name_the_model_and_both_words(
    run: Run, box: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(run, server)
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", str(server.address))
    listed = run("models").out
    assert "→ T2" in listed
    assert "runs here" in listed
    assert "qwen3-4b (T2) at" in run("status").out
    moved = next(row for row in rows(run, box).values() if "moved it for" in row["reason"])
    shown = " ".join(run("why", moved["id"], "--maildir", str(box), *WHO).out.split())
    assert "second word the rules say" in shown
    assert "the model's word stands" in shown


def test_without_the_client_it_is_said_and_the_rules_stand(
    run: Run, box: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(run, server)
    monkeypatch.setattr(tiers, "find_spec", dict[str, object]().get)
    ran = run("inbox", "--maildir", str(box), *WHO)
    assert ran.code == 0
    assert "its client is missing" in ran.err
    assert "gaia-email[models]" in ran.err
    assert server.chats == []
