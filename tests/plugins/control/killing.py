"""Ten clients of a broker that is killed again and again: `python -m tests.plugins.control.killing HOME SEED KILLS`.

Each client sends its commands in order and goes on with the next one when it has its answer; after a kill it sends the
one again that was not answered. Printed at the end: how many commands each client was answered.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaia_email_registry.errors import MailError
from tests.plugins.control.brokering import (
    WHO,
    BrokerBench,
    agent,
    agent_caller,
    conversation,
    happened,
    invocation,
    message,
    question,
    work_item,
)

CLIENTS = 10
CONVERSATIONS = 3
COMMANDS = 400
"""More than a client is answered before the last kill."""


def commands_of(client: int, seed: int) -> list[dict[str, Any]]:
    """What a client sends, invalid records among it; the ids say whose they are and count up."""
    dice, me = random.Random(seed * 1000 + client), f"agent{client}"
    sent = list[dict[str, Any]]()
    for number in range(COMMANDS):
        name = f"{me}-{number:04}"
        sent.append(
            dice.choice(
                [
                    message(name, f"c{dice.randrange(CONVERSATIONS)}", me),
                    message(name, f"c{dice.randrange(CONVERSATIONS)}", me, mentions=[{"actorId": "agent1"}]),
                    invocation(name, me),
                    question(name, me),
                    question(name, me, title=" "),
                    work_item(f"{me}-work", me, updatedAt=number + 1),
                    happened(name, f"{me}-work", me, "progressed", "work_item"),
                    message(name, "c0", WHO.owner_id),
                    agent(me, displayName=name),
                ]
            )
        )
    return sent


def prepare(home: Path) -> None:
    """Every client is registered, and what they write about is there."""
    bench, everybody = (
        BrokerBench(f"sqlite:///{home / 'ledger.db'}"),
        [f"agent{one}" for one in range(CLIENTS)],
    )
    for me in everybody:
        bench.send(agent(me), me)
        bench.send(work_item(f"{me}-work", me), me)
    for number in range(CONVERSATIONS):
        bench.send(conversation(f"c{number}", *everybody), everybody[0])
    bench.ledger.close()


def serve(home: Path, seed: int, positions: list[int], answered: int) -> None:
    """The program that is killed: one broker, ten threads, and a byte for each answer."""
    bench = BrokerBench(f"sqlite:///{home / 'ledger.db'}")

    def run(client: int) -> None:
        caller = agent_caller(f"agent{client}")
        for command in commands_of(client, seed)[positions[client] :]:
            with suppress(MailError):
                bench.broker.execute(command, caller)
            os.write(answered, bytes([client]))

    threads = [threading.Thread(target=run, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(home: Path, seed: int, kills: int) -> None:
    """Kill the broker so often, each time after a few answers more."""
    dice, positions = random.Random(seed), [0] * CLIENTS
    prepare(home)
    for _ in range(kills):
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            serve(home, seed, positions, writing)
            os._exit(0)
        os.close(writing)
        left = dice.randrange(1, 40)
        while left and (byte := os.read(reading, 1)):
            positions[byte[0]] += 1
            left -= 1
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        while byte := os.read(reading, 1):
            positions[byte[0]] += 1
        os.close(reading)
    print(json.dumps(positions))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
