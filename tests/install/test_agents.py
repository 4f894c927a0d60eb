"""The examples of docs/agents.md as they stand there, each in its framework: nothing is done without a person's yes.

The frameworks have an environment of their own: one of them holds `websockets` below the version that we ship, and
brings a plugin for pytest. The servers are those of this checkout, started as the examples start them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastmcp.client.transports import StdioTransport

from gaia_email.app.sample.mailbox import write_sample
from tests.cli.test_person import at_terminal, shell
from tests.pages.page import ROOT, Page
from tests.pages.test_entries import answer_of

pytestmark = [pytest.mark.install, pytest.mark.timeout(600)]

PROGRAMS = Path(sys.executable).parent
RUN = """
import asyncio, json, sys

def stay_here(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        assert arguments[1][0] in ("127.0.0.1", "::1"), arguments[1]

sys.addaudithook(stay_here)
told = json.load(sys.stdin)
calls, asked, seen = told["calls"], [], []

def ask(question):
    asked.append(question)
    return told["yes"]

exec(told["model"])
exec(told["example"])
answer = asyncio.run(tidy(scripted(), "Tidy my inbox.", ask))
print(json.dumps({"answer": answer, "asked": asked, "seen": seen}))
"""
MODELS = {
    "pydantic-ai": """
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

def scripted():
    def step(messages, info):
        seen.append(str(getattr(messages[-1].parts[-1], "content", "")))
        return ModelResponse(parts=[ToolCallPart(*calls.pop(0)) if calls else TextPart("Done.")])
    return FunctionModel(step)
""",
    "LangChain": """
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult

class Scripted(BaseChatModel):
    _llm_type = "scripted"

    def bind_tools(self, tools, **given):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **given):
        seen.append(str(messages[-1].content))
        wanted = [dict(zip(("name", "args"), calls.pop(0)), id=str(len(seen)))] if calls else []
        said = AIMessage("" if wanted else "Done.", tool_calls=wanted)
        return ChatResult(generations=[ChatGeneration(message=said)])

scripted = Scripted
""",
    "openai-agents": """
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

def scripted():
    def step(call):
        seen.append(str(call.input))
        if not calls:
            return [assistant_message("Done.")]
        return [function_call(*calls.pop(0), call_id=str(len(seen)))]
    return ScriptedModel([ModelStep.respond(step)] * (len(calls) + 1))
""",
}
FORMS = ("pydantic-ai", "LangChain")
"""Those that show the server's question themselves."""


@pytest.fixture(scope="session")
def frameworks(runners: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python that has the frameworks, in the versions of requirements/agents.txt."""
    folder = tmp_path_factory.mktemp("frameworks") / "venv"
    uv = str(runners / "uv")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    python = folder / "bin" / "python"
    pinned = [uv, "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--python", str(python)]
    subprocess.run([*pinned, "-r", str(ROOT / "requirements" / "agents.txt")], check=True)
    return python


@pytest.fixture
def mail(home_of_its_own: Path) -> Path:
    folder = home_of_its_own / "demo-mail"
    write_sample(folder, now=time.time())
    return folder


def example(framework: str) -> str:
    """The program below that heading."""
    section = Page("docs/agents.md").text.split(f"\n## {framework}\n")[1]
    return section.split("```python\n")[1].split("```")[0]


def found(mail: Path, query: str) -> list[str]:
    """The ids of the messages that a search finds, newest first."""
    server = StdioTransport(str(PROGRAMS / "gaia-local-mcp"), ["--maildir", str(mail), "--read-only"])
    text = answer_of(server, "search_emails", {"query": query, "maxResults": 200})
    return [line.removeprefix("ID: ") for line in text.splitlines() if line.startswith("ID: ")]


def tidied(python: Path, framework: str, calls: Sequence[object], *, yes: bool) -> Mapping[str, Any]:
    """What came of a model that makes these calls, and of a person who says that to all that they are asked."""
    told = {"example": example(framework), "model": MODELS[framework], "calls": calls, "yes": yes}
    ran = subprocess.run(
        [python, "-c", RUN],
        input=json.dumps(told),
        env={
            "HOME": os.environ["HOME"],
            "PATH": f"{PROGRAMS}:/usr/bin:/bin",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    done: Mapping[str, Any] = json.loads(ran.stdout)
    return done


def calls_for(archived: str, deleted: str) -> list[tuple[str, dict[str, object]]]:
    return [
        ("search_emails", {"query": "in:inbox", "maxResults": 2}),
        ("archive_email", {"ids": [archived]}),
        ("delete_email", {"messageId": deleted}),
    ]


@pytest.mark.parametrize("framework", MODELS)
def test_an_example_reads_and_does_what_a_person_agreed_to(
    frameworks: Path, framework: str, mail: Path
) -> None:
    archived, deleted = found(mail, "in:inbox")[:2]
    done = tidied(frameworks, framework, calls_for(archived, deleted), yes=True)
    assert done["answer"] == "Done."
    assert archived in done["seen"][1] and "subject" in done["seen"][1].lower()
    assert "archive_email" in done["asked"][0] and archived in done["asked"][0]
    if framework in FORMS:
        assert done["asked"][1].startswith("Move to Trash: 1 message?")
    else:
        assert len(done["asked"]) == 1 and "Waiting for the user" in done["seen"][-1]
        assert deleted in found(mail, "in:inbox")
        agreed_at_a_terminal()
        tidied(frameworks, framework, calls_for(archived, deleted)[2:], yes=False)
    assert archived not in found(mail, "in:inbox")
    assert found(mail, "in:trash")[:1] == [deleted]


def agreed_at_a_terminal() -> None:
    """The one question of the Agent Inbox is answered with yes."""
    code, shown = shell("pending", "--json")
    assert code == 0, shown
    (question,) = json.loads(shown)["confirmations"]
    assert at_terminal("approve", question["id"], types="{code}\n")[0] == 0


@pytest.mark.parametrize("framework", MODELS)
def test_an_example_does_nothing_that_a_person_did_not_agree_to(
    frameworks: Path, framework: str, mail: Path
) -> None:
    inbox, trash = found(mail, "in:inbox"), found(mail, "in:trash")
    done = tidied(frameworks, framework, calls_for(*inbox[:2]), yes=False)
    assert len(done["asked"]) == (2 if framework in FORMS else 1)
    assert (found(mail, "in:inbox"), found(mail, "in:trash")) == (inbox, trash)


@pytest.mark.parametrize("framework", MODELS)
def test_an_example_is_short(framework: str) -> None:
    lines = example(framework).strip().splitlines()
    assert len([line for line in lines if line and not line.startswith("from")]) <= 18
