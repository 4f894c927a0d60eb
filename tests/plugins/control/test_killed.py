"""Ten clients, and a broker that is killed: nothing is lost, nothing is there twice, and the order holds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gaia_email_control.broker.ledger_events import control_event
from gaia_email_control.events import EVENT_RECORDS
from gaia_email_registry.errors import MailError
from tests.plugins.control.brokering import WHO, BrokerBench, agent_caller
from tests.plugins.control.killing import CLIENTS, commands_of

ROOT = Path(__file__).resolve().parents[3]
ONCE = ("message.posted", "invocation.requested", "collaboration.event.appended")


def told(bench: BrokerBench) -> list[tuple[str, dict[str, Any]]]:
    """Kind and record of every event, in order."""
    with bench.ledger.read() as tx:
        found = [control_event(one, WHO.node_id) for one in bench.ledger.events.since(tx, limit=100_000)]
        assert bench.ledger.events.verify(tx) is None
    return [(one.kind, dict(one.payload[EVENT_RECORDS[one.kind][0]])) for one in found if one is not None]  # type: ignore[call-overload]


def check(home: Path, seed: int, positions: list[int]) -> None:
    bench = BrokerBench(f"sqlite:///{home / 'ledger.db'}")
    before = bench.models()
    assert before == bench.rebuilt()
    events = told(bench)
    counts = Counter((kind, record["id"]) for kind, record in events if kind in ONCE)
    assert set(counts.values()) <= {1}
    for client in range(CLIENTS):
        me, sent = f"agent{client}", commands_of(client, seed)
        for command in sent[: positions[client]]:
            # What was answered is there; what was refused is refused again.
            with suppress(MailError):
                assert not bench.broker.execute(command, agent_caller(me)).is_new or _changes(command)
        for conversation in ("c0", "c1", "c2"):
            mine = [
                record["id"]
                for kind, record in events
                if kind == "message.posted"
                and (record["conversationId"], record["actorId"]) == (conversation, me)
            ]
            assert mine == sorted(mine)
    assert not any(
        record.get("title") == " " or record.get("actorId") == WHO.owner_id for _, record in events
    )
    assert sum(positions) > 0
    bench.ledger.close()


def _changes(command: dict[str, Any]) -> bool:
    """Whether a later command may have put another record in its place."""
    return command["kind"] in ("agent.upsert",) or command.get("record", {}).get("kind") == "work_item"


def killed(home: Path, seed: int, kills: int) -> None:
    command = [sys.executable, "-m", "tests.plugins.control.killing", str(home), str(seed), str(kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    check(home, seed, json.loads(done.stdout))


def test_a_broker_that_is_killed_ten_times_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    killed(tmp_path, 1, 10)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_broker_that_is_killed_a_hundred_times(tmp_path: Path) -> None:
    killed(tmp_path, 2, 100)
