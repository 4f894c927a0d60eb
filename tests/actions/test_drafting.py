"""Keeping a reply as a draft: what is written down when the mailbox does not keep it."""

from __future__ import annotations

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.drafting import keep_reply
from gaia_email.actions.kinds import DRAFT
from gaia_email.actions.reconcile import UNKNOWN, reconcile
from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from tests.actions.account import Bench


def keep(bench: Bench) -> None:
    """A reply to the one message."""

    async def scenario(session: AccountSession) -> None:
        (summary,) = (await session.mail.list_emails())["emails"]
        await keep_reply(session, summary, "Yes.")

    bench.run(scenario)


def refusing(bench: Bench, error: MailError, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mailbox answers with that when a draft is to be stored."""

    async def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(bench.box, "create_draft", refuse)


def test_an_end_that_nobody_knows_is_not_written_down_as_not_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.put("ask me")
    refusing(bench, ProviderError("The connection broke."), monkeypatch)
    with pytest.raises(ProviderError, match="broke"):
        keep(bench)
    assert [action.state for action in bench.actions(DRAFT)] == ["planned"]
    bench.run(reconcile)
    assert [(action.state, action.error) for action in bench.actions(DRAFT)] == [("failed", UNKNOWN)]


def test_a_refusal_is_written_down_as_one(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.put("ask me")
    refusing(bench, BadArgument("The body is too long."), monkeypatch)
    with pytest.raises(BadArgument):
        keep(bench)
    assert [(action.state, action.error) for action in bench.actions(DRAFT)] == [
        ("failed", "The body is too long.")
    ]
