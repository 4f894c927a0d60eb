"""The steps together score at least as well as the best other tool on the shared corpora, when these are here."""

from __future__ import annotations

import json
import time
from collections import Counter
from email.utils import parseaddr
from pathlib import Path

import pytest

from gaia_understanding.prepare.disclaimer import split_disclaimer
from gaia_understanding.prepare.quotes import split_quotes
from gaia_understanding.prepare.signature import split_signature

Row = dict[str, str | list[str] | None]
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def rows(name: str) -> list[Row]:
    path = DATA / name / "expected.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def squeezed(text: object) -> str:
    return " ".join(str(text or "").split())


def prepared(row: Row) -> tuple[str, str]:
    """The normalised text and the signature, as the pipeline puts the steps together."""
    head, _, body = str(row["message"]).partition("\n\n")
    headers = {line.partition(": ")[0]: line.partition(": ")[2] for line in head.splitlines()}
    name, address = parseaddr(headers.get("From", ""))
    text = str(row.get("input", body))
    quotes = split_quotes(text, subject=headers.get("Subject", ""))
    signed = split_signature(split_disclaimer(quotes.kept).kept, sender_name=name, sender_address=address)
    return signed.kept, signed.removed


def test_replies_are_read_as_well_as_by_the_best_other_tool() -> None:
    wanted = [row for row in rows("reply") if row["task"] == "reply_text"]
    exact = [
        squeezed(prepared(row)[0]) == squeezed(row["expected_reply"])
        for row in wanted
        if "expected_reply" in row
    ]
    assert sum(exact) / len(exact) >= 0.97
    for row in wanted:
        kept = prepared(row)[0]
        assert all(words in kept for words in _strings(row.get("must_contain")))
        assert not any(words in kept for words in _strings(row.get("must_not_contain")))


def _strings(value: str | list[str] | None) -> list[str]:
    return value if isinstance(value, list) else []


def test_signatures_of_replies_are_found_as_well_as_by_the_best_other_tool() -> None:
    wanted = [row for row in rows("reply") if row["task"] == "signature"]
    exact = [squeezed(prepared(row)[1]) == squeezed(row["expected_signature"]) for row in wanted]
    assert sum(exact) / len(exact) >= 0.85


def test_trap_messages_are_read_at_once() -> None:
    for row in rows("reply"):
        if row["task"] == "time":
            began = time.perf_counter()
            prepared(row)
            assert time.perf_counter() - began < 1


def test_signature_lines_are_found_and_hardly_ever_invented() -> None:
    found = wanted = common = detected = invented = without = 0
    mails = rows("forge")
    for row in mails:
        got = Counter(squeezed(line) for line in prepared(row)[1].splitlines() if line.strip())
        true = Counter(squeezed(line) for line in _strings(row["signature"]) if line.strip())
        found, wanted, common = found + got.total(), wanted + true.total(), common + (got & true).total()
        detected += bool(got) == bool(true)
        without += not true
        invented += bool(got) and not true
    precision, recall = common / found, common / wanted
    assert 2 * precision * recall / (precision + recall) >= 0.95
    assert detected / len(mails) >= 0.95
    assert invented / without <= 0.02
