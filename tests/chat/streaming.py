"""An answer that a server sends in two halves, to see when its first sentence is shown. Entry point: `in_halves`."""

from __future__ import annotations

import json
import threading

from tests.models.model_server import Answer


def in_halves(first: str, second: str, *, until: threading.Event) -> Answer:
    """An answer in words, whose second half is sent once the event is set."""
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    padding = ": " + "." * 4 * (len(first) + len(second) + 400) + "\n\n"
    lines = [
        f"data: {json.dumps({**chunk, 'choices': [{'index': 0, 'delta': {'content': part}}]})}\n\n"
        for part in (first, second)
    ]
    sent = f"{lines[0]}{lines[1]}{padding}data: [DONE]\n\n"
    return Answer(raw=sent.encode(), headers={"Content-Type": "text/event-stream"}, until=until)
