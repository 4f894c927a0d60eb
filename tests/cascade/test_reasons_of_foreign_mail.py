"""What holds for the reason and the number of any mail; on the development data, skipped where that is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gaia_mail.mime.read import parse_message
from gaia_understanding.cascade.bands import BANDS
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare
from tests.cascade.denials import denies

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SETS = ("triage_foreign", "real_mail", "spamassassin")
LATE = re.compile(r"; (?:the date passed on|it has waited since) \d{1,2} [A-Z][a-z]+(?: \d{4})?\.$")
pytestmark = pytest.mark.skipif(
    not all((DATA / name).is_dir() for name in SETS), reason="the development data is not here"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    name: str
    prepared: Prepared
    user: str


def _read(name: str) -> Iterator[Foreign]:
    for listing in sorted((DATA / name).rglob("expected.jsonl")):
        for line in listing.read_text("utf-8").splitlines():
            row = json.loads(line)
            raw = (listing.parent / "messages" / row["file"]).read_bytes()
            user = row.get("user", "me@example.org")
            yield Foreign(
                name=f"{listing.parent.name}/{row['file']}", prepared=prepare(parse_message(raw)), user=user
            )


@pytest.fixture(scope="module", params=SETS)
def mails(request: pytest.FixtureRequest) -> list[Foreign]:
    found = list(_read(str(request.param)))
    assert len(found) >= 200
    return found


def test_no_reason_denies_and_every_number_is_of_its_bucket(mails: list[Foreign]) -> None:
    tier = BuiltinTier()
    for one in mails:
        verdict = tier.judge(one.prepared, Context(owner=frozenset({one.user})))
        low, high = BANDS[verdict.bucket]
        assert not denies(verdict.priority.reason), one.name
        assert low <= verdict.priority.score <= high, one.name
        assert verdict.confidence <= 0.99, one.name


def test_a_week_later_nothing_is_urgent_and_what_was_says_when(mails: list[Foreign]) -> None:
    tier = BuiltinTier()
    for one in mails:
        context = Context(owner=frozenset({one.user}))
        before = tier.judge(one.prepared, context)
        if before.bucket not in ("urgent", "actionable"):
            continue
        aged = Context(owner=context.owner, age_s=8 * 86_400.0)
        now = tier.judge(one.prepared, aged)
        low, high = BANDS[now.bucket]
        assert now.bucket != "urgent", one.name
        assert low <= now.priority.score <= high, one.name
        assert not denies(now.priority.reason), one.name
        if before.bucket == "urgent" and one.prepared.message.date is not None:
            assert LATE.search(now.priority.reason), one.name
            assert now.priority.score <= (low + high) / 2, one.name
