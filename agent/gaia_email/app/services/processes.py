"""Processes batches in several processes, with results in order: for `classify --jobs`. Entry point: `side_by_side`."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from gaia_email_registry.errors import InternalError

AHEAD = 2
"""Number of batches that wait per process: enough to keep it busy, and few in memory."""

Batch = TypeVar("Batch")
Result = TypeVar("Result")

_work: Callable[[Any], Any] | None = None


def side_by_side(work: Callable[[Batch], Result], batches: Iterable[Batch], jobs: int) -> Iterator[Result]:
    """Like `map` in that many processes, with results in the order of the batches.

    Forked processes (Linux) share the memory of what `work` holds; elsewhere it is pickled once per process.

    Raises:
        InternalError: A process was killed from outside, usually because of too little memory.
    """
    context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(work,)) as pool:
        waiting = deque[Future[Result]]()
        try:
            for batch in batches:
                waiting.append(pool.submit(_run, batch))
                if len(waiting) > jobs * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise InternalError(
                "One of the processes was ended from outside; there may be too little memory for so many: "
                "try a smaller --jobs."
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start(work: Callable[[Any], Any]) -> None:
    """Ignore Ctrl-C, which stops the main program: its processes end with it without messages of their own."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = work


def _run(batch: object) -> Any:
    assert _work is not None
    return _work(batch)
