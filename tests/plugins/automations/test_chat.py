"""A sentence of a conversation that asks for an automation becomes a question, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import open_ledger
from gaia_email_automations.interfaces.chat import is_sentence
from gaia_email_automations.store import AutomationStore
from tests.chat.test_conversations import Talk


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


@pytest.mark.parametrize(
    "line",
    ["when a newsletter arrives, archive it", "automate: every monday at 8:00, give me the brief"],
)
def test_what_is_asked_for_waits_in_the_agent_inbox(sample: SourceSpec, line: str) -> None:
    turn = Talk(sample).say(line)
    assert turn.calls == ["propose"]
    assert "waits in your Agent Inbox" in turn.text and "Nothing is saved before you do" in turn.text
    with open_ledger(read_only=True) as ledger, ledger.read() as tx:
        assert AutomationStore.of(ledger).all(tx) == []
        (asked,) = ledger.pending.select(tx, type="notify")
    assert "Save this automation?" in str(asked.proposal["asked"])


@pytest.mark.parametrize(
    "line",
    [
        "when did Priya write, and what did she say",
        "when a newsletter arrives, dance",
        "if that is so, archive 1",
        "every mail of Priya",
        "when",
        "",
    ],
)
def test_what_is_not_wholly_understood_is_no_automation(line: str) -> None:
    assert not is_sentence(line)
