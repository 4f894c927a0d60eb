"""Call the protocol's functions, one JSON object per line: `python -m gaia_email_control.calls`. Entry point: `main`.

A line `{"fn": NAME, "args": […]}` is answered with `{"value": …}`, or with `{"error": MESSAGE}` if the function raises
or the line is not a call. Every line is answered, in order, so that anyone can compare this program with recorded
answers.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

from gaia_email_control import collaboration, selectors
from gaia_email_control.javascript import UNDEFINED, JavaScriptError, JsValue, number

FUNCTIONS: Final[Mapping[str, tuple[Callable[..., object], int]]] = {
    "normalizeAgentSelectorSegment": (selectors.normalize_segment, 1),
    "parseAgentSelector": (selectors.parse_selector, 1),
    "formatAgentSelector": (selectors.format_selector, 2),
    "extractAgentSelectors": (selectors.extract_selectors, 1),
    "agentSelectorMatches": (selectors.selector_matches, 2),
    "resolveAgentSelector": (selectors.resolve_selector, 2),
    "isQuestionTerminalState": (collaboration.is_terminal_question_state, 1),
    "isWorkItemTerminalState": (collaboration.is_terminal_work_item_state, 1),
    "collaborationRequiresOwner": (collaboration.requires_owner, 1),
    "collaborationRequiresNextMoveOwner": (collaboration.requires_next_move_owner, 1),
    "collaborationRequiresWaitingOn": (collaboration.requires_waiting_on, 1),
    "collaborationRequiresAcceptance": (collaboration.requires_acceptance, 1),
    "validateCollaborationRecord": (collaboration.record_errors, 1),
    "assertValidCollaborationRecord": (collaboration.check_record, 1),
    "validateCollaborationEvent": (collaboration.event_errors, 2),
    "assertValidCollaborationEvent": (collaboration.check_event, 2),
}
"""The functions by their name in the protocol, each with its number of arguments."""


def answer(line: str) -> str:
    """Return the answer to one line, without a line end. It never raises: errors are answers."""
    try:
        function, arguments = _call(line)
        return _written({"value": function(*arguments)})
    except (JavaScriptError, _NoCall) as error:
        return json.dumps({"error": str(error)})
    except RecursionError:
        return json.dumps({"error": "the line is nested too deeply; write it flatter"})


def main() -> None:
    """Answer every line of standard input on standard output immediately, until the reader closes it."""
    try:
        for line in sys.stdin.buffer:
            sys.stdout.write(answer(line.decode(errors="replace")) + "\n")
            sys.stdout.flush()
    except BrokenPipeError:
        # The rest of the buffer would fail again when the interpreter exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _NoCall(Exception):
    """The line is not a call; the message shows the correct form."""


def _call(line: str) -> tuple[Callable[..., object], list[JsValue]]:
    try:
        call: JsValue = json.loads(line, parse_int=number, parse_float=number, parse_constant=_no_json)
    except ValueError as error:
        raise _NoCall(f'the line is not JSON ({error}); write {{"fn": NAME, "args": [...]}}') from error
    match call:
        case {"fn": str(name), "args": [*given]} if name in FUNCTIONS:
            function, count = FUNCTIONS[name]
            return function, [*given, *[UNDEFINED] * count][:count]
        case {"fn": str(), "args": [*_]}:
            raise _NoCall(f"there is no such function; there are {', '.join(FUNCTIONS)}")
        case _:
            raise _NoCall('the line is no call; write {"fn": NAME, "args": [...]}')


def _no_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _written(reply: dict[str, object]) -> str:
    """Return the reply as JSON; numbers too large for a double become null, as in `JSON.stringify`."""
    try:
        return json.dumps(reply, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(reply), parse_constant=lambda _word: None))


if __name__ == "__main__":
    main()
