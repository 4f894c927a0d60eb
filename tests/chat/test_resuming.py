"""Conversations that are stopped, killed, doubled, or gone on with."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.documents.talk_events import TalkEvent
from gaia_email.app.services import conversations
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.session import Session
from gaia_email_registry.errors import NotFound
from tests.chat.test_conversations import Nobody, Talk
from tests.cli.printed import Run
from tests.origins import PERSON


@pytest.fixture
def mail(tmp_path: Path) -> Iterator[SourceSpec]:
    """The sample's mail as somebody's Maildir, where conversations are kept."""
    with sample_source(App()) as (_, sample):
        yield SourceSpec(kind=sample.kind, path=sample.path, user=sample.user)


def resumed(source: SourceSpec) -> Talk:
    talk = Talk(source)
    talk.session = Session(
        App(),
        source,
        talk.hear,
        Nobody(),
        resumed=conversations.stored_conversation(App(), source),
        origin=PERSON,
    )
    return talk


def test_what_was_shown_is_still_meant_after_the_program_ended(mail: SourceSpec) -> None:
    before = Talk(mail)
    before.say("search invoice")
    meant = before.say("show 2").last["cites"]
    after = resumed(mail)
    assert after.session.session_id == before.session.session_id
    assert after.say("why is it here").last["cites"] == meant
    assert after.say("show the second one").last["cites"] == meant
    assert after.say("more").calls == ["search_mail"]


def test_a_line_that_was_being_answered_is_named_and_not_repeated(
    mail: SourceSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Talk(mail)
    talk.say("search invoice")

    def killed(self: Session, line: str) -> bool:
        raise SystemExit(9)

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Session, "_answer", killed)
        talk.session.say("archive 1")
    last = conversations.stored_conversation(App(), mail)
    assert last.unanswered == "archive 1"
    assert last.lines == ("search invoice",)
    assert resumed(mail).say("undo").last["type"] == "error"


def test_a_question_that_was_open_is_void_after_it(mail: SourceSpec) -> None:
    talk = Talk(mail)
    talk.say("search invoice")
    talk.session._proposed = ("anything",)  # pyright: ignore[reportPrivateUsage]
    assert resumed(mail).say("yes").calls == []


def test_no_text_of_mail_is_kept(mail: SourceSpec) -> None:
    talk = Talk(mail)
    talk.say("search invoice")
    body = talk.say("show 1").last["answer"].splitlines()[-3].lstrip("│ ")
    last = conversations.stored_conversation(App(), mail)
    assert len(body) > 10
    assert body not in repr(last)


def test_two_windows_do_not_go_on_with_the_same_conversation(mail: SourceSpec) -> None:
    Talk(mail).say("search invoice")
    one, two = resumed(mail), resumed(mail)
    assert one.say("show 1").last["type"] == "final"
    refused = two.say("show 2")
    assert refused.last["type"] == "error"
    assert "goes on in another window" in refused.text


def test_a_second_line_while_one_is_answered_is_refused_in_words(mail: SourceSpec) -> None:
    heard: list[TalkEvent] = []
    inside, goes_on = threading.Event(), threading.Event()

    def hear(event: TalkEvent) -> None:
        heard.append(event)
        if event.type == "tool_call":
            inside.set()
            assert goes_on.wait(20)

    session = Session(App(), mail, hear, Nobody(), origin=PERSON)
    first = threading.Thread(target=session.say, args=("search invoice",))
    first.start()
    assert inside.wait(20)
    session.say("what is urgent")
    goes_on.set()
    first.join()
    assert [event.type for event in heard] == ["tool_call", "error", "tool_result", "final"]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises, also where the tests were started with `&`, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_stopped_line_is_told_and_the_next_is_answered(mail: SourceSpec) -> None:
    heard: list[TalkEvent] = []

    def hear(event: TalkEvent) -> None:
        heard.append(event)
        if event.type == "tool_call" and len(heard) == 1:
            signal.raise_signal(signal.SIGINT)

    session = Session(App(), mail, hear, Nobody(), origin=PERSON)
    with pytest.raises(KeyboardInterrupt):
        session.say("search invoice")
    assert heard[-1].to_json() == {"type": "error", "detail": "Stopped; nothing more is done.", "status": 130}
    session.say("search invoice")
    assert heard[-1].type == "final"


def test_without_a_conversation_there_is_none_to_go_on_with(mail: SourceSpec) -> None:
    with pytest.raises(NotFound, match="no conversation to go on with"):
        conversations.stored_conversation(App(), mail)


def test_the_command_goes_on_and_names_the_last_line(mail: SourceSpec, run: Run) -> None:
    run("chat", "--maildir", mail.path, "search invoice")
    shown = run("chat", "--maildir", mail.path, "--resume", "why the second one")
    assert "Your last line was: search invoice" in shown.err
    assert "\nis " in shown.out
