"""What a mailbox of another server answers is untrusted like mail: it is checked, bounded, and never trusted to end."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from gaia_email_registry.paths import servers_file
from tests.cli.printed import Run
from tests.servers.absurd_mailbox import ODD

PROGRAM = str(Path(__file__).with_name("absurd_mailbox.py"))

REFUSED = {
    "circles": "pages of list_emails come to no end",
    "rounds": "pages of list_emails come to no end",
    "endless": "pages of list_emails come to no end",
    "more": "with 20,000 messages; 500 were asked for",
    "types": "list_emails is not what the contract says",
    "others": "other messages than were asked for",
    "double": "other messages than were asked for",
}


def look(run: Run, fault: str) -> tuple[int, str, str]:
    path = servers_file(os.environ)
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = {"command": sys.executable, "args": ["-I", "-S", PROGRAM, fault]}
    path.write_text(json.dumps({"mcpServers": {"odd": entry}}), encoding="utf-8")
    ran = run("inbox", "--server", "odd", "--user", "me@example.org", "--json")
    return ran.code, ran.out, ran.err


@pytest.mark.parametrize("fault", REFUSED)
def test_an_answer_that_cannot_be_is_said_and_nothing_is_shown(fault: str, run: Run) -> None:
    code, out, err = look(run, fault)
    assert code == 1 and out == "" and REFUSED[fault] in err


def test_a_message_that_is_not_given_is_counted_as_unreadable(run: Run) -> None:
    code, out, err = look(run, "nothing")
    assert code == 0, err
    told = json.loads(out)
    assert (told["total"], told["unreadable"], told["shown"]) == (1, 1, 0)


@pytest.mark.parametrize("fault", ["fine", *ODD])
def test_an_odd_message_is_shown_like_any_other(fault: str, run: Run) -> None:
    code, out, err = look(run, fault)
    assert code == 0, err
    assert json.loads(out)["shown"] == 1
