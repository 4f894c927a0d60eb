"""What a person is asked before an effect, and that only exactly this is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.operations.acting import ArchiveInput, DraftInput, UndoInput, archive, undo
from gaia_email.app.operations.operation import NoInput, Operation, OperationCall, OperationInput
from gaia_email.app.operations.overview import overview
from gaia_email.app.operations.questions import WaitingInput, archive_question, undo_question, waiting
from gaia_email.app.operations.reading import InboxInput, inbox
from gaia_email.app.operations.replies import keep_reply
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.errors import NeedsApproval, NotFound
from tests.cli.test_connected_files import maildir
from tests.origins import PERSON

Json = Mapping[str, Any]


class Mailbox:
    """The sample mailbox, on which operations are called by a person."""

    def __init__(self, app: App, source: SourceSpec) -> None:
        self.app, self.source = app, source

    def done(
        self,
        operation: Operation[Any],
        asked: OperationInput,
        confirm: Callable[[Json], bool] | None = None,
    ) -> Json:
        call: OperationCall[Any] = OperationCall(
            asked=asked, origin=PERSON, by_person=True, sources=[self.source], confirm=confirm
        )
        return operation.run(self.app, call)

    def ids(self) -> list[str]:
        buckets = self.done(inbox, InboxInput(by_model=False))["buckets"]
        return [row["id"] for rows in buckets.values() for row in rows]


@pytest.fixture
def mail() -> Iterator[Mailbox]:
    with sample_source(App()) as (app, source):
        yield Mailbox(app, source)


def test_nothing_is_taken_back_if_it_is_not_what_was_agreed_to(mail: Mailbox) -> None:
    first, second, *_ = mail.ids()
    mail.done(archive, ArchiveInput(message_ids=[first]))
    asked = mail.done(undo_question, UndoInput())
    assert asked["question"].startswith("Take back 1 action?")
    mail.done(archive, ArchiveInput(message_ids=[second]))
    with pytest.raises(NeedsApproval, match="changed meanwhile"):
        mail.done(undo, UndoInput(), confirm=lambda now: now == asked)
    assert not {first, second} & set(mail.ids())
    asked = mail.done(undo_question, UndoInput())
    assert mail.done(undo, UndoInput(), confirm=lambda now: now == asked)["taken_back"]
    assert second in mail.ids()


def test_a_reply_is_kept_only_as_it_was_shown(mail: Mailbox) -> None:
    wanted = DraftInput(message_id=mail.ids()[0], say="Thank you.")
    with pytest.raises(NeedsApproval):
        mail.done(keep_reply, wanted, confirm=lambda now: "Something else" in now["question"])
    assert mail.done(keep_reply, wanted, confirm=lambda now: "Thank you." in now["question"])["action_id"]


def test_a_question_names_whole_ids_and_changes_nothing(mail: Mailbox) -> None:
    before = mail.ids()
    asked = mail.done(archive_question, ArchiveInput(message_ids=before[:2]))
    assert asked["question"].startswith("Take 2 messages out of the inbox?")
    assert [(one["id"], one["kind"]) for one in asked["about"]] == [(id_, "message") for id_ in before[:2]]
    assert mail.ids() == before
    assert mail.done(waiting, WaitingInput())["waiting"] == []
    with pytest.raises(NotFound):
        mail.done(waiting, WaitingInput(id="nothing-waits"))


def test_the_overview_counts_messages_and_names_a_mailbox_that_cannot_be_read(tmp_path: Path) -> None:
    there = maildir(tmp_path / "Mail", "Roof", "Fence")
    sources = [SourceSpec(kind="maildir", path=str(path), user=()) for path in (tmp_path / "gone", there)]
    call = OperationCall(asked=NoInput(), origin=PERSON, sources=sources)
    found = overview.run(App(), call)
    assert (found["total"], found["unread"], found["threads"]) == (2, 2, 2)
    assert [one["mailbox"] for one in found["failed"]] == [0]
