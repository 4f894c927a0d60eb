"""How soon a conversation starts, and how soon a sentence of a model is shown. Entry: `rows`.

The start of `gaia email chat` is held against that of `gaia email inbox` on the same connected mailbox, in alternating
pairs. A sentence is shown once it is whole and was checked: the time is from when a server on loopback sends its last
letter to the event that shows it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.measure import GAIA, Row, bench_mailbox, run
from gaia_email.app import App
from gaia_email.app.documents.talk_events import TalkEvent
from gaia_email.app.services.choosing import sample_source
from gaia_email.interfaces.chat.session import Session
from tests.chat.scripted_model import by_plan, is_step, scripted, step_of
from tests.chat.streaming import in_halves
from tests.models.model_server import Answer
from tests.origins import PERSON

PAIRS = 7
STARTS, SHOWN_MS = 1.5, 50.0
"""How many times as long as `inbox` a first line may take, and a checked sentence at most."""


def rows(*, quick: bool = False) -> list[Row]:
    """Both, with their aims."""
    return [_start(3 if quick else PAIRS), _shown(3 if quick else PAIRS)]


def _start(pairs: int) -> Row:
    with tempfile.TemporaryDirectory() as home:
        os.environ["GAIA_HOME"] = str(Path(home) / "gaia")
        run([*GAIA, "connect", "--maildir", str(bench_mailbox(1_000))])
        run([*GAIA, "inbox"])
        times = [(run([*GAIA, "chat", "help"]).seconds, run([*GAIA, "inbox"]).seconds) for _ in range(pairs)]
        del os.environ["GAIA_HOME"]
    ratios = [ours / theirs for ours, theirs in times]
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(ratios)
    return Row(
        name="chat: first line answered, against inbox",
        ours=f"{ours:.2f} s",
        theirs=f"inbox {theirs:.2f} s, ratios {min(ratios):.2f}-{max(ratios):.2f}",
        ratio=ratio,
        target=f"<= {STARTS}",
        met=ratio <= STARTS,
    )


def _shown(times: int) -> Row:
    with sample_source(App()) as (_, sample):
        took = [_one_sentence(sample) for _ in range(times)]
    median = statistics.median(took)
    return Row(
        name="chat: a sentence shown after the server sent it",
        ours=f"{median:.1f} ms",
        theirs=f"range {min(took):.1f}-{max(took):.1f}",
        ratio=None,
        target=f"<= {SHOWN_MS:.0f} ms",
        met=median <= SHOWN_MS,
    )


def _one_sentence(sample: Any) -> float:
    """Milliseconds."""
    goes_on = threading.Event()
    line, search = "tell me about it", ("search_mail", {"query": "invoice"})
    plan = by_plan({line: [search]})
    answers: list[Answer] = []
    shown: list[float] = []

    def writes(body: Any) -> Answer:
        if not (is_step(body) and step_of(body)[1]):
            return plan(body)
        answers.append(in_halves("5 messages match invoice [r1]. ", "Nothing is due [r1].", until=goes_on))
        return answers[-1]

    def hear(event: TalkEvent) -> None:
        if event.type == "token":
            shown.append(perf_counter())
            goes_on.set()

    with scripted(writes):
        Session(App(), sample, hear, origin=PERSON).say(line)
    return (shown[0] - answers[0].sent_at[0]) * 1000
