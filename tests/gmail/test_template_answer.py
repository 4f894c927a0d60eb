"""An answer from a template through triage, gate and ledger on an emulated Gmail: once, marked, in its thread."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.read import parse_message
from tests.cli.printed import Run
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.program import CONNECT, Google

ME = "me@example.org"
TEMPLATE = (
    "---\ncohorts: intra_org\n---\nHello {{requester_first_name}},\n"
    "{{greeting: thank you|many thanks}}, it has arrived.\n"
)


def put(google: Google, number: int, sender: str, to: str, more: str = "", *, sent: bool = False) -> str:
    """A question of an hour ago, or an older mail that the user sent; answers Gmail's id."""
    ago = dt.timedelta(days=20) if sent else dt.timedelta(hours=1)
    date = (dt.datetime.now(dt.UTC) - ago).strftime("%a, %d %b %Y %H:%M:%S +0000")
    raw = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: The report {number}\r\nDate: {date}\r\n"
        f"Message-ID: <q{number}@example.org>\r\n{more}\r\n"
        "Could you send me the report by tomorrow, please? Did my draft reach you?\r\n"
    )
    account = google.emulator.account
    inner = account.mailbox.put(raw.encode(), ["SENT"] if sent else ["INBOX", "UNREAD"])
    google.do(account.settle())
    return account.outer(inner)


def prepare(run: Run, google: Google) -> None:
    """An account whose colleagues may be answered by themselves."""
    from gaia_email.ledger.template_files import templates_directory

    assert run(*CONNECT).code == 0
    folder = templates_directory({"GAIA_HOME": str(Path.home() / ".gaia")})
    folder.mkdir(parents=True)
    (folder / "arrived.md").write_text(TEMPLATE)
    done = run("policy", "set", "--cohort", "intra_org", "--level", "5", "--yes")
    assert done.code == 0, done.err
    for number, colleague in enumerate(("ann", "bo", "cy")):
        put(google, number, ME, f"{colleague}@example.org", sent=True)


def left(google: Google) -> list[tuple[tuple[str, ...], ParsedMessage]]:
    return [(item.recipients, parse_message(item.raw)) for item in google.emulator.account.sent]


def test_a_colleague_is_answered_once_in_the_thread_marked_as_automatic_and_no_machine_is(
    run: Run, google: Google, home: Path
) -> None:
    prepare(run, google)
    asked = put(google, 10, "Ann Lee <ann@example.org>", ME)
    put(google, 11, "Bo Dee <bo@example.org>", ME, "Auto-Submitted: auto-generated\r\n")
    put(google, 12, "Cy Elm <cy@example.org>", ME, "List-Id: <all.example.org>\r\n")
    put(google, 13, "Eve <eve@other.example>", ME)
    done = run("triage", "--apply", "--yes", "--json")
    assert done.code == 0, done.err
    ((recipients, message),) = left(google)
    assert recipients == ("ann@example.org",)
    assert message.headers["auto-submitted"] == "auto-replied"
    assert message.headers["in-reply-to"] == "<q10@example.org>"
    assert message.subject == "Re: The report 10"
    assert message.text.startswith("Hello Ann,\nthank you, it has arrived.\n")
    kept = google.emulator.account.kept
    threads = [item.thread for item in kept.values() if "SENT" in item.labels]
    assert kept[asked].thread in threads, "Gmail keeps it in the conversation"
    (row,) = (row for row in json.loads(done.out)["done"] if row["type"] == "send")
    assert (row["message_id"], row["state"], row["level"]) == (asked, "applied", "L5")
    assert run("triage", "--apply", "--yes", "--json").code == 0
    assert len(left(google)) == 1
    undone = run("undo", "--run", json.loads(done.out)["run_id"], "--json")
    assert "cannot be called back" in undone.out


def test_where_gmail_breaks_off_while_it_sends_the_answer_is_not_sent_again(
    run: Run, google: Google, home: Path
) -> None:
    prepare(run, google)
    put(google, 10, "Ann Lee <ann@example.org>", ME)
    google.emulator.fail(Fault(method="messages.send", error=ApiError(503, "busy")))
    done = run("triage", "--apply", "--yes", "--json")
    (row,) = (row for row in json.loads(done.out)["failed"] if row["type"] == "send")
    assert "not sent again" in row["error"]
    assert run("triage", "--apply", "--yes", "--json").code == 0
    assert google.emulator.calls["messages.send"] == 1
    assert not left(google)
