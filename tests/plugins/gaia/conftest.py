"""The peer's contract on the sample mailbox: every answer is held against its schema as it comes."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gaia_email.app.services.agent_inbox import server_inbox
from tests.http.conftest import Sample
from tests.http.serving import Caller

Json = dict[str, Any]

PREFIX = "/gaia"
ME = {"email": "alex.rivera@lindenwerk.example"}
SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "gaia_http" / "openapi.email.json"


class Described:
    """An OpenAPI document, to hold answers against."""

    def __init__(self, document: Json, prefix: str = "") -> None:
        self.document = document
        self._prefix = prefix

    def schema(self, method: str, path: str, status: int) -> Json | None:
        """Of an answer; None where the document has none."""
        for known, methods in self.document["paths"].items():
            pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(known))
            if re.fullmatch(pattern, self._prefix + path.partition("?")[0]) and method.lower() in methods:
                answers = methods[method.lower()]["responses"].get(str(status), {})
                found: Json | None = answers.get("content", {}).get("application/json", {}).get("schema")
                return found
        return None

    def check(self, method: str, path: str, status: int, answer: object) -> bool:
        """Hold an answer against the document; whether there was something to hold it against."""
        schema = self.schema(method, path, status)
        if schema is None:
            return False
        whole = {**schema, "components": self.document.get("components", {})}
        Draft202012Validator(whole).validate(answer)  # pyright: ignore[reportUnknownMemberType]
        return True


@dataclass
class PeerCaller:
    """Somebody who asks by the peer's contract."""

    caller: Caller
    described: list[Described]
    checked: set[str] = field(default_factory=set[str])

    def answer(self, status: int, method: str, path: str, body: object = None) -> Json:
        """The document that is answered with that status."""
        response = self.caller.answer(method, f"{PREFIX}{path}", body)
        assert response.status_code == status, response.text
        found: Json = response.json()
        for one in self.described:
            if one.check(method, path, status, found):
                self.checked.add(f"{method} {path}")
        return found

    def ok(self, method: str, path: str, body: object = None) -> Json:
        return self.answer(200, method, path, body)

    def refused(self, status: int, method: str, path: str, body: object = None) -> str:
        """What is said against it."""
        detail = self.answer(status, method, path, body)["detail"]
        assert isinstance(detail, str) and detail
        return detail

    def misfit(self, method: str, path: str, body: object = None) -> Json:
        """What did not fit."""
        (found,) = self.answer(422, method, path, body)["detail"]
        part: Json = found
        return part

    def stream(self, body: Json) -> Iterator[Json]:
        """The events of a query."""
        asked: Json = {"run_id": str(uuid.uuid4()), "context": [], **body}
        return self.caller.stream("POST", f"{PREFIX}/v1/email/query", asked)


@dataclass
class PeerSample:
    """The sample mailbox under the peer's contract."""

    sample: Sample
    program: PeerCaller
    person: PeerCaller

    def message(self, bucket: str = "actionable") -> str:
        """The id of a message of the inbox."""
        return str(self.sample.program.ok("GET", "/v1/email/inbox")["buckets"][bucket][0]["id"])

    def actions(self) -> int:
        """How much was done."""
        return int(self.sample.program.ok("GET", "/v1/email/actions")["total"])

    def waiting(self) -> list[str]:
        """The questions that wait for a person."""
        return [one.asked.shown for one in server_inbox(self.sample.app, "tests").waiting()]

    def say(self, yes: bool) -> str:
        """Answer the one question that waits, as a person in the Agent Inbox; what was shown."""
        inbox = server_inbox(self.sample.app, "tests")
        (one,) = inbox.waiting()
        answered = inbox.approve(one.approval_id) if yes else inbox.reject(one.approval_id)
        assert answered.counts
        return one.asked.shown

    def labels(self, message_id: str) -> set[str]:
        """Those of a message of the inbox or elsewhere."""
        shown = self.sample.program.ok("POST", "/v1/email/show", {"message_id": message_id})
        return set(shown["labels"])


@pytest.fixture
def peer(sample: Sample) -> PeerSample:
    described = [Described(sample.program.ok("GET", f"{PREFIX}/openapi.json"), PREFIX)]
    return PeerSample(sample, PeerCaller(sample.program, described), PeerCaller(sample.person, described))


@pytest.fixture
def their_document() -> Described:
    if not SHARED.exists():
        pytest.skip("the peer's document is not on this machine")
    return Described(json.loads(SHARED.read_text(encoding="utf-8")))


def pushed(body: str, *, subject: str = "Contract", **more: object) -> Json:
    """A message as a host hands it over."""
    sender = {"email": "ann@acme.example", "name": "Ann"}
    return {"message_id": "m1", "from": sender, "subject": subject, "body": body, **more}


def single(message: Json, **more: object) -> Json:
    """A request to judge it."""
    return {"payload": {"kind": "single", "principal": ME, "message": message}, **more}


@pytest.fixture
def is_hosted() -> bool:
    """The peer's daemon starts the server, with a token of its own."""
    return True
