"""How long the pages of the browser take on a large mailbox, warm. Entry: `rows`."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from statistics import median

from starlette.testclient import TestClient

from benchmarks.http import seconds_of
from benchmarks.measure import Row, bench_mailbox
from gaia_email.app import App
from gaia_email.app.accounts.connect_files import connect_files
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import HttpCredentials
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions

PORT = 8767
PAGES = ("frame", "inbox", "inbox?bucket=informational&offset=100", "waiting")
TARGET_MS = 1000


def rows(*, quick: bool) -> list[Row]:
    """Milliseconds of each page on 50,000 messages (1,000 with `quick`), once its rows are kept."""
    messages, runs = (1_000, 3) if quick else (50_000, 11)
    with tempfile.TemporaryDirectory() as home:
        app = App()
        app = replace(app, environ={**app.environ, "GAIA_HOME": home})
        asyncio.run(connect_files("maildir", str(bench_mailbox(messages)), ["you@example.com"], app.environ))
        sessions = PersonSessions(port=PORT)
        application = http_interface(
            app,
            app.environ,
            served=ServedAt.on(PORT),
            credentials=HttpCredentials(sessions=sessions),
        )
        opened = sessions.open(sessions.new_code())
        headers = {"cookie": opened.set_cookie.partition(";")[0], "x-gaia-key": opened.page_key}
        client = TestClient(application, base_url=f"http://127.0.0.1:{PORT}", headers=headers)
        return [_row(client, page, messages, runs) for page in PAGES]


def _row(client: TestClient, page: str, messages: int, runs: int) -> Row:
    size = len(client.get(f"/ui/{page}").raise_for_status().content)
    took = median(seconds_of(lambda: client.get(f"/ui/{page}")) for _ in range(runs)) * 1e3
    return Row(
        name=f"page {page}, {messages:,} messages",
        ours=f"{took:.0f} ms",
        theirs=f"{size / 1000:.0f} kB",
        ratio=None,
        target=f"< {TARGET_MS} ms",
        met=took < TARGET_MS,
    )
