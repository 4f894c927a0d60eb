"""No other program of the machine keeps the person out, and every question is answered by its own id."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from starlette.routing import BaseRoute

from gaia_email.app import App
from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import AT_ONCE, Answering
from gaia_email.interfaces.http.conversations import MOST_OF_PERSON, MOST_RUNS, Conversations
from gaia_email.interfaces.http.credentials import HttpCredentials, Principal
from gaia_email.interfaces.http.refusal import TooManyRuns
from gaia_email.interfaces.http.security_headers import SECURITY_HEADERS
from gaia_email.interfaces.http.serving import interface_application
from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email.interfaces.scoped import ScopedRoute
from tests.http.conftest import Sample
from tests.http.test_conversations import BROWSER, PROGRAM, Talk, query, talking
from tests.plugins.bundled import needs_plugin

Json = dict[str, Any]


def test_wrong_codes_are_slowed_down_and_the_right_one_always_opens(sample: Sample) -> None:
    with httpx2.Client(base_url=sample.url, timeout=60) as stranger:
        wrong = [stranger.post("/v1/session", json={"code": f"guess {n}"}).status_code for n in range(30)]
        assert wrong[:10] == [401] * 10 and wrong[-1] == 429
        opened = stranger.post("/v1/session", json={"code": sample.sessions.new_code()})
        assert opened.status_code == 200 and opened.json()["key"]
        assert stranger.post("/v1/session", json={"code": "guess"}).status_code == 429
    assert sample.person.ok("GET", "/v1/email/inbox/counts")["counts"]


def test_any_number_of_strangers_requests_leaves_the_page_and_its_login_open(sample: Sample) -> None:
    with httpx2.Client(base_url=sample.url, timeout=60) as stranger:
        for _ in range(330):  # more than anybody else may ask at once
            assert stranger.get("/health").status_code == 200
        assert {stranger.get("/v1/email/inbox").status_code for _ in range(40)} == {401}
        cookie = {"cookie": f"{sample.sessions.cookie_name}=x"}
        assert {stranger.get("/ui/inbox", headers=cookie).status_code for _ in range(40)} == {401}
        assert stranger.get("/").status_code == 200
        assert stranger.post("/v1/session", json={"code": sample.sessions.new_code()}).status_code == 200


def test_runs_of_programs_leave_the_person_places_of_their_own(demo: tuple[App, SourceSpec]) -> None:
    app, source = demo

    async def main() -> None:
        talks = Conversations(app, app.environ)
        for _ in range(MOST_RUNS):
            talks.begin(query("help"), source, PROGRAM)
        with pytest.raises(TooManyRuns):
            talks.begin(query("help"), source, Principal(kind="key", name="key 1"))
        for _ in range(MOST_OF_PERSON):
            talks.begin(query("help"), source, BROWSER)
        with pytest.raises(TooManyRuns):
            talks.begin(query("help"), source, BROWSER)
        await talks.close()

    asyncio.run(main())


def test_operations_of_programs_leave_the_person_turns_of_their_own(demo: tuple[App, SourceSpec]) -> None:
    goes_on = threading.Event()

    async def main() -> None:
        answering = Answering(demo[0])
        busy = [asyncio.create_task(answering.turn(goes_on.wait)) for _ in range(AT_ONCE + 3)]
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(30):
                assert await answering.turn(lambda: "done", of_person=True) == "done"
        finally:
            goes_on.set()
            await asyncio.gather(*busy)

    asyncio.run(main())


async def _up_to(stream: AsyncGenerator[Json, None], kind: str) -> list[Json]:
    """The events up to one of that kind, after which the client closes the connection."""
    seen: list[Json] = []
    async for event in stream:
        seen.append(event)
        if event["type"] == kind:
            break
    await stream.aclose()
    return seen


def test_a_client_that_closes_at_the_last_event_gets_the_next_line_answered(
    demo: tuple[App, SourceSpec],
) -> None:
    async def scenario(talk: Talk) -> None:
        first = await _up_to(talk.begin(query("what is urgent", session_id="s")), "final")
        shown = first[1]["data"]["rows"][0]["id"]
        for _ in range(2):
            again = await _up_to(talk.begin(query("why 1", session_id="s")), "final")
            assert [event["type"] for event in again] == ["tool_call", "tool_result", "final"]
            assert again[0]["args"] == {"id": shown}

    talking(demo, scenario)


def test_two_equal_questions_are_answered_each_by_itself(sample: Sample) -> None:
    asked: dict[str, threading.Event] = {str(uuid.uuid4()): threading.Event() for _ in range(2)}
    seen: dict[str, list[Json]] = {}

    def ask(run_id: str) -> None:
        seen[run_id] = []
        body = {"query": "remember that I sign with A.", "run_id": run_id}
        for event in sample.program.stream("POST", "/v1/email/query", body):
            seen[run_id].append(event)
            if event["type"] == "needs_confirmation":
                asked[run_id].set()

    threads = [threading.Thread(target=ask, args=(run_id,)) for run_id in asked]
    for thread in threads:
        thread.start()
    assert all(one.wait(60) for one in asked.values())
    waiting = sample.person.ok("GET", "/v1/email/pending")["confirmations"]
    assert len({one["id"] for one in waiting}) == 2 and len({one["text"] for one in waiting}) == 1
    assert {one["origin"]["text"] for one in waiting} == {
        "A program with the API token asked for it over HTTP."
    }
    first, second = asked
    for run_id, approve in ((first, False), (second, True)):
        url = f"/v1/email/query/{run_id}/confirm"
        assert sample.person.ok("POST", url, {"approve": approve})["approved"] is approve
    for thread in threads:
        thread.join(60)
    assert seen[first][-1]["type"] == "error" and "said no" in seen[first][-1]["detail"]
    assert seen[second][-1]["type"] == "final"
    told = json.dumps([seen[first], seen[second]])
    assert not any(one["id"] in told for one in waiting), "whoever asked is told no id"


def _all_routes(app: App) -> list[BaseRoute]:
    return list(interface_application(app, {}, HttpCredentials(sessions=PersonSessions(port=1))).routes)


def _example(path: str) -> str:
    """A path with something for each name in it."""
    return "/".join("00000000" if part.startswith("{") else part for part in path.split("/"))


def _lacking(headers: Any) -> set[str]:
    """What of the security headers an answer does not carry."""
    return {name for name in SECURITY_HEADERS if not headers.get(name)}


@pytest.mark.timeout(300)
def test_every_answer_carries_the_security_headers(sample: Sample) -> None:
    checked = 0
    with httpx2.Client(base_url=sample.url, timeout=60) as stranger:
        for route in _all_routes(sample.app):
            if not isinstance(route, ScopedRoute):
                continue
            for method in sorted((route.methods or set()) | {"PATCH", "OPTIONS"}):
                answer = stranger.request(method, _example(route.path))
                assert _lacking(answer.headers) == set(), (method, route.path, answer.status_code)
                checked += 1
        assert checked > 500
        for path in ("/nothing", "/%2e%2e/x", "/static/nothing.js", "/" + "x" * 3000):
            assert _lacking(stranger.get(path).headers) == set(), path
        assert _lacking(stranger.get("/health", headers={"host": "evil.example"}).headers) == set()
        assert _lacking(stranger.post("/v1/email/search", content=b"x" * (2 << 20)).headers) == set()
    for caller in (sample.program, sample.person):
        for path in ("/v1/email/inbox/counts", "/v1/email/nothing", "/gaia/v1/email/nothing", "/docs"):
            assert _lacking(caller.answer("GET", path).headers) == set(), path


def test_the_described_contract_runs_nothing_and_keeps_its_style(sample: Sample) -> None:
    policy = sample.program.answer("GET", "/docs").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "sha256-" in policy


@needs_plugin("automations")
def test_a_key_s_name_stands_in_the_question_it_asks(sample: Sample) -> None:
    _, secret = ApiKeys(api_keys_file(sample.app.environ)).add("phone of Eve", ["read", "draft"])
    line = {"query": "when an invoice arrives, label it Invoices", "run_id": str(uuid.uuid4())}
    headers = {"authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=sample.url, timeout=60, headers=headers) as client:
        assert "final" in client.post("/v1/email/query", json=line).text
    (item,) = [
        one
        for one in sample.person.ok("GET", "/v1/email/pending")["items"]
        if one["account"].startswith("automation:")
    ]
    said = "An API key named ‘phone of Eve’ asked for it over HTTP."
    assert (item["origin"]["principal"], item["origin"]["text"], item["why"]) == ("api_key", said, said)
    assert said in sample.person.answer("GET", "/ui/waiting").text
