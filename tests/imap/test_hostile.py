"""Hostile servers: what they send costs a bounded time and memory, a sentence says so, and the other account goes on.

Each meets an account in a process of its own, so that the memory measured is all that it took.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from tests.contract.suite.seed import write_message
from tests.imap.victim import Job, meet
from tools.mail_servers import hostile
from tools.mail_servers.hostile import SmtpAssailant
from tools.mail_servers.scripted_imap import Assault, Script, ScriptedImap

CEILING_MB = 64.0
"""Above what the same takes on an honest server."""

LARGE = 500_000_000
MANY = 1_900_000
DEEP = "(" * 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Foe:
    """A server that assails when it is sent a command, and what the account has to say of it.

    `read` is how many of its three messages are read all the same.
    """

    command: str
    assault: Assault
    says: str = ""
    read: int = 0
    job: Job = "read"
    also: tuple[tuple[str, Assault], ...] = ()
    extensions: tuple[str, ...] = ()
    silence_s: float = 5.0


HEAD = "FETCH .* BODY.PEEK\\[\\]<0"
BODY = "FETCH .* \\(UID BODY.PEEK\\[\\]\\)"

A_FULL_FOLDER = hostile.said(
    f"* {MANY} EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT {MANY + 1}] next\r\n"
    "{tag} OK [READ-ONLY] open\r\n"
)
A_HEAD = hostile.said(
    '* 1 FETCH (UID 1 FLAGS () INTERNALDATE "17-Jul-1996 02:44:25 -0700" RFC822.SIZE 19 BODY[]<0> {19}\r\n'
    "Subject: a head\r\n\r\n)\r\n{tag} OK done\r\n"
)

BEFORE_LOGIN = {
    "a greeting without end": Foe(
        command="", assault=hostile.line_without_end("* OK "), says="line of more than|in one answer"
    ),
    "greetings without end": Foe(
        command="",
        assault=hostile.lines_without_end("* OK hello {n}"),
        says="more than 200 lines|in one answer",
    ),
    "a literal in the greeting": Foe(
        command="", assault=hostile.literal_without_end("* OK"), says="announced|in one answer"
    ),
    "a literal of a size nobody can count": Foe(
        command="", assault=hostile.said("* OK {" + "9" * 9000 + "}\r\n"), says="as a mail server does"
    ),
    "letters that are none": Foe(
        command="CAPABILITY",
        assault=hostile.said("* CAPABILITY \xff\xfe\r\n{tag} OK done\r\n"),
        says="as a mail server does",
    ),
    "a literal before the login": Foe(
        command="LOGIN", assault=hostile.literal_without_end("* X", LARGE), says="announced|in one answer"
    ),
    "small literals before the login": Foe(
        command="LOGIN", assault=hostile.literals_without_end("* X", 100), says="in one answer"
    ),
    "lines before the login": Foe(
        command="LOGIN", assault=hostile.lines_without_end("* {n} EXISTS"), says="in one answer"
    ),
    "a byte at a time before the login": Foe(
        command="LOGIN", assault=hostile.trickle(), says="takes too long", silence_s=0.3
    ),
}

FOLDERS = {
    "a literal as a folder's name": Foe(
        command="LIST", assault=hostile.literal_without_end('* LIST () "/"', LARGE), says="announced"
    ),
    "a hundred thousand folders": Foe(
        command="LIST",
        assault=hostile.lines_without_end('* LIST () "/" folder{n}', 2_800_000),
        says="lists more than 10,000 folders",
    ),
    "a folder in a list without end": Foe(
        command="LIST", assault=hostile.line_without_end("* LIST (", b"\\x "), says="line of more than"
    ),
    "lists in lists without end": Foe(
        command="LIST", assault=hostile.line_without_end("* LIST (", b"("), says="line of more than"
    ),
    "lists in lists as deep as a line is long": Foe(
        command="LIST",
        assault=hostile.said(f'* LIST {DEEP}\r\n* LIST () "/" INBOX\r\n{{tag}} OK done\r\n'),
        read=3,
    ),
    "a text that does not end": Foe(
        command="LIST",
        assault=hostile.said('* LIST () "' + '\\"' * 60_000 + '\r\n* LIST () "/" INBOX\r\n{tag} OK done\r\n'),
        read=3,
    ),
    "a status of literals": Foe(
        command="STATUS", assault=hostile.literals_without_end("* STATUS", 60_000), says="in one answer"
    ),
    "a byte at a time after the login": Foe(
        command="LIST", assault=hostile.trickle(), says="takes too long", silence_s=0.3
    ),
}

MESSAGES = {
    "flags of a folder without end": Foe(
        command="EXAMINE", assault=hostile.line_without_end("* FLAGS (", b"flag "), says="line of more than"
    ),
    "news of a folder without end": Foe(
        command="EXAMINE", assault=hostile.lines_without_end("* {n} FETCH (FLAGS (a))"), says="lines"
    ),
    "a search that finds everything": Foe(
        command="SEARCH", assault=hostile.line_without_end("* SEARCH", b" 1 22 333"), says="line of more than"
    ),
    "searches that find everything": Foe(
        command="SEARCH", assault=hostile.lines_without_end("* SEARCH 1 22 {n}"), says="in one answer"
    ),
    "a search that finds all numbers": Foe(
        command="SEARCH",
        assault=hostile.said('* ESEARCH (TAG "{tag}") UID ALL 1:4294967295\r\n{tag} OK done\r\n'),
        says="too large a set",
        extensions=("ESEARCH",),
    ),
    "a search that finds the same numbers often": Foe(
        command="SEARCH",
        assault=hostile.said(
            '* ESEARCH (TAG "{tag}") UID ALL ' + ",".join(["1:1900000"] * 9000) + "\r\n{tag} OK done\r\n"
        ),
        says="too large a set",
        extensions=("ESEARCH",),
    ),
    "heads without end": Foe(
        command=HEAD,
        assault=hostile.lines_without_end("* 1 FETCH (UID 1 FLAGS ({n}))"),
        says="in one answer",
    ),
    "a head that is larger than was asked": Foe(
        command=HEAD,
        assault=hostile.literal_without_end("* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 9 BODY[]<0>", LARGE),
        says="announced",
    ),
    "a head with flags without end": Foe(
        command=HEAD,
        assault=hostile.line_without_end("* 1 FETCH (UID 1 FLAGS (", b"flag "),
        says="line of more than",
    ),
    "a list of two million messages in no order": Foe(
        command="SEARCH",
        assault=hostile.said("* SEARCH " + " ".join(map(str, range(MANY, 0, -1))) + "\r\n{tag} OK done\r\n"),
        also=(("EXAMINE .INBOX", A_FULL_FOLDER), (HEAD, hostile.lines_without_end("* {n} NOTHING"))),
        says="in one answer",
    ),
    "two million messages in one word": Foe(
        command="SEARCH",
        assault=hostile.said(f'* ESEARCH (TAG "{{tag}}") UID ALL 1:{MANY}\r\n{{tag}} OK done\r\n'),
        also=(("EXAMINE .INBOX", A_FULL_FOLDER), (HEAD, hostile.lines_without_end("* {n} NOTHING"))),
        says="in one answer",
        extensions=("ESEARCH",),
    ),
    "flags that are all different and long": Foe(
        command="FETCH 1:\\* \\(UID FLAGS\\)",
        assault=hostile.lines_without_end("* {n} FETCH (UID {n} FLAGS (" + "k" * 60_000 + "{n}))", 48 << 20),
        also=(
            ("EXAMINE .INBOX", A_FULL_FOLDER),
            ("SEARCH", hostile.said("* SEARCH 1\r\n{tag} OK done\r\n")),
            (HEAD, A_HEAD),
        ),
        says="did not give",
        job="again",
    ),
    "parts in parts as deep as a line is long": Foe(
        command="BODYSTRUCTURE",
        assault=hostile.said("* 3 FETCH (UID 3 BODYSTRUCTURE " + DEEP + "\r\n{tag} OK done\r\n"),
        read=3,
    ),
    "a body that is larger than any": Foe(
        command=BODY,
        assault=hostile.literal_without_end("* 1 FETCH (UID 1 BODY[]", LARGE),
        says="announced 500,000,000 bytes",
    ),
    "a body that is larger than it was said to be": Foe(
        command=BODY,
        assault=hostile.literals_without_end("* 1 FETCH (UID 1 BODY[]", 10_000_000),
        says="in one answer|announced 10,000,000 bytes",
    ),
    "bodies without end": Foe(
        command=BODY, assault=hostile.lines_without_end("* 1 FETCH (UID 1 BODY[] NIL)"), says="in one answer"
    ),
    "a byte at a time of a body": Foe(
        command=BODY, assault=hostile.trickle(), says="takes too long", silence_s=0.3
    ),
}

OTHERS = {
    "news without end in idle": Foe(
        command="IDLE",
        assault=hostile.lines_without_end("* {n} EXISTS"),
        job="wait",
        extensions=("IDLE",),
    ),
    "a greeting of SMTP without end": Foe(
        command="",
        assault=hostile.lines_without_end("220-hello {n}"),
        says="in one answer.*Nothing was sent",
        job="send",
    ),
    "a line of SMTP without end": Foe(
        command="EHLO",
        assault=hostile.line_without_end("250-"),
        says="(line of more than|in one answer).*Nothing was sent",
        job="send",
    ),
    "SMTP extensions without end": Foe(
        command="EHLO",
        assault=hostile.lines_without_end("250-X{n}"),
        says="in one answer.*Nothing was sent",
        job="send",
    ),
    "a byte at a time of SMTP": Foe(
        command="MAIL",
        assault=hostile.trickle("250-wait\r\n"),
        says="takes too long.*Nothing was sent",
        job="send",
        silence_s=0.3,
    ),
    "an end of SMTP without end": Foe(
        command=".",
        assault=hostile.lines_without_end("250-kept {n}"),
        says="may have been sent",
        job="send",
    ),
    "a farewell of SMTP without end": Foe(
        command="QUIT", assault=hostile.lines_without_end("221-bye {n}"), read=1, job="send"
    ),
}

FOES = {**BEFORE_LOGIN, **FOLDERS, **MESSAGES, **OTHERS}


@pytest.fixture(scope="module")
def honest() -> Iterator[ScriptedImap]:
    """A server with two messages that does as it should."""
    with ScriptedImap() as server:
        for number in (1, 2):
            server.store.put(write_message(number))
        yield server


@pytest.fixture(scope="module")
def usual_mb(honest: ScriptedImap) -> float:
    """What the same takes when nobody is hostile."""
    fate = meet("read", honest.port, honest.port)
    assert (fate.read, fate.other, fate.error) == (2, 2, "")
    return fate.peak_mb


@pytest.mark.parametrize("foe", FOES.values(), ids=FOES)
def test_a_hostile_server_costs_a_sentence_and_nobody_else_anything(
    foe: Foe, honest: ScriptedImap, usual_mb: float
) -> None:
    with ExitStack() as stack:
        if foe.job == "send":
            port = stack.enter_context(SmtpAssailant(foe.command, foe.assault)).port
        else:
            script = Script(
                capabilities=("IMAP4rev1", *foe.extensions), assaults=[(foe.command, foe.assault), *foe.also]
            )
            server = stack.enter_context(ScriptedImap(script))
            for number in (1, 2):
                server.store.put(write_message(number))
            server.store.put(write_message(3, body="much to say\n" * 10_000))
            port = server.port
        fate = meet(foe.job, port, honest.port, silence_s=foe.silence_s)
    assert fate.peak_mb < usual_mb + CEILING_MB
    assert fate.seconds < hostile.SLOW_S
    assert fate.other == 2
    assert fate.read == foe.read
    if foe.says:
        assert re.search(foe.says, " ".join((fate.error, *fate.errors)))
        assert not fate.error or fate.error.startswith("provider: ")
    else:
        assert fate.error == ""
