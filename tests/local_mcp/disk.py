"""A disk that refuses writes below a folder, as a full or read-only one does. Entry: `Disk`."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Disk:
    """Counts what is written below a folder, and refuses what `refuses` says."""

    root: Path
    number: int
    refuses: Callable[[int], bool]
    count: int = 0

    def write(self, path: Any) -> None:
        if not isinstance(path, int) and Path(path).is_relative_to(self.root):
            self.count += 1
            if self.refuses(self.count):
                raise OSError(self.number, os.strerror(self.number), str(path))

    @contextmanager
    def in_place(self) -> Generator[None]:
        """Under every call of this process that writes."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("rename", "replace", "unlink", "mkdir", "rmdir"):
                patch.setattr(os, name, self._guarded(getattr(os, name)))
            opened, descriptor = builtins.open, os.open

            def open_(path: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
                if set(mode) & set("wax+"):
                    self.write(path)
                return opened(path, mode, *rest, **more)

            def os_open(path: Any, flags: int, *rest: Any, **more: Any) -> int:
                if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                    self.write(path)
                return descriptor(path, flags, *rest, **more)

            patch.setattr(builtins, "open", open_)
            patch.setattr(os, "open", os_open)
            yield

    def _guarded(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **more: Any) -> Any:
            self.write(path)
            return real(path, *rest, **more)

        return call
