"""Webhooks of Slack on the page of integrations."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.pages_web.pages import Pages, PersonsPages
from tests.pages_web.test_integrations import SECRET, in_no_file, pages, person

__all__ = ["pages", "person"]


class Hook(HTTPServer):
    """A server in the place of Slack that keeps what is posted to it."""

    got: list[str]


@pytest.fixture
def hook() -> Iterator[Hook]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            server.got.append(self.rfile.read(size).decode())
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = Hook(("127.0.0.1", 0), Handler)
    server.got = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_of_slack_is_kept_tried_once_and_forgotten(
    pages: PersonsPages, person: Pages, hook: Hook
) -> None:
    address = f"http://127.0.0.1:{hook.server_port}/services/{SECRET}"
    assert "in the vault" in person.post("keep-webhook", {"name": "team", "address": address})
    page = person.get("integrations")
    assert "Slack" in page and "team" in page and SECRET not in page and in_no_file(pages, SECRET)
    assert "posted" in person.post("test-webhook", {"name": "team"})
    assert [json.loads(one)["text"] for one in hook.got] == [
        "This is a test message of gaia email. It was asked for, and nothing needs to be done."
    ]
    assert "slack post" in person.get("activity"), "it stands in the one ledger"
    assert "Removed" in person.post("forget", {"of": "slack:team"})
    assert "no webhook" in person.post("test-webhook", {"name": "team"}, 409)
    assert "https://" in person.post("keep-webhook", {"name": "team", "address": "ftp://a.example"}, 422)


def test_the_configuration_names_a_webhook_without_its_address(person: Pages) -> None:
    person.post("keep-webhook", {"name": "team", "address": f"https://hooks.example/{SECRET}"})
    page = person.get("configuration")
    assert "team" in page and SECRET not in page and "vault:" not in page
