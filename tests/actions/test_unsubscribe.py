"""Leaving a mailing list: asked first, done once, its outcome an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.triaging import TriageRequest, triage_and_apply
from gaia_email.actions.undo import chosen_actions, undo
from gaia_email.actions.unsubscribe import LeftList, newest_of, unsubscribe
from gaia_email.ledger import NewAction, Selection
from gaia_email.policy.gate import Consent
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound, ProviderError
from gaia_mail_mcp.mailbox import Capability, Unsubscribed
from tests.actions.account import ME, Bench

SENDER = "news@list.example"


def leave(bench: Bench, sender: str = SENDER, consent: Consent | None = None) -> LeftList:
    async def scenario(session: AccountSession) -> LeftList:
        found = await newest_of(session, sender)
        return await unsubscribe(session, found, consent or Consent(by="user", why="You asked for it."))

    return bench.run(scenario)


def warnings(bench: Bench) -> Sequence[dict[str, Any]]:
    with bench.ledger.read() as tx:
        return [dict(event.payload) for event in bench.ledger.events.since(tx, kind="list.left")]


def test_the_user_is_asked_and_the_outcome_is_kept(bench: Bench) -> None:
    bench.put("low news", sender=SENDER)
    left = leave(bench)
    assert (left.host, left.status) == ("news.example", 200)
    (asked,) = bench.person.asked
    assert asked.tool == "unsubscribe"
    assert "cannot be undone" in asked.dry_run
    assert asked.messages == ("low news",)
    (row,) = bench.actions()
    assert (row.action_type, row.state, row.user_confirmed, row.reversal_payload) == (
        "unsubscribe",
        "applied",
        True,
        None,
    )
    (warning,) = warnings(bench)
    assert (warning["severity"], warning["outcome"], warning["host"]) == (
        "warning",
        "accepted",
        "news.example",
    )
    assert bench.kinds()["approval.granted"] == 1
    assert bench.verified()


@pytest.mark.parametrize("answer", ["no", "later"])
def test_without_a_yes_nothing_is_sent(bench: Bench, answer: Any) -> None:
    bench.put("low news", sender=SENDER)
    sent: list[str] = []
    bench.box._on_unsubscribe = sent.append  # pyright: ignore[reportPrivateUsage]
    bench.person.answer = answer
    with pytest.raises(NeedsApproval):
        leave(bench)
    assert not sent
    assert not bench.actions()


def test_the_opt_in_of_a_newsletter_asks_nobody(bench: Bench) -> None:
    bench.put("low news", sender=SENDER)
    leave(bench, consent=Consent(by="level", level=5, opted_in=True))
    assert not bench.person.asked


def test_it_is_named_as_what_cannot_be_undone(bench: Bench) -> None:
    bench.put("low news", sender=SENDER)
    leave(bench)

    async def scenario(session: AccountSession) -> list[str]:
        result = await undo(session, chosen_actions(session, Selection(since=0)))
        return [kept.reason for kept in result.kept]

    (reason,) = bench.run(scenario)
    assert reason.startswith("This cannot be undone: the list was left")


def test_a_refusal_of_the_list_is_kept_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(message_id: str) -> Unsubscribed:
        raise ProviderError("news.example refused the request (500).")

    bench.put("low news", sender=SENDER)
    monkeypatch.setattr(bench.box, "unsubscribe", refuse)
    with pytest.raises(ProviderError):
        leave(bench)
    assert [(row.state, row.error) for row in bench.actions()] == [
        ("failed", "news.example refused the request (500).")
    ]
    assert [found["outcome"] for found in warnings(bench)] == ["failed"]


def test_what_a_crash_cut_short_is_never_sent_again(bench: Bench) -> None:
    id_ = bench.put("low default", sender=SENDER)
    sent: list[str] = []
    bench.box._on_unsubscribe = sent.append  # pyright: ignore[reportPrivateUsage]
    with bench.ledger.write() as tx:
        new = NewAction(account_id=ME, message_id=id_, action_type="unsubscribe", payload={"sender": SENDER})
        bench.ledger.actions.plan(tx, [new])
    report = bench.run(lambda session: triage_and_apply(session, TriageRequest(tier=bench.tier, owner=(ME,))))
    assert not sent
    assert [action.state for action in report.earlier.failed] == ["failed"]
    assert "not done again" in (report.earlier.failed[0].error or "")


def test_a_server_that_cannot_do_it_says_so(bench: Bench) -> None:
    bench.put("low news", sender=SENDER)
    bench.box._capabilities -= {Capability.UNSUBSCRIBE}  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(BadArgument, match="cannot be left by one click"):
        leave(bench)


def test_a_sender_without_mail_or_offer_is_said(bench: Bench) -> None:
    bench.box.put(b"From: ann@example.com\r\nSubject: x\r\n\r\nx\r\n")
    with pytest.raises(NotFound, match="no mail"):
        leave(bench, "nobody@example.com")
    with pytest.raises(NotFound, match="no one-click"):
        leave(bench, "ann@example.com")
    for wrong in ("", "news", "a@b or in:anywhere", 'a@b"'):
        with pytest.raises(BadArgument):
            leave(bench, wrong)
