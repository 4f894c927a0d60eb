"""Drafts and what lies in Spam or Trash count neither as sent nor as received."""

from __future__ import annotations

import pytest

from gaia_email.mailbox.contact_graph import ContactGraph
from gaia_email_registry.contract.wire import Summary
from gaia_mail.exchanged import was_exchanged, was_sent

ME, ANN = "me@example.org", "ann@example.com"


def listed(sender: str, to: str, *labels: str, flags: tuple[str, ...] = ()) -> Summary:
    return {
        "id": sender,
        "account": ME,
        "thread_id": "t",
        "message_id": "",
        "subject": "",
        "from": {"name": "", "address": sender},
        "to": [{"name": "", "address": to}],
        "cc": [],
        "date": "2026-03-02T09:00:00+00:00" if sender == ANN else "2026-03-03T09:00:00+00:00",
        "snippet": "",
        "labels": list(labels),
        "flags": list(flags),
        "size": 1,
        "has_attachments": False,
    }


NEVER = [("DRAFT",), ("SENT", "TRASH"), ("SPAM",), ("INBOX", "DRAFT")]


@pytest.mark.parametrize("labels", NEVER)
@pytest.mark.parametrize("late", [False, True])
def test_what_was_never_exchanged_answers_nobody(labels: tuple[str, ...], late: bool) -> None:
    graph = ContactGraph(ME, ())
    graph.note(listed(ANN, ME, "INBOX"))
    answer = listed(ME, ANN, *labels)
    if late:
        graph.close()
        graph.learn(answer)
    else:
        graph.note(answer)
        graph.close()
    known = graph.history.context(ANN, 1.8e9, "t")
    assert not known.owner_in_thread
    assert known.written_to == 0
    assert graph.newest == 1_772_442_000.0


def test_a_flag_makes_a_draft_as_a_label_does() -> None:
    assert not was_exchanged(listed(ME, ANN, "INBOX", flags=("\\Draft",)))
    assert was_exchanged(listed(ANN, ME, "INBOX", flags=("\\Seen",)))
    assert was_sent(listed(ME, ANN, "SENT"))
    assert not was_sent(listed(ME, ANN, "SENT", "TRASH"))


def test_what_the_user_alone_got_from_the_own_address_is_no_answer() -> None:
    graph = ContactGraph(ME, ())
    graph.note(listed(ANN, ME, "INBOX"))
    graph.note(listed(ME, ME, "INBOX"))
    graph.close()
    assert not graph.history.context(ANN, 1.7724e9, "t").answered
