"""The program that answers calls: against recorded answers, against nonsense, and line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gaia_email_control.calls import answer
from tests.plugins.control.generated_calls import generated_calls


def test_every_recorded_call_is_answered_as_it_was(shared: Path) -> None:
    recorded = shared / "data" / "openscout" / "calls.jsonl"
    if not recorded.is_file():
        pytest.skip("the recorded calls are not here")
    lines = recorded.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1000
    for line in lines:
        expected = json.loads(line)
        call = {name: expected.pop(name) for name in ("fn", "args")}
        assert json.loads(answer(json.dumps(call))) == expected, line


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_called_gets_one_answer(seed: int) -> None:
    for function, arguments in generated_calls(seed, 5000):
        line = json.dumps({"fn": function, "args": arguments}).replace("Infinity", "1e999")
        reply = json.loads(answer(line))
        assert list(reply) in (["value"], ["error"]), line
        assert "error" not in reply or isinstance(reply["error"], str), line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        "NaN",
        '{"fn": "parseAgentSelector"}',
        '{"fn": "parseAgentSelector", "args": {}}',
        '{"fn": "constructor", "args": []}',
        '{"fn": "parseAgentSelector", "args": [NaN]}',
        '{"fn": "parseAgentSelector", "args": ["a"]} x',
        '{"fn": "resolveAgentSelector", "args": [' + "[" * 100_000 + "]" * 100_000 + "]}",
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_call_is_told_so(line: str) -> None:
    reply = json.loads(answer(line))
    assert list(reply) == ["error"]
    assert reply["error"].startswith(("the line is", "there is no such function; there are "))


@pytest.mark.parametrize(
    ("given", "returned"),
    [
        ("1.0", "1"),
        ("9007199254740993", "9007199254740992"),
        ("1e400", "null"),
        ("-0", "0"),
        ('"\\ud83d\\ude00 \\ud83d"', '"\\ud83d\\ude00 \\ud83d"'),
        ('{"__proto__": {"deep": [null, -1e400]}}', '{"__proto__": {"deep": [null, null]}}'),
    ],
)
def test_values_come_back_as_javascript_would_write_them(given: str, returned: str) -> None:
    candidate = f'{{"agentId": "a", "x": {given}}}'
    line = f'{{"fn": "resolveAgentSelector", "args": [{{"definitionId": "a"}}, [{candidate}]]}}'
    assert answer(line) == f'{{"value": {{"agentId": "a", "x": {returned}}}}}'


def test_an_argument_too_few_is_undefined_and_one_too_many_is_not_looked_at() -> None:
    assert json.loads(answer('{"fn": "parseAgentSelector", "args": []}')) == {
        "error": "Cannot read properties of undefined (reading 'trim')"
    }
    assert json.loads(answer('{"fn": "formatAgentSelector", "args": [{"definitionId": "a"}, null]}')) == {
        "error": "Cannot read properties of null (reading 'includeSigil')"
    }
    assert json.loads(answer('{"fn": "normalizeAgentSelectorSegment", "args": ["A", null]}')) == {
        "value": "a"
    }


def test_the_program_answers_each_line_in_order_whatever_bytes_come() -> None:
    lines = [
        b'{"fn": "isQuestionTerminalState", "args": ["closed"]}',
        b"\xff\xfe",
        b'{"fn": "parseAgentSelector", "args": ["@a\xe2\x80\xa8b\xff"]}\r',
        b'{"fn": "assertValidCollaborationEvent", "args": [{"id": "", "recordId": "r", "actorId": "a"}]}',
        b'{"fn": "assertValidCollaborationEvent", "args": [{"id": "e", "recordId": "r", "actorId": "a"}]}',
    ]
    command = [sys.executable, "-m", "gaia_email_control.calls"]
    done = subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=True, timeout=30)
    first, second, third, *others = map(json.loads, done.stdout.decode().splitlines())
    assert first == {"value": True}
    assert "is not JSON" in second["error"]
    assert third["value"]["label"] == "@a-b"
    assert others == [{"error": "collaboration event id is required"}, {"value": None}]


PURE = (
    *("calls", "collaboration", "collaboration_records", "commands", "deliveries", "events", "identities"),
    *("javascript", "projected_calls", "projected_messages", "projecting", "records", "refusals", "schemas"),
    *("selectors", "vocabulary", "wire"),
)
"""Modules with the records and rules of the protocol."""


def test_the_rules_need_no_database_and_no_engine() -> None:
    names = [f"gaia_email_control.{name}" for name in PURE]
    code = f"import sys, {', '.join(names)}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=30
    )
    assert not {"numpy", "sqlalchemy", "dbos", "fastmcp", "mcp"} & set(done.stdout.split())


def test_the_program_ends_quietly_when_nobody_reads_on() -> None:
    command = [sys.executable, "-m", "gaia_email_control.calls"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin is not None and program.stdout is not None and program.stderr is not None
        program.stdin.write(b"{}\n")
        program.stdin.flush()
        assert b"error" in program.stdout.readline()
        program.stdout.close()
        program.stdin.write(b"{}\n" * 3)
        program.stdin.close()
        assert program.stderr.read() == b""
        assert program.wait(30) == 0
