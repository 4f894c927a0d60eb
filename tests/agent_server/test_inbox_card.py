"""The inbox card: listed with the tools that fill it, and shown by a real browser as a host of MCP Apps would."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.apps import URI
from gaia_email.interfaces.mcp.server import create_agent_server
from tests.agent_server.conftest import Assistant, talk
from tools.browser import ADVICE, Browser, executable

HOSTILE = (
    "<img src=x onerror=\"parent.document.title='taken'\"><script>parent.document.title='taken'</script>"
)

HOST = """\
<!doctype html><title>host</title>
<iframe id="app" sandbox="allow-scripts allow-same-origin" style="width:640px;height:900px"></iframe>
<script>
  const seen = [], calls = [];
  const app = document.getElementById("app");
  const say = (message) => app.contentWindow.postMessage({jsonrpc: "2.0", ...message}, "*");
  window.addEventListener("message", ({data}) => {
    seen.push(data.method ?? "answer");
    if (data.method === "ui/initialize")
      say({id: data.id, result: {protocolVersion: data.params.protocolVersion, hostInfo: {name: "t", version: "1"},
        hostCapabilities: {serverTools: {}}, hostContext: {theme: "dark"}}});
    if (data.method === "ui/notifications/initialized")
      say({method: "ui/notifications/tool-result", params: RESULT});
    if (data.method === "tools/call") { calls.push(data.params); say({id: data.id, result: WHY}); }
  });
  app.srcdoc = PAGE;
</script>
"""


def page_of(source: SourceSpec) -> tuple[str, dict[str, Any]]:
    """The page that the server gives, and what it says of it."""

    async def main() -> tuple[str, dict[str, Any]]:
        async with Client(create_agent_server(App(), lambda: source)) as client:
            content = (await client.read_resource(URI))[0]
            listed = next(one for one in await client.list_resources() if str(one.uri) == URI)
            return str(getattr(content, "text", "")), {"mime": content.mime_type, "meta": listed.meta or {}}

    return asyncio.run(main())


def test_the_tools_that_fill_the_card_name_it_and_it_may_load_nothing(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        tools = {tool.name: tool for tool in await assistant.client.list_tools()}
        named = {
            name for name, tool in tools.items() if (tool.meta or {}).get("ui", {}).get("resourceUri") == URI
        }
        assert named == {"triage_inbox", "daily_summary"}

    talk(sample, scenario)
    text, told = page_of(sample)
    assert told["mime"] == "text/html;profile=mcp-app"
    assert told["meta"]["ui"]["csp"] == {"connectDomains": [], "resourceDomains": [], "frameDomains": []}
    for way_out in ("http:", "https:", "innerHTML", "fetch(", "XMLHttpRequest", "<a ", "import(", "eval("):
        assert way_out not in text


def in_script(value: object) -> str:
    return json.dumps(value).replace("<", "\\u003c")


def test_a_host_shows_the_inbox_and_its_reasons_and_mail_stays_text(
    sample: SourceSpec, tmp_path: Path
) -> None:
    if executable() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    found: dict[str, Any] = {}

    async def scenario(assistant: Assistant) -> None:
        found["inbox"] = await assistant.data("triage_inbox", limit=3)
        first = found["inbox"]["buckets"]["urgent"][0]["id"]
        found["why"] = await assistant.data("why", id=first)

    talk(sample, scenario)
    inbox = found["inbox"]
    inbox["buckets"]["low_priority"][0]["subject"] = HOSTILE
    result: dict[str, Any] = {"content": [], "structuredContent": inbox}
    why: dict[str, Any] = {"content": [], "structuredContent": found["why"]}
    page, _ = page_of(sample)
    host = (
        HOST.replace("RESULT", in_script(result))
        .replace("WHY", in_script(why))
        .replace("PAGE", in_script(page))
    )
    (tmp_path / "host.html").write_text(host, encoding="utf-8")
    with Browser(tmp_path) as browser:
        browser.open((tmp_path / "host.html").as_uri())
        inside = "document.getElementById('app').contentDocument"
        browser.wait_for(f"{inside}?.querySelectorAll('li').length >= 10")
        text = browser.evaluate(f"{inside}.body.innerText")
        assert f"Urgent: {inbox['counts']['urgent']}" in text
        assert f"and {inbox['counts']['urgent'] - 3} more" in text
        assert inbox["buckets"]["urgent"][0]["reason"] in " ".join(text.split())
        assert HOSTILE in text
        browser.evaluate(f"{inside}.querySelector('button').click()")
        browser.wait_for(f"{inside}.querySelectorAll('pre').length === 1")
        assert found["why"]["priority"]["signals"][0]["name"] in browser.evaluate(
            f"{inside}.querySelector('pre').innerText"
        )
        assert browser.evaluate("calls[0].name") == "why"
        assert browser.evaluate("document.title") == "host"
        assert browser.evaluate(f"{inside}.querySelectorAll('img, a, [href], [src]').length") == 0
        assert browser.evaluate(f"{inside}.documentElement.scrollWidth") <= 640
        assert "ui/notifications/size-changed" in browser.evaluate("seen")
        browser.screenshot(tmp_path / "card.png")
        assert (tmp_path / "card.png").stat().st_size > 5_000
