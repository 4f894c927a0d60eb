"""A TCP proxy before a mail server that delays, stalls, cuts and goes silent on demand. Entry: `Proxy`.

`python -m tools.mail_servers.proxy LISTEN TARGET ONE_WAY_MS` only delays, as a process of its own.
"""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Literal, TypeVar

Side = Literal["client", "server"]
Result = TypeVar("Result")

_CHUNK = 1 << 16
_TAIL = 256
"""Bytes kept of what passed, so that a pattern is found across two reads."""


@dataclass(slots=True)
class Fault:
    """What happens, once, when `pattern` comes from `side`; made by the methods of `Proxy`."""

    side: Side
    pattern: re.Pattern[bytes]
    action: Literal["cut", "stall", "silence", "call"]
    forward: bool
    seconds: float = 0.0
    call: Callable[[], object] | None = None
    done: threading.Event = field(default_factory=threading.Event)


class Proxy:
    """Runs in a thread of its own; a context manager. Faults are set while it runs and happen once each.

    Attributes:
        port: Where it listens on loopback.
        accepted: Connections so far.
        commands: Lines the clients sent, without their tags and literals' content; LOGIN's arguments left out.
    """

    def __init__(self, target: int, *, delay_s: float = 0.0) -> None:
        self.target = target
        self.port = 0
        self.accepted = 0
        self.commands: list[str] = []
        self.delay_s = delay_s
        self._faults: list[Fault] = []
        self._budget: int | None = None
        self._refusing = False
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut_on_command(self, pattern: bytes, *, forward: bool = False) -> Fault:
        """Cut when the client sends this; the server gets to see it only if `forward`."""
        return self._add(Fault("client", re.compile(pattern, re.I), "cut", forward))

    def cut_on_answer(self, pattern: bytes) -> Fault:
        """Cut when the server answers this, so that it was done and the client does not know."""
        return self._add(Fault("server", re.compile(pattern, re.I), "cut", False))

    def stall_on_answer(self, pattern: bytes, seconds: float) -> Fault:
        """Hold everything back for a while when the server answers this."""
        return self._add(Fault("server", re.compile(pattern, re.I), "stall", True, seconds))

    def silence_on_command(self, pattern: bytes) -> Fault:
        """From this command on that connection stays open and carries nothing, in both directions: half-open."""
        return self._add(Fault("client", re.compile(pattern, re.I), "silence", False))

    def call_on_command(self, pattern: bytes, call: Callable[[], object], *, forward: bool = True) -> Fault:
        """Do something (kill the server, say) when the client sends this, before (or instead of) passing it on."""
        return self._add(Fault("client", re.compile(pattern, re.I), "call", forward, call=call))

    def call_on_answer(self, pattern: bytes, call: Callable[[], object]) -> Fault:
        """Do something when the server answers this, before the client sees it."""
        return self._add(Fault("server", re.compile(pattern, re.I), "call", True, call=call))

    def cut_after(self, count: int) -> None:
        """Cut the connection that brings the `count`th byte from the server, counted from now."""
        self._budget = count

    def cut_all(self) -> None:
        """Cut every connection now."""
        self._run(self._abort())

    def refuse(self, refusing: bool = True) -> None:
        """Cut every new connection at once, until told otherwise."""
        self._refusing = refusing

    def _add(self, fault: Fault) -> Fault:
        self._faults.append(fault)
        return fault

    def _run(self, work: Coroutine[object, object, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=_CHUNK)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._abort()
        pending = asyncio.all_tasks(self._loop) - {asyncio.current_task(self._loop)}
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

    async def _abort(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self._refusing:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target, limit=_CHUNK)
        except OSError:
            writer.transport.abort()
            return
        pair = {writer, far_writer}
        self._writers |= pair
        connection = _Connection(self, writer, far_writer)
        try:
            await asyncio.gather(
                connection.pump("client", reader, far_writer), connection.pump("server", far_reader, writer)
            )
        finally:
            self._writers -= pair
            for one in pair:
                one.transport.abort()

    def take_budget(self, count: int) -> int | None:
        """How many of `count` bytes still pass before the cut; None for all of them."""
        if self._budget is None:
            return None
        passing, self._budget = min(count, self._budget), self._budget - count
        if self._budget > 0:
            return None
        self._budget = None
        return passing

    def fault(self, side: Side, window: bytes) -> Fault | None:
        """The fault that this traffic sets off, which is thereby spent."""
        for fault in self._faults:
            if fault.side == side and fault.pattern.search(window):
                self._faults.remove(fault)
                return fault
        return None


class _Connection:
    """Two pumps between one client and the server."""

    def __init__(self, proxy: Proxy, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self._proxy = proxy
        self._near = near
        self._far = far
        self._silent = False
        self._line = b""

    async def pump(self, side: Side, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tail = b""
        try:
            while data := await reader.read(_CHUNK):
                if side == "client":
                    self._note(data)
                window = tail + data
                fault = self._proxy.fault(side, window)
                tail = b"" if fault else window[-_TAIL:]
                if fault is not None and not await self._inject(fault, data, writer):
                    return
                if fault is None and not await self._pass(side, data, writer):
                    return
            if self._proxy.delay_s:
                await asyncio.sleep(self._proxy.delay_s)
            if not self._silent:
                writer.close()
        except OSError:
            self._abort()

    async def _pass(self, side: Side, data: bytes, writer: asyncio.StreamWriter) -> bool:
        if self._silent:
            return True
        if self._proxy.delay_s:
            await asyncio.sleep(self._proxy.delay_s)
        passing = self._proxy.take_budget(len(data)) if side == "server" else None
        writer.write(data if passing is None else data[:passing])
        await writer.drain()
        if passing is not None:
            self._cut()
        return passing is None

    async def _inject(self, fault: Fault, data: bytes, writer: asyncio.StreamWriter) -> bool:
        """Let the fault happen; False when the connection is over."""
        if fault.action == "silence":
            self._silent = True
        elif fault.action == "stall":
            await asyncio.sleep(fault.seconds)
        elif fault.action == "call" and fault.call is not None:
            await asyncio.get_running_loop().run_in_executor(None, fault.call)
        if fault.forward and not self._silent:
            writer.write(data)
            await writer.drain()
        if fault.action == "cut":
            self._cut()
        fault.done.set()
        return fault.action != "cut"

    def _cut(self) -> None:
        # The server reads what was passed on before it sees the end; the client sees the end at once.
        self._far.close()
        self._near.transport.abort()

    def _abort(self) -> None:
        self._near.transport.abort()
        self._far.transport.abort()

    def _note(self, data: bytes) -> None:
        *lines, self._line = (self._line + data).split(b"\r\n")
        self._line = self._line[-_TAIL:]
        for line in lines:
            if match := re.match(rb"[A-Za-z0-9.]+ ((?:UID )?([A-Z]+).*)", line[:4096]):
                known = match[2] not in (b"LOGIN", b"AUTHENTICATE")
                self._proxy.commands.append((match[1] if known else match[2]).decode("latin-1"))


async def delay_only(listen: int, target: int, delay_s: float) -> None:
    """Serve for ever, each byte `delay_s` late in each direction, with any number of bytes under way."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def deliver() -> None:
            while True:
                due, data = await under_way.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                if not data:
                    return
                writer.write(data)
                await writer.drain()

        delivery = asyncio.create_task(deliver())
        try:
            while data := await reader.read(1 << 18):
                under_way.put_nowait((loop.time() + delay_s, data))
            under_way.put_nowait((loop.time() + delay_s, b""))
            await delivery
        except OSError:
            delivery.cancel()
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target, limit=1 << 18)
        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", listen, limit=1 << 18)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(delay_only(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000))
