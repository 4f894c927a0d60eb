"""Parse a chat completion as servers really send it, streamed or in one piece. Entry: `read_reply`.

Local servers leave out fields, set them to null, answer a stream request without a stream, and report errors with
status 200. No field's type is trusted here; unreadable data raises an error of this module.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from gaia_email.models.wire_values import object_of, objects_of, text_of

MOST_CHARS = 40_000
"""Maximum length of an answer in characters, including thoughts; a longer one raises `EndlessReply`."""

_MOST_COUNTED = 10_000_000
"""Number of tokens above which a server's count is ignored."""
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_DONE = b"[DONE]"


class BrokenReply(Exception):
    """The server sent something that is not a chat completion."""


class EndlessReply(Exception):
    """An answer is longer than `MOST_CHARS`."""


class ReportedError(Exception):
    """The server reported an error in place of an answer; the text is the server's own."""


@dataclass(slots=True)
class ToolCallParts:
    """One tool call while it arrives in parts."""

    id: str = ""
    index: int | None = None
    name: str = ""
    arguments: str = ""

    def is_whole(self) -> bool:
        """Return True if the arguments are complete, so that more would belong to another call."""
        try:
            json.loads(self.arguments)
        except (ValueError, RecursionError):
            return False
        return True

    def text(self) -> str:
        """Return the call in the form of models that write calls as text."""
        name = json.dumps(self.name)
        return f'<tool_call>{{"name": {name}, "arguments": {self.arguments or "{}"}}}</tool_call>'


@dataclass(slots=True)
class ServerReply:
    """Everything a server answered.

    Attributes:
        text: The answer's text, as it was sent.
        thoughts: Text that the server marked as reasoning.
        calls: Tool calls, in order.
        usage: Tokens in and out, if the server counted them.
        in_one_piece: True if the server sent one JSON document and no stream.
        cut: True if the answer ends because it reached its length.
        failure: Why there is no answer at all, with `{0}` for the model's name; `""` if there may be one.
    """

    text: str = ""
    thoughts: str = ""
    calls: list[ToolCallParts] = field(default_factory=list[ToolCallParts])
    usage: tuple[int, int] | None = None
    in_one_piece: bool = False
    cut: bool = False
    failure: str = ""
    _length: int = 0
    _choice: object = None

    def take(self, chunk: object) -> bool:
        """Add one chunk, or a whole completion; return True if the answer's text grew.

        Raises:
            EndlessReply: The answer is too long.
            ReportedError: The chunk is an error.
        """
        values = object_of(chunk)
        _raise_reported(values)
        self.usage = _usage(values) or self.usage
        before = len(self.text)
        for choice in objects_of(values.get("choices")):
            index = choice.get("index") or 0
            if self._choice is None:
                self._choice = index
            if index == self._choice:
                self._take_choice(choice)
        return len(self.text) > before

    def _take_choice(self, choice: dict[str, object]) -> None:
        self.cut = self.cut or choice.get("finish_reason") == "length"
        part = object_of(choice.get("delta"))
        if not part and not self._length:
            part = object_of(choice.get("message"))
        said = _content(part.get("content"))
        thought = next((text for key in _THOUGHTS if (text := text_of(part.get(key)))), "")
        self._grow(len(said) + len(thought))
        self.text += said
        self.thoughts += thought
        for call in objects_of(part.get("tool_calls")):
            self._take_call(call)

    def _take_call(self, part: dict[str, object]) -> None:
        function = object_of(part.get("function"))
        given, name, index = text_of(part.get("id")), text_of(function.get("name")), part.get("index")
        arguments = function.get("arguments")
        text = json.dumps(arguments) if isinstance(arguments, dict) else text_of(arguments)
        self._grow(len(name) + len(text))
        number = index if isinstance(index, int) else None
        call = self._call_of(given, number, name)
        call.id = call.id or given
        if name != call.name and not call.arguments:
            call.name += name
        call.arguments += text

    def _call_of(self, given: str, index: int | None, name: str) -> ToolCallParts:
        """Return the call that a part belongs to: the one of its id, else of its index, else the last one."""
        known = [call for call in self.calls if given and call.id == given]
        if not known and index is not None:
            known = [call for call in self.calls if call.index == index]
        elif not known and not name and not given:
            known = self.calls
        if known:
            last = known[-1]
            other_id = bool(given and last.id and given != last.id)
            if not other_id and not (name and not given and last.is_whole()):
                return last
        self.calls.append(ToolCallParts(index=index))
        return self.calls[-1]

    def _grow(self, by: int) -> None:
        self._length += by
        if self._length > MOST_CHARS:
            raise EndlessReply


async def read_reply(received: AsyncIterator[bytes], heard: Callable[[str], None]) -> ServerReply:
    """Read a reply's body, as server-sent events or as one JSON document.

    Args:
        received: The body's bytes.
        heard: Receives the whole text so far whenever more arrives.

    Raises:
        BrokenReply: It is neither.
        EndlessReply: It is too long.
        ReportedError: The server reported an error.
    """
    reply, event, other = ServerReply(), list[bytes](), list[bytes]()
    async for line in _lines(received):
        name, _, value = line.partition(b":")
        if name == b"data" and (value or line != name):
            event.append(value.removeprefix(b" "))
        elif not line:
            if _ended(reply, event, heard):
                return reply
            event = []
        elif not (line.startswith(b":") or name in (b"event", b"id", b"retry")):
            other.append(line)
    _ended(reply, event, heard)
    if not reply.text and not reply.thoughts and not reply.calls and other:
        reply.in_one_piece = True
        reply.take(_json(b"\n".join(other)))
    return reply


def _ended(reply: ServerReply, event: list[bytes], heard: Callable[[str], None]) -> bool:
    """Add an event to the reply; return True if it ends the stream."""
    data = b"\n".join(event).strip()
    if data.startswith(_DONE):
        return True
    if data and reply.take(_json(data)) and not reply.calls:
        heard(reply.text)
    return False


async def _lines(received: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield lines without their ends. Only CR and LF end one: JSON may contain U+2028 unescaped."""
    rest = b""
    async for data in received:
        *lines, rest = (rest + data).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            yield line
    if rest:
        yield rest


def _json(data: bytes) -> object:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        raise BrokenReply from None
    return found


def _raise_reported(values: dict[str, object]) -> None:
    error = values.get("error") or (values if values.get("object") == "error" else None)
    if error:
        raise ReportedError(text_of(object_of(error).get("message")) or text_of(error))


def _content(content: object) -> str:
    """Return a content's text; some servers send a list of typed parts."""
    return text_of(content) or "".join(text_of(part.get("text")) for part in objects_of(content))


def _usage(values: dict[str, object]) -> tuple[int, int] | None:
    usage = object_of(values.get("usage"))
    told, said = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if isinstance(told, int) and isinstance(said, int) and 0 <= min(told, said) <= max(told, said):
        return (told, said) if max(told, said) <= _MOST_COUNTED else None
    return None
