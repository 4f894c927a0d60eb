"""Sending a mail of the user's own words: asked, written down before, and never sent a second time."""

from __future__ import annotations

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import MAYBE_SENT
from gaia_email.actions.kinds import SEND
from gaia_email.actions.reconcile import reconcile
from gaia_email.actions.sending import OutgoingMail, SentMail, send_mail
from gaia_email.policy.question import CallFacts
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from tests.actions.account import ME, Bench


def send(bench: Bench) -> SentMail:
    """A mail to somebody else."""

    async def scenario(session: AccountSession) -> SentMail:
        mail = OutgoingMail(to=("ann@acme.example",), subject="Hello", body="Yes.")
        return await send_mail(session, mail, CallFacts(own=frozenset((ME,))))

    return bench.run(scenario)


def failing(bench: Bench, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mailbox answers with that when something is to be sent."""

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(bench.box, "send", fail)


def test_a_mail_is_asked_about_and_written_down(bench: Bench) -> None:
    sent = send(bench)
    (asked,) = bench.person.asked
    assert [one.address for one in asked.recipients] == ["ann@acme.example"]
    (action,) = bench.actions(SEND)
    assert (action.action_id, action.state, action.reversal_payload) == (sent.action_id, "applied", None)
    assert action.action_payload["to"] == ["ann@acme.example"]
    assert sent.message_id in bench.labels()


def test_without_a_yes_nothing_is_sent(bench: Bench) -> None:
    bench.person.answer = "no"
    with pytest.raises(NeedsApproval):
        send(bench)
    assert not bench.actions(SEND)


def test_a_stopped_agent_is_not_even_asked(bench: Bench) -> None:
    bench.brakes.stop = "Stopped."
    with pytest.raises(NeedsApproval, match="Stopped"):
        send(bench)
    assert not bench.person.asked and not bench.actions(SEND)


def test_an_end_that_nobody_knows_is_said_and_never_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(bench, ProviderError("The connection broke."), monkeypatch)
    with pytest.raises(ProviderError, match="not sent again"):
        send(bench)
    monkeypatch.undo()
    bench.run(reconcile)
    (action,) = bench.actions(SEND)
    assert action.state == "failed" and MAYBE_SENT in str(action.error)


def test_a_refusal_is_written_down_as_one(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(bench, BadArgument("The address is wrong."), monkeypatch)
    with pytest.raises(BadArgument):
        send(bench)
    assert [(one.state, one.error) for one in bench.actions(SEND)] == [("failed", "The address is wrong.")]
