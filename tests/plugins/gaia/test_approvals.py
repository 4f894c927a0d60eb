"""Under the peer's contract a token does nothing until a person said yes to exactly what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import pytest

from gaia_email.app.services import questions
from gaia_email.app.services.agent_inbox import server_inbox
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email.triage.inbox import FoundMessage
from gaia_email_gaia import approvals
from tests.http.conftest import Sample
from tests.http.serving import Caller, free_port, served_at
from tests.plugins.gaia.conftest import ME, PREFIX, PeerCaller, PeerSample

Json = dict[str, Any]
MAIL: Json = {"to": [{"email": "ann@acme.example"}], "subject": "Hello", "body": "Yes, on Monday."}
WAITS = "Agent Inbox"


def confirm(caller: PeerCaller, action: str, message: str) -> Json:
    """A token for an action, as the body of the call that uses it."""
    found = caller.ok("POST", "/v1/email/confirm", {"action": action, "message_id": message})
    more = {"is_phishing": True} if action == "quarantine" else {}
    return {"message_id": message, "confirmation_token": found["confirmation_token"], **more}


def test_the_obedient_program_with_the_api_token_has_no_effect_on_any_path(peer: PeerSample) -> None:
    message, program = peer.message(), peer.program
    before = peer.labels(message)
    for action in ("archive", "quarantine"):
        given = confirm(program, action, message)
        for _ in range(3):
            assert WAITS in program.refused(403, "POST", f"/v1/email/{action}", given)
        for token in (None, "", "x" * 32):
            program.refused(403, "POST", f"/v1/email/{action}", {**given, "confirmation_token": token})
    token = program.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    assert WAITS in program.refused(403, "POST", "/v1/email/send", {**MAIL, "confirmation_token": token})
    program.refused(403, "POST", "/v1/email/send", MAIL)
    for line in ("archive 1", "undo", "remember that I like tea"):
        events = list(program.stream({"query": line}))
        assert events[-1]["type"] in ("final", "error")
    assert peer.actions() == 0
    assert peer.labels(message) == before


@pytest.mark.parametrize(
    ("action", "back", "handle", "label"),
    [("archive", "unarchive", "batch_id", "INBOX"), ("quarantine", "unquarantine", "action_id", "SPAM")],
)
def test_with_a_persons_yes_it_is_done_once_and_with_another_taken_back_exactly(
    peer: PeerSample, action: str, back: str, handle: str, label: str
) -> None:
    message, program = peer.message(), peer.program
    before = peer.labels(message)
    given = confirm(program, action, message)
    program.refused(403, "POST", f"/v1/email/{action}", given)
    assert "1 message" in peer.say(yes=True)
    done = program.ok("POST", f"/v1/email/{action}", given)
    after = peer.labels(message)
    assert (label in after) is (action == "quarantine") and "INBOX" not in after
    program.refused(403, "POST", f"/v1/email/{action}", given)
    undo = {handle: done[handle]}
    assert WAITS in program.refused(403, "POST", f"/v1/email/{back}", undo)
    assert peer.labels(message) == after
    assert "Take back 1 action" in peer.say(yes=True)
    program.ok("POST", f"/v1/email/{back}", undo)
    assert peer.labels(message) == before
    program.refused(409, "POST", f"/v1/email/{back}", undo)


def test_a_no_stands(peer: PeerSample) -> None:
    given = confirm(peer.program, "archive", peer.message())
    peer.say(yes=False)
    assert "said no" in peer.program.refused(403, "POST", "/v1/email/archive", given)
    assert peer.actions() == 0


def test_a_token_is_for_one_action_on_one_message(peer: PeerSample) -> None:
    message, other, program = peer.message(), peer.message("urgent"), peer.program
    given = confirm(program, "archive", message)
    peer.say(yes=True)
    program.refused(403, "POST", "/v1/email/archive", {**given, "message_id": other})
    program.refused(403, "POST", "/v1/email/quarantine", {**given, "is_phishing": True})
    program.refused(
        403, "POST", "/v1/email/send", {**MAIL, "confirmation_token": given["confirmation_token"]}
    )
    assert peer.actions() == 0
    program.ok("POST", "/v1/email/archive", given)


def test_a_yes_to_one_text_is_none_to_another(peer: PeerSample) -> None:
    program = peer.program
    token = program.ok("POST", "/v1/email/draft", MAIL)["confirmation_token"]
    shown = peer.say(yes=True)
    assert "ann@acme.example" in shown and "another organisation" in shown and "Yes, on Monday." in shown
    for name, value in (
        ("body", "No."),
        ("subject", "Hello!"),
        ("to", [{"email": "eve@evil.example"}]),
        ("to", [*MAIL["to"], {"email": "eve@evil.example"}]),
    ):
        changed = {**MAIL, name: value, "confirmation_token": token}
        assert "something else" in program.refused(403, "POST", "/v1/email/send", changed)
    assert peer.actions() == 0


def test_a_token_is_good_for_ten_minutes(peer: PeerSample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approvals, "VALID_S", -1.0)
    given = confirm(peer.program, "archive", peer.message())
    peer.say(yes=True)
    assert "ten minutes" in peer.program.refused(403, "POST", "/v1/email/archive", given)
    assert peer.actions() == 0


def test_the_oldest_tokens_go_when_there_are_too_many(
    peer: PeerSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approvals, "MOST_TOKENS", 1)
    message = peer.message()
    first, second = confirm(peer.person, "archive", message), confirm(peer.person, "archive", message)
    peer.person.refused(403, "POST", "/v1/email/archive", first)
    peer.person.ok("POST", "/v1/email/archive", second)


def test_a_person_needs_no_second_word_but_a_token(peer: PeerSample) -> None:
    message, person = peer.message(), peer.person
    person.refused(403, "POST", "/v1/email/archive", {"message_id": message})
    done = person.ok("POST", "/v1/email/archive", confirm(person, "archive", message))
    assert not peer.waiting()
    peer.program.refused(409, "POST", "/v1/email/unquarantine", {"action_id": done["action_id"]})
    person.ok("POST", "/v1/email/unarchive", {"batch_id": done["batch_id"]})


def test_what_a_person_asked_a_token_for_a_program_may_not_do(peer: PeerSample) -> None:
    given = confirm(peer.person, "archive", peer.message())
    assert WAITS in peer.program.refused(403, "POST", "/v1/email/archive", given)
    peer.say(yes=True)
    peer.program.ok("POST", "/v1/email/archive", given)


def test_what_is_not_there_is_not_asked_about(peer: PeerSample) -> None:
    peer.program.refused(404, "POST", "/v1/email/confirm", {"action": "archive", "message_id": "nosuch"})
    for handle in ("x", "00000000-0000-0000-0000-000000000000", peer.message()):
        peer.program.refused(409, "POST", "/v1/email/unarchive", {"batch_id": handle})
    given = confirm(peer.person, "archive", peer.message())
    peer.person.ok("POST", "/v1/email/archive", given)
    again = confirm(peer.person, "archive", given["message_id"])
    peer.person.refused(409, "POST", "/v1/email/archive", again)
    assert not peer.waiting()


def test_only_what_is_said_to_be_a_trap_is_quarantined(peer: PeerSample) -> None:
    given = confirm(peer.person, "quarantine", peer.message())
    peer.person.refused(400, "POST", "/v1/email/quarantine", {**given, "is_phishing": False})
    assert peer.actions() == 0


@pytest.fixture
def host(sample: Sample) -> Iterator[PeerCaller]:
    """A program with the API token on a server where its word is a person's, and the peer's contract at the root."""
    with free_port() as (listening, port):
        token = ApiToken(api_token_file(sample.app.environ))
        application = http_interface(
            sample.app,
            sample.app.environ,
            served=ServedAt.on(port),
            credentials=HttpCredentials(token=token, sessions=PersonSessions(port=port), token_decides=True),
            sample=sample.source,
            contract="gaia",
        )
        bearer = {"authorization": f"Bearer {token.path.read_text().strip()}"}
        with (
            served_at(application, listening) as url,
            httpx2.Client(base_url=url, timeout=60, headers=bearer) as client,
        ):
            yield PeerCaller(_AtRoot(client), [])


class _AtRoot(Caller):
    """Asks where the contract has no prefix."""

    def answer(self, method: str, path: str, body: object = None, **more: Any) -> httpx2.Response:
        return super().answer(method, path.removeprefix(PREFIX), body, **more)


def test_where_the_user_chose_it_a_hosts_word_is_enough(host: PeerCaller, sample: Sample) -> None:
    assert host.ok("GET", "/health")["service"] == "gaia-agent-email"
    assert host.caller.ok("GET", "/own/health")["service"] == "gaia-email"
    message = sample.message()
    host.ok("POST", "/v1/email/archive", confirm(host, "archive", message))
    assert not server_inbox(sample.app, "tests").waiting()
    assert host.caller.ok("GET", "/own/v1/email/actions")["total"] == 1
    page = host.caller.answer("GET", "/").text
    assert 'data-api="/own"' in page
    assert host.refused(404, "GET", "/v1/email/inbox")


def test_without_a_credential_only_what_says_nothing_of_mail_is_answered(peer: PeerSample) -> None:
    with httpx2.Client(base_url=peer.sample.url, timeout=60) as nobody:
        for path in ("/health", "/version", "/v1/email/health", "/v1/email/version"):
            assert nobody.get(f"{PREFIX}{path}").status_code == 200
        for path in ("/v1/email/init", "/v1/connections", "/v1/email/attention"):
            refused = nobody.get(f"{PREFIX}{path}")
            assert refused.status_code == 401 and set(refused.json()) == {"detail"}
        assert nobody.post(f"{PREFIX}/v1/email/triage", json={}).status_code == 401
        assert "error" in nobody.get("/v1/email/inbox").json()


def test_a_message_that_was_swapped_after_the_yes_is_not_moved(
    peer: PeerSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = confirm(peer.program, "archive", peer.message())
    peer.say(yes=True)

    made = questions.archive_question

    def otherwise(account: str, found: Sequence[FoundMessage]) -> questions.QuestionDocument:
        return {**made(account, found), "question": "Something else?"}

    monkeypatch.setattr(questions, "archive_question", otherwise)
    assert "changed" in peer.program.refused(403, "POST", "/v1/email/archive", given)
    assert peer.actions() == 0


def test_whom_a_mail_goes_to_cannot_hide_in_a_name(peer: PeerSample) -> None:
    mail = {**MAIL, "to": [{"email": "eve@evil.example", "name": 'Ann" <ann@acme.example>, "x'}]}
    peer.program.ok("POST", "/v1/email/draft", mail)
    (shown,) = peer.waiting()
    assert "to: eve@evil.example" in shown and "to: ann@" not in shown
    assert ME["email"] not in shown
