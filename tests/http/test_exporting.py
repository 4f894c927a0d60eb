"""An export over HTTP: the same as the command's, and texts of mail for a person alone."""

from __future__ import annotations

import json

from tests.cli.printed import fits
from tests.http.conftest import Sample


def test_an_export_is_what_the_command_writes_and_the_token_gets_no_texts(sample: Sample) -> None:
    message = sample.program.ok("POST", "/v1/email/search", {"query": "invoice"})["hits"][0]["id"]
    found = sample.program.ok("POST", "/v1/email/export")
    fits(found, "export")
    assert (found["with_bodies"], found["with_people"]) == (False, False)
    assert message in (row["message_id"] for row in found["tables"]["messages"])
    assert all(row["sender"] is None for row in found["tables"]["events"])
    assert not any("text" in row for row in found["tables"]["messages"])
    error = sample.program.refused(403, "POST", "/v1/email/export", {"bodies": True})
    assert error["kind"] == "needs_person" and f"{sample.url}/" in error["hint"]
    whole = sample.person.ok("POST", "/v1/email/export", {"bodies": True, "what": ["messages"]})
    assert list(whole["tables"]) == ["messages"]
    assert any(row.get("text") for row in whole["tables"]["messages"])


def test_only_what_was_asked_for_and_never_what_is_no_part(sample: Sample) -> None:
    sample.program.ok("POST", "/v1/email/search", {"query": "invoice"})
    found = sample.program.ok("POST", "/v1/email/export", {"what": ["events"], "since": "2999-01-01"})
    assert found["tables"] == {"events": []}
    nobody = {"account": "nobody@example.org", "what": ["messages"]}
    assert sample.program.ok("POST", "/v1/email/export", nobody)["tables"] == {"messages": []}
    error = sample.program.refused(422, "POST", "/v1/email/export", {"what": ["passwords"]})
    assert error["argument"] == "/what/0"
    assert json.dumps(found)
