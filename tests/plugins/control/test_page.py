"""The agent of docs/control.md, as it stands there, on the sample mailbox."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.http.conftest import Sample
from tests.pages.page import Page
from tests.plugins.control.test_http import grant

MOST_LINES = 50


def test_the_agent_of_the_page_converses_is_answered_and_is_refused_what_was_not_granted(
    sample: Sample, tmp_path: Path
) -> None:
    (program,) = (block for language, block in Page("docs/control.md").blocks if language == "python")
    assert len(program.splitlines()) <= MOST_LINES
    path = tmp_path / "notes.py"
    path.write_text(program, encoding="utf-8")
    key = grant(sample, "notes", "status", "consult")
    done = subprocess.run(
        [sys.executable, str(path), key, f"ws{sample.url[4:]}"], capture_output=True, text=True, timeout=50
    )
    assert done.returncode == 0, done.stderr
    first, queued, *rest = done.stdout.splitlines()
    assert (first, queued.strip()) == ("True", "queued")
    assert "threads are urgent" in done.stdout
    assert rest[-1] == "'notes' was not granted execute."
    kept = sample.person.ok("GET", "/v1/control/conversations", params={"conversation_id": "talk-notes"})
    assert [one["body"] for one in kept["messages"]] == ["What is urgent?"]
