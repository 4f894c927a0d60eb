"""What API keys may of the endpoints that are no operation."""

from __future__ import annotations

import httpx2
import pytest

from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from tests.http.conftest import Sample
from tests.http.serving import Caller

RUN = "6f1d6f0e-52c4-4a3f-9b59-0d9a1e6b7c10"
LINE = {"query": "help", "run_id": RUN}
SAID = {"model": "gaia-email", "messages": [{"role": "user", "content": "help"}]}


@pytest.mark.parametrize(
    ("method", "path", "body", "scope"),
    [
        ("POST", "/v1/email/query", LINE, "draft"),
        ("POST", f"/v1/email/query/{RUN}/cancel", {}, "draft"),
        ("POST", f"/v1/email/query/{RUN}/respond", {"request_id": "a", "value": "1"}, "draft"),
        ("POST", "/v1/chat/completions", SAID, "draft"),
        ("GET", "/v1/email/events", None, "read"),
    ],
)
def test_conversations_need_the_scope_draft_and_events_the_scope_read(
    sample: Sample, method: str, path: str, body: object, scope: str
) -> None:
    keys = ApiKeys(api_keys_file(sample.app.environ))
    for scopes in (["read"], ["draft"], ["act"], ["read", "act"]):
        _, key = keys.add("phone", scopes)
        headers = {"authorization": f"Bearer {key}"}
        with httpx2.Client(base_url=sample.url, timeout=60, headers=headers) as client:
            if scope not in scopes:
                assert Caller(client).refused(403, method, path, body)["kind"] == "needs_scope"
                continue
            with client.stream(method, path, json=body) as response:
                assert response.status_code in (200, 409)
