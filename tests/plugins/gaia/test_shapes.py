"""Every answer under the peer's contract has its shape, by our document and by the peer's own."""

from __future__ import annotations

import uuid
from typing import Any

from gaia_email.app.services.brief_run import keep_brief
from gaia_email.runs.job import Job
from gaia_email_gaia.inputs import CONTRACT
from tests.origins import PERSON
from tests.plugins.gaia.conftest import ME, PREFIX, Described, PeerCaller, PeerSample, pushed, single

Json = dict[str, Any]


def tour(peer: PeerSample, caller: PeerCaller) -> None:
    """Each endpoint that answers with a document, once."""
    for path in ("health", "version"):
        caller.ok("GET", f"/v1/email/{path}")
    caller.ok("GET", "/v1/email/init")
    caller.ok("POST", "/v1/email/triage", single(pushed("Can you send me the contract by 5pm?")))
    payload = single(pushed("Sale!", subject="50% off"))["payload"]
    caller.ok("POST", "/v1/email/triage/batch", {"items": [payload, payload]})
    for asked in ({}, {"query": "invoice", "max_results": 2}, {"labels": ["INBOX"], "max_results": 1}):
        caller.ok("POST", "/v1/email/search", asked)
    caller.ok("POST", "/v1/email/prescan", {})
    caller.ok("GET", "/v1/email/attention?max_messages=3")
    login = {"access_token": "ya29.secret", "expires_at": 4e9, "scopes": ["mail"]}
    caller.ok("POST", "/v1/connections/google", login)
    caller.ok("GET", "/v1/connections")
    caller.ok("DELETE", "/v1/connections/google")
    mail = {"to": [{"email": "ann@acme.example", "name": "Ann"}], "subject": "Hello", "body": "Yes."}
    caller.ok("POST", "/v1/email/draft", mail)
    caller.misfit("POST", "/v1/email/send", {**mail, "to": []})
    message = peer.message()
    for action, back, handle in (
        ("archive", "unarchive", "batch_id"),
        ("quarantine", "unquarantine", "action_id"),
    ):
        token = caller.ok("POST", "/v1/email/confirm", {"action": action, "message_id": message})
        given = {"message_id": message, "confirmation_token": token["confirmation_token"]}
        flagged = {"is_phishing": True} if action == "quarantine" else {}
        done = caller.ok("POST", f"/v1/email/{action}", {**given, **flagged})
        caller.ok("POST", f"/v1/email/{back}", {handle: done[handle]})


def test_every_answer_is_as_the_documents_say(peer: PeerSample, their_document: Described) -> None:
    peer.person.described.append(their_document)
    tour(peer, peer.person)


def test_every_answer_is_as_our_document_says(peer: PeerSample) -> None:
    tour(peer, peer.person)
    assert len({path.partition("?")[0] for path in peer.person.checked}) == 18


def test_every_operation_of_the_peers_is_there(peer: PeerSample, their_document: Described) -> None:
    ours = peer.sample.program.ok("GET", f"{PREFIX}/openapi.json")["paths"]
    for path, methods in their_document.document["paths"].items():
        for method in methods:
            assert method in ours[f"{PREFIX}{path}"], f"{method} {path}"


def test_every_request_the_peers_document_allows_has_its_fields_here(
    peer: PeerSample, their_document: Described
) -> None:
    ours = peer.sample.program.ok("GET", f"{PREFIX}/openapi.json")["paths"]
    schemas = their_document.document["components"]["schemas"]
    for path, methods in their_document.document["paths"].items():
        for method, one in methods.items():
            if "requestBody" not in one:
                continue
            theirs = schemas[
                one["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            ]
            mine = ours[f"{PREFIX}{path}"][method]["requestBody"]["content"]["application/json"]["schema"]
            assert set(mine["properties"]) == set(theirs["properties"]), path
            assert set(mine.get("required", ())) == set(theirs.get("required", ())), path


def test_a_daemon_finds_the_service_and_its_version(peer: PeerSample) -> None:
    for below in ("", "/v1/email"):
        assert peer.program.ok("GET", f"{below}/health")["service"] == "gaia-agent-email"
        assert peer.program.ok("GET", f"{below}/version")["apiVersion"] == CONTRACT == "2.14"


MISFITS: list[tuple[str, str, object, list[str | int], str]] = [
    ("POST", "triage", {}, ["body", "payload"], "missing"),
    ("POST", "triage", {"payload": {"kind": "other"}}, ["body", "payload", "kind"], "value_error"),
    ("POST", "search", {"max_results": 101}, ["body", "max_results"], "value_error"),
    ("POST", "search", {"querry": "a"}, ["body", "querry"], "extra_forbidden"),
    ("POST", "search", [1], ["body"], "json_invalid"),
    ("POST", "search", None, ["body"], "missing"),
    ("POST", "search", {"max_results": 2.5}, ["body", "max_results"], "value_error"),
    (
        "POST",
        "triage/batch",
        {"items": [{"kind": "single", "principal": ME, "message": 3}]},
        ["body", "items", 0, "message"],
        "value_error",
    ),
    ("POST", "confirm", {"action": "delete", "message_id": "a"}, ["body", "action"], "value_error"),
    ("GET", "attention?max_messages=0", None, ["query", "max_messages"], "value_error"),
    (
        "POST",
        "send",
        {"to": [{"email": "a@b.example", "name": "A\r\nBcc: x@y.example"}], "subject": "", "body": ""},
        ["body", "to", 0, "name"],
        "value_error",
    ),
    (
        "POST",
        "draft",
        {"to": [{"email": "a@b.example"}], "subject": "a\nBcc: x@y.example", "body": ""},
        ["body", "subject"],
        "value_error",
    ),
]


def test_what_does_not_fit_is_said_as_fastapi_says_it(peer: PeerSample) -> None:
    for method, path, body, loc, kind in MISFITS:
        found = peer.program.misfit(method, f"/v1/email/{path}", body)
        assert (found["loc"], found["type"]) == (loc, kind), path
        assert found["msg"]


def test_what_is_not_done_here_says_so(peer: PeerSample) -> None:
    event = {"summary": "Lunch", "start": {"date": "2026-01-01"}, "end": {"date": "2026-01-02"}}
    for path in ("", "/preview"):
        assert "calendar" in peer.person.refused(501, "POST", f"/v1/email/calendar/events{path}", event)
    answer = {"event_id": "e", "status": "accepted", "attendee_email": ME["email"]}
    peer.person.refused(501, "POST", "/v1/email/calendar/events/respond", answer)
    assert "no calendar" in peer.program.refused(404, "GET", "/v1/email/calendar/events")
    assert "prescan" in peer.program.refused(404, "GET", "/v1/email/briefing")
    file = {"filename": "a", "mime_type": "text/plain", "content_base64": ""}
    mail = {"to": [ME], "subject": "s", "body": "b", "attachments": [file]}
    assert "Files" in peer.person.refused(501, "POST", "/v1/email/draft", mail)
    assert peer.sample.program.answer("GET", f"{PREFIX}/nothing").json()["detail"]
    wrong = peer.sample.program.answer("PUT", f"{PREFIX}/v1/connections/google")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "DELETE, POST")


def test_the_briefing_is_the_brief_that_the_clock_made(peer: PeerSample) -> None:
    source = peer.sample.source
    job = Job(
        kind="brief", run_id="0" * 36, place=source.mailbox, owner=source.user, scheduled=True, origin=PERSON
    )
    assert keep_brief(job, environ=peer.sample.app.environ)["made"]
    found = peer.program.ok("GET", "/v1/email/briefing")
    brief = peer.sample.program.ok("POST", "/v1/email/brief", {"last": True})
    told = found["briefing"]
    assert found["generated_at"] == brief["made_at"]
    assert told["totals"]["urgent"] == brief["email"]["urgent"]["threads"] > 0
    assert [one["message_id"] for one in told["urgent"]] == [
        one["id"] for one in brief["email"]["urgent"]["rows"][:5]
    ]
    assert [one["ref"] for one in told["needs_you"]] == [1, 2, 3, 4, 5]


def test_coverage_counts_what_was_looked_at_and_nothing_else(peer: PeerSample) -> None:
    inbox = peer.sample.program.ok("GET", "/v1/email/inbox")
    found = peer.program.ok("GET", "/v1/email/attention?max_messages=1")["result"]
    assert len(found["items"]) == 1
    assert found["coverage"]["scanned"] == inbox["total"]
    assert not found["coverage"]["scan_truncated"] and not found["coverage"]["degraded"]
    scanned = peer.program.ok("POST", "/v1/email/prescan", {})["result"]
    needing = inbox["buckets"]["urgent"] + inbox["buckets"]["actionable"]
    assert scanned["needs_you_total"] >= len([row for row in needing if not row["unsure"]])
    assert scanned["suspicious_total"] == inbox["counts"]["suspicious"]["threads"]
    assert sum(scanned["totals"].values()) + scanned["suspicious_total"] == inbox["threads"]
    assert [row["ref"] for row in scanned["needs_you"]] == [1, 2, 3, 4, 5]
    assert scanned["suspicious_total"] >= len(scanned["suspicious"]) > 0


def test_a_search_goes_on_with_the_next_page(peer: PeerSample) -> None:
    seen: list[str] = []
    token: str | None = None
    assert peer.program.ok("POST", "/v1/email/search", {"max_results": 1.0})["count"] == 1
    for _ in range(3):
        asked: Json = {"query": "in:inbox", "max_results": 2, "page_token": token}
        found = peer.program.ok("POST", "/v1/email/search", asked)
        seen += [row["id"] for row in found["messages"]]
        token = found["next_page_token"]
    assert len(seen) == len(set(seen)) == 6
    peer.program.refused(404, "POST", "/v1/email/search", {"page_token": "x"})
    assert "date" in peer.program.refused(400, "POST", "/v1/email/search", {"query": "after:soon"})


def test_a_forwarded_login_is_kept_in_memory_and_its_token_is_told_to_nobody(peer: PeerSample) -> None:
    secret = f"ya29.{uuid.uuid4()}"
    login = {"access_token": secret, "expires_at": 4e9, "account_email": "a@b.example"}
    for asked in (peer.sample.person, peer.sample.program):
        response = asked.answer("POST", f"{PREFIX}/v1/connections/google", login)
        assert response.status_code == 200 and secret not in response.text + str(response.headers)
    listed = peer.program.ok("GET", "/v1/connections")["connections"]
    assert [(one["provider"], one["account_email"]) for one in listed] == [("google", "a@b.example")]
    home = peer.sample.app.home
    assert not [path for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert peer.program.ok("DELETE", "/v1/connections/google")["withdrawn"]
    assert not peer.program.ok("DELETE", "/v1/connections/google")["withdrawn"]
    ended = peer.program.refused(409, "POST", "/v1/connections/google", {**login, "expires_at": 1})
    assert "ended" in ended and not peer.program.ok("GET", "/v1/connections")["connections"]
    peer.program.refused(404, "POST", "/v1/connections/elsewhere", login)
    refresh = {**login, "refresh_token": "r"}
    assert peer.program.misfit("POST", "/v1/connections/google", refresh)["type"] == "extra_forbidden"
