"""A mail sent under the peer's contract: the bytes that leave are those that a person was shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastmcp import FastMCP

from gaia_email.actions.pending.questions import asked_by_servers
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox
from tests.mailbox_wrapper import MailboxWrapper
from tests.plugins.gaia.conftest import PREFIX, PeerSample

MAIL = {
    "to": [{"email": "ann@acme.example", "name": "Ann Öz"}, {"email": "bo@acme.example"}],
    "subject": "Größe",
    "body": "Yes, on Monday.\n\nAlex",
}


class _Kept(MailboxWrapper):
    """The mailbox, which a server that stops does not close."""

    async def aclose(self) -> None:
        pass


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[Delivery]:
    """What has left a mailbox that sends, which is in the place of the sample's files."""
    found: list[Delivery] = []
    made = MemoryMailbox("alex.rivera@lindenwerk.example", deliver=found.append)

    def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
        return lambda options: create_server(_Kept(made), SurfaceSettings(approval=CALLER))

    monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)
    return found


def test_with_a_persons_yes_exactly_the_shown_mail_leaves_once(
    peer: PeerSample, left: list[Delivery]
) -> None:
    program = peer.program
    token = program.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    given = {**MAIL, "confirmation_token": token}
    program.refused(403, "POST", "/v1/email/send", given)
    assert not left
    peer.say(yes=True)
    sent = program.ok("POST", "/v1/email/send", given)
    assert sent["sent"] and sent["sent_id"]
    program.refused(403, "POST", "/v1/email/send", given)
    (delivery,) = left
    message = parse_message(delivery.raw)
    assert [one.address for one in message.to] == ["ann@acme.example", "bo@acme.example"]
    assert message.subject == "Größe"
    assert message.text.replace("\r\n", "\n").strip() == MAIL["body"]
    assert not asked_by_servers(peer.sample.app.environ)
    action = peer.sample.program.ok("GET", "/v1/email/actions")["actions"][0]
    assert (action["type"], action["state"], action["undoable"]) == ("send", "applied", False)


def test_of_four_calls_at_once_one_sends(peer: PeerSample, left: list[Delivery]) -> None:
    token = peer.program.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    peer.say(yes=True)
    given = {**MAIL, "confirmation_token": token}

    def call(_: int) -> int:
        return peer.sample.program.answer("POST", f"{PREFIX}/v1/email/send", given).status_code

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(call, range(4)))
    assert sorted(answers) == [200, 403, 403, 403]
    assert len(left) == 1


def test_one_yes_to_two_tokens_for_the_same_mail_sends_it_once(
    peer: PeerSample, left: list[Delivery]
) -> None:
    tokens = [peer.program.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"] for _ in range(2)]
    peer.say(yes=True)
    peer.program.ok("POST", "/v1/email/send", {**MAIL, "confirmation_token": tokens[0]})
    peer.program.refused(403, "POST", "/v1/email/send", {**MAIL, "confirmation_token": tokens[1]})
    assert len(left) == 1


def test_a_stopped_agent_sends_nothing(peer: PeerSample, left: list[Delivery]) -> None:
    token = peer.person.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    peer.sample.program.ok("POST", "/v1/email/stop")
    peer.person.refused(403, "POST", "/v1/email/send", {**MAIL, "confirmation_token": token})
    assert not left


def test_a_mailbox_that_cannot_send_says_so(peer: PeerSample) -> None:
    token = peer.person.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    assert "No mail can be sent" in peer.person.refused(
        400, "POST", "/v1/email/send", {**MAIL, "confirmation_token": token}
    )
