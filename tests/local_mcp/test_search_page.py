"""A page of `search_emails` says how many hits there are and how to get the rest, as the command line counts them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_local_mcp import search
from gaia_local_mcp.server import open_server
from tests.cli.conftest import run as run
from tests.cli.printed import Run
from tests.contract.suite.seed import Seed, write_message

Fill = Callable[[Path, Sequence[Seed]], None]


def _pages(root: Path, query: str) -> list[tuple[str, dict[str, Any]]]:
    async def main() -> list[tuple[str, dict[str, Any]]]:
        found: list[tuple[str, dict[str, Any]]] = []
        async with Client(open_server({"maildir": str(root)})) as client:
            given: dict[str, Any] = {"query": query, "maxResults": 2}
            while True:
                answer = await client.call_tool("search_emails", given)
                assert answer.structured_content is not None
                found.append((getattr(answer.content[0], "text", ""), answer.structured_content))
                if answer.structured_content["next_cursor"] is None:
                    return found
                given["pageToken"] = answer.structured_content["next_cursor"]

    return asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("query", ["in:inbox", "text", "subject:message", "has:attachment", "text -number"])
def test_every_page_counts_what_the_command_line_counts(
    tmp_path: Path, fill_maildir: Fill, run: Run, query: str
) -> None:
    root = tmp_path / "mail"
    fill_maildir(root, [Seed(raw=write_message(number)) for number in range(5)])
    told = json.loads(run("search", query, "--maildir", str(root), "--json").out)
    pages = _pages(root, query)
    for number, (text, data) in enumerate(pages):
        assert data["total_estimate"] == told["total"] and data["total_is_exact"] is True
        more = (
            f"2 of {told['total']} shown. For more, repeat the search with pageToken: {data['next_cursor']}"
        )
        assert (more in text) == (number < len(pages) - 1)
    assert sum(len(data["emails"]) for _, data in pages) == told["total"]


def test_a_count_that_would_cost_too_much_says_that_it_is_no_more_than_a_beginning(
    tmp_path: Path, fill_maildir: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_COUNTED", 4)
    fill_maildir(tmp_path / "mail", [Seed(raw=write_message(number)) for number in range(5)])
    text, data = _pages(tmp_path / "mail", "text")[0]
    assert "2 of at least 3 shown" in text
    assert (data["total_estimate"], data["total_is_exact"]) == (3, False)
