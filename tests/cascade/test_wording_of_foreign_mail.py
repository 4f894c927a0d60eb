"""What a person reads of real mail by other hands: no debris of headers, quotes, markup or half sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gaia_email.cascade.understand import understand
from gaia_email.cascade.verdict import Context
from gaia_email.triage.tiers import default_tier
from gaia_mail.mime.read import parse_message

DEBRIS = {
    "encoded word": r"=\?[\w-]+\?[bqBQ]\?",
    "header of an earlier message": r"(?i)please respond to|sent by: |forwarded by |original message-|\bcc: \S+@",
    "bare date": r'"\W*\d{1,2}/\d{1,2}/\d{2,4}\W*(?:\d\d:\d\d)?(?:\s?[AP]M)?"',
    "quote mark": r'"\s*> |^\)? ?> ',
    "link instead of words": r'"\W*https?:|^\W*https?://\S+$',
    "markup": r"</?(?:div|span|br|p|td|table|a|img|font)\b|&(?:nbsp|amp|lt|gt);|&#\d",
    "footer": r"(?i)intended recipient|received this (?:e-?mail|message) in error|privileged and",
    "half sentence": r'(?i) (?:mr|ms|mrs|dr|unless|and|or|than|the)"(?!…)',
    "transfer encoding": r"=[0-9A-F]{2}=[0-9A-F]{2}|\ufffd",
}
"""What must not stand in a reason or a summary."""


def read(path: Path) -> tuple[str, str, str]:
    """Reason, summary and subject."""
    message = parse_message(path.read_bytes())
    verdict = understand(message, Context(owner=frozenset({"me@example.org"})), default_tier()).verdict
    return verdict.priority.reason, verdict.summary, message.subject


@pytest.mark.parametrize("source", ["real_mail", "spamassassin"])
def test_reasons_and_summaries_are_sentences(source: str, shared: Path) -> None:
    folder = shared / "data" / source / "messages"
    if not folder.is_dir():
        pytest.skip(f"{source} is not here")
    files = sorted(path for path in folder.rglob("*") if path.is_file())[::2]
    found: list[str] = []
    for path in files:
        reason, summary, subject = read(path)
        if "spam" in path.name.partition("_")[0] or reason.startswith("Looks like"):
            continue
        found += [
            f"{path.name}: {kind}: {text}"
            for kind, pattern in DEBRIS.items()
            for text in (reason, summary)
            if re.search(pattern, text)
        ]
        if summary and summary.rstrip(" .!?…").casefold() == subject.rstrip(" .!?…").casefold():
            found.append(f"{path.name}: the subject again: {summary}")
    assert len(files) > 200
    assert len(found) <= len(files) // 200, "\n".join(found)
