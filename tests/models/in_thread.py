"""A scripted model server for programs that run their own loop, in a thread of its own. Entry: `listening`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

from tests.models.model_server import ModelServer, serving


@contextmanager
def listening(server: ModelServer) -> Generator[ModelServer, None, None]:
    """The server listens while the block runs."""
    ready = threading.Event()
    ends: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        end = asyncio.Event()
        async with serving(server):
            ends.append((asyncio.get_running_loop(), end))
            ready.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(10)
        yield server
    finally:
        for loop, end in ends:
            loop.call_soon_threadsafe(end.set)
        thread.join()
