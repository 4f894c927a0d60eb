"""Clients by other hands follow docs/http.md: OpenAI's own, and npm's reader of event streams (`pytest -m emulate`)."""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from pathlib import Path

import openai
import pytest

from tests.http.conftest import Sample

READER = """
import { createParser } from "eventsource-parser";
const [url, token, body] = process.argv.slice(2);
const answer = await fetch(`${url}/v1/email/query`, {
  method: "POST", headers: { authorization: `Bearer ${token}` }, body,
});
const parser = createParser({ onEvent: (event) => console.log(event.data), onError: (error) => { throw error; } });
for await (const part of answer.body.pipeThrough(new TextDecoderStream())) parser.feed(part);
"""


def test_openai_s_client_gets_answers_whole_and_as_they_come(sample: Sample) -> None:
    with openai.OpenAI(base_url=f"{sample.url}/v1", api_key=sample.token, max_retries=0) as client:
        assert [one.id for one in client.models.list()] == ["gaia-email"]
        said = client.chat.completions.create(
            model="gaia-email", messages=[{"role": "user", "content": "how many messages do I have?"}]
        )
        assert "167 messages" in (said.choices[0].message.content or "")
        assert said.usage is not None and said.usage.total_tokens == 0
        pieces = client.chat.completions.create(
            model="gaia-email", messages=[{"role": "user", "content": "what is urgent"}], stream=True
        )
        whole = "".join(one.choices[0].delta.content or "" for one in pieces if one.choices)
        assert "threads are urgent" in whole
        with pytest.raises(openai.NotFoundError, match="one model here"):
            client.chat.completions.create(
                model="gpt-4o", messages=[{"role": "user", "content": "what is urgent"}]
            )
    with (
        openai.OpenAI(base_url=f"{sample.url}/v1", api_key="wrong" * 10, max_retries=0) as client,
        pytest.raises(openai.AuthenticationError),
    ):
        client.models.list()


@pytest.mark.emulate
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_npm_s_reader_of_event_streams_reads_a_query(sample: Sample, tmp_path: Path) -> None:
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "eventsource-parser@3"]
    subprocess.run(install, cwd=tmp_path, check=True)
    (tmp_path / "reader.mjs").write_text(READER, encoding="utf-8")
    body = json.dumps({"query": "what is urgent", "run_id": str(uuid.uuid4())})
    ran = subprocess.run(
        ["node", "reader.mjs", sample.url, sample.token, body],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["type"] for one in events] == ["tool_call", "tool_result", "final"]
