"""What a person reads of real mail by other hands: no debris of headers, quotes, markup or half sentences."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from gaia_email.triage.tiers import default_tier
from gaia_mail.mime.read import parse_message
from gaia_understanding.cascade.understand import understand
from gaia_understanding.cascade.verdict import Context

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
    "Last, First": r"^[A-Z][a-z]+, [A-Z][\w.]* (?:asks|says|writes|promises)",
    "split at a time": r"(?i)\d\s?[ap]\.m?\"",
    "two marks": r"[?!]\.(?!\.)",
    "claim against its words": r"(?i) asks \"[^\"]*\b(?:no need to|don't need to|no reply (?:is )?needed|no action)\b",
    "prefix as a subject": r'(?i) about "(?:re|fwd?|aw|wg):?"',
    "asks to a thing": r'asks to "(?:your|my|the) ',
}
"""What must not stand in a reason or a summary."""

FAULTY = {
    "encoded word": 'Ann asks "=?utf-8?q?R=C3=BCckfrage?=".',
    "header of an earlier message": 'Ann writes "Please respond to Bo".',
    "bare date": 'Ann writes "06/26/2001 09:14 AM".',
    "quote mark": 'Ann writes "> Could you come".',
    "link instead of words": 'Ann writes "https://example.com/x".',
    "markup": 'Ann writes "See<br>below&nbsp;there".',
    "footer": 'Ann writes "If you are not the intended recipient".',
    "half sentence": 'Ann asks "Could you ask Mr".',
    "transfer encoding": 'Ann writes "R=C3=BCckfrage".',
    "Last, First": 'Lee, Ann asks "Could you come".',
    "split at a time": 'Ann asks "Could you come at 9 a.m".',
    "two marks": 'Ann asks "Could you come?."',
    "claim against its words": 'Ann asks "There is no need to answer".',
    "prefix as a subject": 'Ann asks "What do you think" about "FW".',
    "asks to a thing": 'Looks like phishing: it asks to "your credentials".',
}
"""A sentence of each kind, as it was once found."""

AWAY = r"(?i)^(?:out of (?:the )?office|automatic reply|auto(?:matic)?[ -]?response|abwesenheit)"


@pytest.mark.parametrize("kind", DEBRIS)
def test_every_check_finds_what_it_is_for(kind: str) -> None:
    assert re.search(DEBRIS[kind], FAULTY[kind])
    assert not re.search(DEBRIS[kind], 'Ann asks "Could you come to the house at 9 a.m. on Friday".')


def read(path: Path) -> tuple[str, str, str, str, bool]:
    """Reason, summary, subject and sender, and whether it goes to a list."""
    message = parse_message(path.read_bytes())
    verdict = understand(
        message, Context(owner=frozenset({"me@example.org"})), default_tier(environ=os.environ)
    ).verdict
    sender = message.sender.name if message.sender else ""
    return verdict.priority.reason, verdict.summary, message.subject, sender, verdict.flags.bulk


def faults(reason: str, summary: str, subject: str, sender: str, bulk: bool) -> list[str]:
    """What is wrong with what a person reads of one message."""
    found = [
        f"{kind}: {text}"
        for kind, pattern in DEBRIS.items()
        for text in (reason, summary)
        if re.search(pattern, text)
    ]
    if summary and summary.rstrip(" .!?…").casefold() == subject.rstrip(" .!?…").casefold():
        found.append(f"the subject again: {summary}")
    last, comma, _ = sender.partition(",")
    if comma and reason.startswith(f"{last} "):
        found.append(f"family name as a first name: {reason}")
    if re.search(AWAY, subject) and re.match(r"\S+ (?:asks|promises)", reason):
        found.append(f"an automatic answer taken for a person: {reason}")
    if bulk and "you know each other" in reason:
        found.append(f"a list taken for a friend: {reason}")
    return found


def test_what_only_sender_subject_and_list_tell_is_found_too() -> None:
    asks = 'Lee asks "Could you come".'
    assert faults(asks, "", "", "Lee, Ann", False) and not faults(asks, "", "", "Lee Bo", False)
    assert faults(asks, "", "Out of office: back on Monday", "Lee Bo", False)
    assert faults("Lee writes, and you know each other well.", "", "", "Lee Bo", True)
    assert faults(asks, "Roof", "Roof.", "Lee Bo", False)


@pytest.mark.parametrize(
    ("source", "least"), [("real_mail", 200), ("spamassassin", 200), ("triage_foreign", 80)]
)
def test_reasons_and_summaries_are_sentences(source: str, least: int, shared: Path) -> None:
    folder = shared / "data" / source
    if not folder.is_dir():
        pytest.skip(f"{source} is not here")
    files = sorted(path for path in folder.rglob("messages/**/*") if path.is_file())[::2]
    found: list[str] = []
    for path in files:
        told = read(path)
        if "spam" not in path.name.partition("_")[0]:
            found += [f"{path.parent.parent.name}/{path.name}: {fault}" for fault in faults(*told)]
    assert len(files) >= least
    assert len(found) <= len(files) // 200, "\n".join(found)
