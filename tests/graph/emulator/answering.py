"""Answers and errors as Graph writes them. Entries: `answer_json`, `refusal`, `Refused`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from tests.gmail.emulator.http import Request, Response


class Refused(Exception):
    """An error answer: https://learn.microsoft.com/graph/errors."""

    def __init__(self, status: int, code: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, headers


def answer_json(content: Mapping[str, object], status: int = 200) -> Response:
    """JSON as an answer."""
    return Response(
        status=status, headers={"Content-Type": "application/json"}, body=json.dumps(content).encode()
    )


def refusal(refused: Refused) -> Response:
    """An error as an answer."""
    answer = answer_json({"error": {"code": refused.code, "message": refused.message}}, refused.status)
    answer.headers |= {name.replace("_", "-"): value for name, value in refused.headers.items()}
    return answer


def throttled(retry_after_s: int = 3, status: int = 429) -> Response:
    """Too many requests."""
    code = "ApplicationThrottled" if status == 429 else "serviceNotAvailable"
    return refusal(Refused(status, code, "Wait.", Retry_After=str(retry_after_s)))


def page_size(request: Request, usual: int = 10) -> int:
    """What `odata.maxpagesize` asks for (https://learn.microsoft.com/graph/delta-query-messages)."""
    for preference in request.headers.get("prefer", "").split(","):
        name, _, value = preference.strip().partition("=")
        if name.lower() == "odata.maxpagesize":
            return int(value)
    return usual


def argument_of(request: Request, name: str) -> str:
    """An argument of an action, whose first letter clients write large or small."""
    found = {key[:1].lower() + key[1:]: value for key, value in body_of(request).items()}
    return str(found.get(name, ""))


def body_of(request: Request) -> dict[str, Any]:
    """The JSON that a request holds."""
    try:
        content = json.loads(request.body or b"{}")
    except ValueError:
        raise Refused(400, "BadRequest", "Unable to read JSON request payload.") from None
    if not isinstance(content, dict):
        raise Refused(400, "BadRequest", "A JSON object is expected.")
    return cast(dict[str, Any], content)
