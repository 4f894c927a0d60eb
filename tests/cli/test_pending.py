"""`pending`, `approve`, `reject`, `review`, `correct`, `status`, `why`: the documents, and what the answers do."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gaia_email.actions.account_session import gate_of
from gaia_email.app import App
from gaia_email.app.services.scripts import let_scripts_answer
from gaia_email.interfaces.cli import output
from gaia_email.ledger import open_ledger
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.policy.gate import Consent, PromptAnswer
from gaia_email.policy.question import CallFacts, CallQuestion
from gaia_email.runs.here import run_here
from gaia_email.runs.job import Job
from gaia_email_registry.approvals import ApprovalRequest, Approvals
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.paths import approvals_file
from gaia_understanding.cascade.model.owner import seen_from_json
from tests.cli.printed import Run, document
from tests.origins import PERSON

ME = "me@example.org"


def mail(number: int, sender: str, subject: str, extra: str = "") -> bytes:
    return (
        f"From: {sender}\r\nTo: {ME}\r\nSubject: {subject}\r\nDate: Mon, 30 Mar 2026 09:{number:02}:00 +0000\r\n"
        f"Message-ID: <{number}@x.example>\r\n{extra}\r\nPlease look at this.\r\n"
    ).encode()


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    """Three messages of people who are known, two of strangers, and one newsletter."""
    folder = tmp_path / "Maildir"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    people = [f"Person {number} <p{number}@stranger{number}.example>" for number in range(3)]
    mails = [mail(number, person, f"Could you sign paper {number}?") for number, person in enumerate(people)]
    hostile = "=?utf-8?q?=1B]0;owned=07=1B[2JWin?= <p9@stranger9.example>"
    mails.append(mail(9, hostile, "=?utf-8?q?=1B[31mred=E2=80=AEdlo?="))
    listed = "List-Unsubscribe: <https://news.example/off>\r\nList-Id: <n.news.example>\r\n"
    mails.append(mail(20, "News <news@news.example>", "Our weekly offers, 20 % off", listed))
    for number, raw in enumerate(mails):
        (folder / "cur" / f"{number}.m:2,").write_bytes(raw)
    return folder


@pytest.fixture
def asked(run: Run, maildir: Path) -> Path:
    assert run("policy", "set", "--cohort", "first_contact", "--level", "2", "--yes").code == 0
    place = MailboxRef(kind="maildir", path=str(maildir))
    run_here(Job(kind="triage", run_id="r1", place=place, owner=(ME,), origin=PERSON), environ=os.environ)
    return maildir


def waiting(run: Run, *args: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = document(run, "pending", "pending", *args)["items"]
    return items


def test_nothing_waits_for_a_new_user_and_looking_makes_no_database(run: Run) -> None:
    assert waiting(run) == []
    assert document(run, "status", "status")["ledger"] is None
    assert not has_ledger(os.environ)


def test_a_stranger_is_no_question_by_being_one(run: Run, maildir: Path) -> None:
    """Most people of a mailbox are new in it: about the bucket the agent asks where it is unsure, and only there."""
    place = MailboxRef(kind="maildir", path=str(maildir))
    run_here(Job(kind="triage", run_id="r1", place=place, owner=(ME,), origin=PERSON), environ=os.environ)
    asked = [item["proposal"]["asked"] for item in waiting(run, "--type", "question")]
    assert all("not sure" in sentence for sentence in asked)
    assert len(asked) < 4


@pytest.mark.usefixtures("asked")
def test_what_waits_is_listed_with_proposal_confidence_why_and_message(run: Run) -> None:
    items = waiting(run)
    questions = [item for item in items if item["type"] == "question"]
    assert len(questions) == 4
    for item in questions:
        assert item["state"] == "open"
        assert item["message"]["from"]["address"].startswith("p")
        assert item["why"]
        assert 0 < item["confidence"] <= 1
        assert item["proposal"]["text"]
    cohort = questions[0]["cohort"]
    assert {item["cohort"] for item in waiting(run, "--cohort", cohort)} == {cohort}
    assert {item["type"] for item in waiting(run, "--type", "question")} == {"question"}
    assert "\x1b" not in run("pending").out


@pytest.mark.usefixtures("asked")
def test_an_answer_counts_once_and_the_second_is_told(run: Run) -> None:
    first, second, *_ = waiting(run, "--type", "question")
    answer = document(run, "approve", "approve", first["id"][:12])
    assert (answer["answered"], answer["items"][0]["state"]) == (1, "answered")
    document(run, "reject", "reject", second["id"], "--reason", "no")
    late = document(run, "approve", "approve", second["id"], code=5)
    assert late["items"][0]["result"] == "taken"
    mixed = document(
        run, "approve", "approve", waiting(run, "--type", "question")[0]["id"], first["id"], code=3
    )
    assert mixed["answered"] == 1
    assert run("approve", "nothing-like-it").code == 1


def test_approving_changes_the_mail_where_it_lies(run: Run, asked: Path) -> None:
    assert run("policy", "set", "--cohort", "first_contact", "--level", "2", "--yes").code == 0
    run_here(
        Job(
            kind="triage",
            run_id="r2",
            place=MailboxRef(kind="maildir", path=str(asked)),
            owner=(ME,),
            origin=PERSON,
        ),
        environ=os.environ,
    )
    item = next(one for one in waiting(run) if one["proposal"]["doing"] == "label")
    done = document(run, "approve", "approve", item["id"])
    assert done["items"][0]["result"] == "approved"
    assert len(done["items"][0]["actions"]) == len(item["proposal"]["messages"])
    shown = json.loads(run("show", item["message"]["id"], "--maildir", str(asked), "--json").out)
    assert len(shown["labels"]) >= 3


@pytest.mark.usefixtures("asked")
def test_all_of_a_cohort_are_approved_at_once(run: Run) -> None:
    first = waiting(run, "--type", "question")[0]
    alike = waiting(run, "--type", "question", "--cohort", first["cohort"])
    answer = document(run, "approve", "approve", first["id"], "--all-of-cohort")
    assert answer["answered"] == len(alike) > 1
    assert not waiting(run, "--type", "question", "--cohort", first["cohort"])


def test_a_correction_is_recorded_with_what_learning_needs_and_can_be_taken_back(
    run: Run, asked: Path
) -> None:
    asked_about = waiting(run, "--type", "question")[0]["message"]
    item = asked_about["id"]
    said = document(run, "correct", "correct", item, "--bucket", "low_priority", "--maildir", str(asked))
    assert (said["bucket"], said["retracted"]) == ("low_priority", False)
    again = document(run, "correct", "correct", item, "--bucket", "urgent", "--maildir", str(asked))
    with open_ledger() as ledger, ledger.read() as tx:
        (kept,) = ledger.corrections.since(tx)
    assert (kept.id, kept.corrected.bucket, kept.sender) == (
        again["number"],
        "urgent",
        asked_about["from"]["address"],
    )
    seen = seen_from_json(kept.features["seen"])
    assert seen is not None
    assert seen.kinds
    assert seen.words
    assert "paper" not in json.dumps(kept.features)
    assert document(run, "correct", "correct", item[:10], "--retract")["retracted"]
    assert run("correct", item, "--retract").code == 1
    assert run("correct", item).code == 2


def test_why_walks_through_the_policy(run: Run, asked: Path) -> None:
    item = waiting(run, "--type", "question")[0]["message"]["id"]
    found = document(run, "why", "why", item, "--maildir", str(asked))
    assert any("Its level is L2" in sentence for sentence in found["walk"])


@pytest.mark.usefixtures("asked")
def test_status_tells_how_everything_stands(run: Run) -> None:
    found = document(run, "status", "status")
    assert found["last_run"]["run_id"] == "r1"
    assert found["last_run"]["finished_at"]
    assert found["pending"]["question"] == 4
    assert (found["planned_actions"], found["ledger"]["verified"]) == (0, True)
    run("stop")
    assert document(run, "status", "status", "--quick")["switches"]["stopped_at"]


def test_status_tells_whether_scripts_may_say_yes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert document(run, "status", "status")["scripts_may_answer"] is False
    let_scripts_answer(App(), answer=True)
    assert document(run, "status", "status")["scripts_may_answer"] is True
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    assert "policy scripts off" in run("status").out


@pytest.mark.usefixtures("asked")
def test_a_stop_is_in_the_event_log_with_what_it_voided(run: Run) -> None:
    before = sorted(item["id"] for item in waiting(run))
    run("stop")
    assert waiting(run) == []
    with open_ledger() as ledger, ledger.read() as tx:
        (voided,) = ledger.events.since(tx, kind="approval.void")
    assert before
    assert voided.payload["item_ids"] == before


@pytest.mark.usefixtures("asked")
def test_status_finds_a_log_that_was_changed(run: Run) -> None:
    from sqlalchemy import text

    with open_ledger() as ledger, ledger.write() as tx:
        tx.execute(text("update events set subject = 'x' where seq = 2"))
    found = document(run, "status", "status", code=1)
    assert found["ledger"]["broken"].startswith("event 2")


MAIN = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests were started with `&`, which ignores it
from gaia_email.interfaces.cli import main
main()
"""


class Terminal:
    """A review in a terminal of its own: `press` waits for a word, then types."""

    def __init__(self, *args: str) -> None:
        self.seen = ""
        master, slave = pty.openpty()
        environ = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "email", "review", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            start_new_session=True,
        )
        os.close(slave)
        self._master = master
        self._from = 0
        while (code := re.search(r"Type (\w+) for yes", self.seen)) is None:
            if not self._read():
                return
        os.write(master, f"{code[1]}\n".encode())

    def press(self, key: str, after: str = "[q] quit") -> None:
        while after not in self.seen[self._from :]:
            assert self._read(), self.seen
        self._from = len(self.seen)
        os.write(self._master, key.encode())

    def end(self) -> int:
        while self._read():
            pass
        code = self.process.wait(20)
        os.close(self._master)
        return code

    def _read(self) -> bool:
        assert select.select([self._master], [], [], 30)[0], self.seen
        try:
            found = os.read(self._master, 65536)
        except OSError:  # Linux, when the other end is closed
            return False
        self.seen += found.decode()
        return bool(found)


@pytest.fixture
def screen(asked: Path) -> Iterator[Callable[..., Terminal]]:
    assert asked
    opened: list[Terminal] = []

    def start(*args: str) -> Terminal:
        opened.append(Terminal(*args))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait(20)


def test_the_review_screen_takes_every_key(run: Run, screen: Callable[..., Terminal]) -> None:
    terminal = screen("--type", "question")
    terminal.press("w")
    terminal.press("x")
    terminal.press("s")
    terminal.press("r")
    terminal.press("e")
    terminal.press("l", after="[b] back")
    terminal.press("a")
    assert terminal.end() == 0
    for words in (
        "1 of 4",
        "You are asked because:",
        "none of the keys",
        "skipped",
        "rejected",
        "approved.",
        "4 of 4",
    ):
        assert words in terminal.seen
    assert "\x1b" not in terminal.seen
    assert "<U+202E>" in terminal.seen
    assert len(waiting(run, "--type", "question")) == 1
    with open_ledger() as ledger, ledger.read() as tx:
        assert [one.corrected.bucket for one in ledger.corrections.since(tx)] == ["low_priority"]


def test_ctrl_c_leaves_the_review_and_takes_no_answer_back(run: Run, screen: Callable[..., Terminal]) -> None:
    terminal = screen("--type", "question")
    terminal.press("a")
    terminal.press("\x03")
    assert terminal.end() == 130
    assert len(waiting(run, "--type", "question")) == 3


def test_all_of_a_cohort_with_one_key(run: Run, screen: Callable[..., Terminal]) -> None:
    terminal = screen("--type", "question")
    terminal.press("c", after="[c] approve all")
    assert terminal.end() == 0
    assert "4 of 4 approved." in terminal.seen
    assert not waiting(run, "--type", "question")


def test_an_open_confirmation_comes_first_in_the_review_and_the_list(
    run: Run, asked: Path, screen: Callable[..., Terminal]
) -> None:
    item = next(one for one in waiting(run) if one["message"]["from"]["address"] == "p9@stranger9.example")
    facts = CallFacts(messages=(item["message"]["subject"],))
    call = ToolCall.of(item["account"], "delete_email", {"messageId": item["message"]["id"]})
    with open_ledger() as ledger:
        gate = gate_of(ledger, prompt=NotNow(), origin=PERSON)
        asyncio.run(gate.ask(call, Consent(by="user", why="\x1b[2Jbecause"), facts))
    found = document(run, "pending", "pending", "--type", "confirmation")
    assert (found["waiting"]["confirmation"], found["items"]) == (1, [])
    assert found["confirmations"][0]["text"] == "Would move to Trash: 1 message."
    assert run("pending").out.splitlines()[1].startswith(found["confirmations"][0]["id"][:8] + "\t")
    terminal = screen()
    terminal.press("x", after="[a] approve  [r] reject  [s] skip  [q] quit")
    terminal.press("a", after="[a] approve  [r] reject  [s] skip  [q] quit")
    terminal.press("?", after="[q] quit")
    terminal.press("q", after="[q] quit")
    assert terminal.end() == 0
    assert terminal.seen.index("Would move to Trash") < terminal.seen.index("1 of ")
    assert "do nothing, and do not ask again" in terminal.seen
    assert "\x1b" not in terminal.seen
    assert "1 answered" in terminal.seen
    assert document(run, "pending", "pending")["waiting"]["confirmation"] == 0
    assert document(run, "actions", "actions")["actions"][0]["type"] == "delete_email"


def servers_question(call: str = "c1") -> str:
    asked = ApprovalRequest(
        call=call,
        shown_digest="d",
        server="gaia-imap-mcp",
        account=ME,
        tool="send_email",
        shown="Send this email?\nTo: eve@evil.example",
        origin=PERSON,
    )
    return Approvals(approvals_file(os.environ)).ask(asked).approval_id


@pytest.mark.usefixtures("asked")
def test_what_a_server_asks_comes_before_all_in_the_review(run: Run, screen: Callable[..., Terminal]) -> None:
    servers_question("c1")
    servers_question("c2")
    terminal = screen()
    terminal.press("a", after="[a] approve  [r] reject  [v] view all of it  [s] skip  [q] quit")
    terminal.press("s", after="[a] approve  [r] reject  [v] view all of it  [s] skip  [q] quit")
    terminal.press("q", after="[?] what the keys do")
    assert terminal.end() == 0
    assert "To: eve@evil.example" in terminal.seen
    assert "Let your assistant try again." in terminal.seen
    assert "1 answered · 1 skipped" in terminal.seen
    assert document(run, "pending", "pending")["waiting"]["confirmation"] == 1


@pytest.mark.usefixtures("asked")
def test_leaving_at_a_servers_question_leaves_the_review(screen: Callable[..., Terminal]) -> None:
    servers_question()
    terminal = screen()
    terminal.press("q", after="[a] approve  [r] reject  [v] view all of it  [s] skip  [q] quit")
    assert terminal.end() == 0
    assert "[?] what the keys do" not in terminal.seen


@pytest.mark.usefixtures("asked")
def test_an_id_that_begins_two_things_is_refused_and_answers_go_to_both_kinds(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = waiting(run, "--type", "question")[0]["id"]
    alike = f"{item[:8]}-0000-4000-8000-000000000000"
    with monkeypatch.context() as patched:
        patched.setattr("gaia_email_registry.approvals.uuid.uuid4", lambda: alike)
        assert servers_question() == alike
    unclear = run("approve", item[:8])
    assert unclear.code == 1
    assert "More than one id begins with" in unclear.err
    both = document(run, "approve", "approve", alike, item)
    assert [one["result"] for one in both["items"]] == ["approved", "approved"]


class NotNow:
    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        return "later"


def test_a_review_without_a_terminal_says_what_to_do_instead(run: Run) -> None:
    result = run("review")
    assert result.code == 2
    assert "gaia email pending --json" in result.err


RUN = "5f0c3b1e-0000-4000-8000-000000000001"


@pytest.fixture
def ran(run: Run, maildir: Path) -> Path:
    """As `asked`, by a run whose id is one."""
    assert run("policy", "set", "--cohort", "first_contact", "--level", "2", "--yes").code == 0
    place = MailboxRef(kind="maildir", path=str(maildir))
    run_here(Job(kind="triage", run_id=RUN, place=place, owner=(ME,), origin=PERSON), environ=os.environ)
    return maildir


def test_every_id_that_is_printed_is_taken_where_it_makes_sense(run: Run, ran: Path) -> None:
    assert ran
    question, note = waiting(run, "--type", "question")[0], waiting(run, "--type", "notify")[0]
    (archived,) = document(run, "actions", "actions")["actions"][:1]
    message = question["message"]["id"]
    for id_ in (question["id"], question["id"][:8]):
        assert document(run, "why", "why", id_)["id"] == message
        assert document(run, "show", "show", id_)["id"] == message
    assert document(run, "policy-explain", "policy", "explain", question["id"])["id"] == message
    assert document(run, "why", "why", archived["action_id"][:8])["id"] == archived["message_id"]
    assert document(run, "why", "why", note["id"])["id"] == note["message"]["id"]
    assert document(run, "undo", "undo", note["id"])["taken_back"], "a note stands for what its run did"


def test_what_was_approved_is_taken_back_by_the_id_it_waited_under(run: Run, ran: Path) -> None:
    run("policy", "set", "--cohort", "first_contact", "--level", "2", "--yes")
    place = MailboxRef(kind="maildir", path=str(ran))
    run_here(
        Job(kind="triage", run_id=RUN.replace("1e", "2e"), place=place, owner=(ME,), origin=PERSON),
        environ=os.environ,
    )
    item = next(one for one in waiting(run) if one["proposal"]["doing"] == "label")
    message = item["message"]["id"]
    assert document(run, "approve", "approve", message)["items"][0]["id"] == item["id"], "by its message"
    (action,) = document(run, "undo", "undo", item["id"][:8])["taken_back"]
    assert action["message_id"] == message
    assert run("undo", item["id"]).code == 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("approve", "ACTION"), "was already done and is not waiting for an answer"),
        (("reject", "ACTION"), "gaia email undo"),
        (("approve", "RUN"), "is a run"),
        (("why", "RUN"), "is the id of a run, not of a message"),
        (("approve", "nosuch"), "gaia email pending lists"),
        (("undo", "nosuch"), "gaia email actions lists"),
        (("undo", "ACTION", "--run", "x"), "Name one of"),
    ],
)
def test_an_id_of_another_kind_is_answered_with_a_sentence(
    run: Run, ran: Path, args: tuple[str, ...], sentence: str
) -> None:
    assert ran
    action = document(run, "actions", "actions")["actions"][0]["action_id"]
    result = run(*({"ACTION": action[:8], "RUN": RUN[:8]}.get(arg, arg) for arg in args))
    assert result.code in (1, 2)
    assert sentence in result.err


def test_a_whole_run_is_taken_back_by_its_id_alone(run: Run, ran: Path) -> None:
    assert ran
    assert document(run, "undo", "undo", RUN[:8])["taken_back"]


def test_what_was_corrected_thrice_moves_the_fourth_like_it_and_why_says_so(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "Plant"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number in range(4):
        text = (
            f"From: Kim {number} <k{number}@plant{number}.example>\r\nTo: {ME}\r\nSubject: Turbine inspection\r\n"
            f"Date: Mon, 30 Mar 2026 09:{number:02}:00 +0000\r\nMessage-ID: <t{number}@x.example>\r\n\r\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\r\n"
        )
        (folder / "cur" / f"{number}.m:2,").write_bytes(text.encode())
    place = ("--maildir", str(folder), "--user", ME)
    listed = json.loads(run("inbox", *place, "--json").out)
    ids = [item["id"] for items in listed["buckets"].values() for item in items]
    before = document(run, "why", "why", ids[3], *place)
    for one in ids[:3]:
        assert run("correct", one, "--bucket", "actionable", *place).code == 0
    after = document(run, "why", "why", ids[3], *place)
    assert (before["bucket"], after["bucket"]) == ("informational", "actionable")
    assert after["priority"]["reason"].startswith("Because you corrected three like it")
    for one in ids[:3]:
        assert run("correct", one, "--retract", *place).code == 0
    assert document(run, "why", "why", ids[3], *place)["bucket"] == "informational"
