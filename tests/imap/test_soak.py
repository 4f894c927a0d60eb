"""Days of traffic in minutes: `make soak`, for `SOAK_ARRIVALS` messages (default 4,000, some minutes).

Messages come in bursts of one to thirty-two, are read, starred, moved and expunged by another program, and the
connection is cut now and then. Each is told once, and the memory of the watch stays what it was.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime

import pytest

from gaia_email.app.sample.mailbox import sample_messages
from tests.imap.program import line, watch_of
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

ARRIVALS = 4000
BEFORE = 1000
"""Messages that are there when the watch starts."""

SETTLED = 500
"""Arrivals, at most, after which the memory counts as what it normally is."""

KEPT = 1500
"""Messages in the inbox above which the other program clears up."""

GROWTH, MOST_MB = 1.1, 180.0


def resident_mb(pid: int) -> float:
    text = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(text.stdout) / 1024


def clear_up(other: OtherClient, chance: random.Random) -> None:
    """What a person does with mail elsewhere."""
    uids = other.uids()
    other.flag(chance.sample(uids, 20), "\\Seen")
    other.flag(chance.sample(uids, 3), "\\Flagged")
    if len(uids) > KEPT:
        other.move(uids[:100], "Archive")
        other.expunge(uids[100:300])
        archived = other.uids("Archive")
        if len(archived) > KEPT:
            other.expunge(archived[:-100], "Archive")


@pytest.mark.soak
@pytest.mark.usefixtures("home_of_its_own")
def test_watch_tells_each_message_once_and_does_not_grow(
    dovecot: Dovecot, proxy: Proxy, other: OtherClient, user: str
) -> None:
    count = int(os.environ.get("SOAK_ARRIVALS", ARRIVALS))
    chance = random.Random(4)
    head = b"Message-ID: <"
    sample = [
        raw
        for message in sample_messages(datetime(2026, 1, 1, tzinfo=UTC))
        if (raw := message.raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")).count(head) == 1
    ]

    def message(number: int) -> bytes:
        return sample[number % len(sample)].replace(head, head + b"%d." % number)

    dovecot.fill(user, ((message(number), "S") for number in range(BEFORE)))
    told: Counter[str] = Counter()
    memory: list[float] = []
    settled = 0
    with watch_of(proxy.port, user) as watch:
        assert f": {BEFORE} messages" in line(watch.stderr).replace(",", "")
        arrived = 0
        while arrived < count:
            burst = min(chance.choice((1, 1, 2, 4, 8, 16, 32)), count - arrived)
            if chance.random() < 0.05:
                proxy.cut_all()
            for number in range(arrived, arrived + burst):
                other.append(message(BEFORE + number))
            for _ in range(burst):
                told[json.loads(line(watch.stdout))["id"]] += 1
            arrived += burst
            if chance.random() < 0.2:
                clear_up(other, chance)
            memory.append(resident_mb(watch.pid))
            if arrived <= min(SETTLED, count // 2):
                settled = len(memory)
            if len(memory) % 50 == 0:
                sys.stderr.write(f"{arrived:,} messages, {memory[-1]:.0f} MB\n")
        assert watch.poll() is None
    assert len(told) == count and set(told.values()) == {1}
    early, late = statistics.median(memory[settled : settled + 5]), statistics.median(memory[-5:])
    sys.stderr.write(f"{early:.0f} MB after {SETTLED:,} messages, {late:.0f} MB after {count:,}\n")
    assert late < early * GROWTH
    assert late < MOST_MB
