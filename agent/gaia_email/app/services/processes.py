"""Work on batches in several processes, results in order: for `classify --jobs`. Entry point: `side_by_side`."""

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
"""Batches that wait for each process, so that none is idle and few are held."""

Batch = TypeVar("Batch")
Result = TypeVar("Result")

_work: Callable[[Any], Any] | None = None


def side_by_side(work: Callable[[Batch], Result], batches: Iterable[Batch], jobs: int) -> Iterator[Result]:
    """`map` in that many processes; not before all batches before it are done is a result given.

    Where processes are forked (Linux) they share the memory of what `work` holds; elsewhere it is pickled once a
    process.

    Raises:
        InternalError: A process was ended from outside (too little memory, as a rule).
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
    """Ctrl-C stops the program; its processes end with it and say nothing of their own."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = work


def _run(batch: object) -> Any:
    assert _work is not None
    return _work(batch)
