"""What the model learns from, as rows of features and answers; each entry ends in `_rows`.

The labelled messages of this repository, and, where their folder is given, public corpora: their text is read, never
stored. `docs/learned-model.md` names them with source and licence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from evals.forms import bare, nameless
from evals.real_mail import REAL_CORPUS, labelled
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.fixtures import read_fixtures
from gaia_email_evals.labelled import read_labelled
from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.features import Features, sentence_features
from gaia_understanding.cascade.model.learned import phrases_in
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.extract.reading import read
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare

SPAM_CORPUS, INTENT_CORPUS = "spamassassin", "parakweet"
Form = Literal["mailbox", "file", "bare", "nameless"]
_NUMBERS = re.compile(r"[\W\d_]+")
_SUBJECT, _TELLING = 30, 12
"""How much of a subject without numbers and marks says that two mails are of one mailing."""
_SEEN = re.compile(rb"(?:from|to|cc|subject|date|mime-version|content-[a-z-]+):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One message (or sentence): its features by group, its known answers, and the group it must not be torn from.

    `form` says what was left around it: everything its mailbox knows, or less (see `fixture_rows`).
    """

    name: str
    source: str
    group: str
    part: str
    features: Mapping[str, tuple[bytes, ...]]
    answers: Mapping[str, str]
    form: Form = "mailbox"


def fixture_rows(folder: Path) -> Iterator[Row]:
    """Rows of each labelled message: in its mailbox, with nothing known around it, and from strangers in plain forms.

    Without the others the model would take a stranger's mail for advertising, because here it often is, and lean on
    headers that other people's labelled mail does not have. What makes a trap a trap may stand in the headers, so
    without them it only teaches how traps sound.
    """
    for case in read_fixtures(folder):
        answers = _answers(case)
        yield _message_row(case, answers)
        yield _message_row(replace(case, context=Context()), answers, form="file")
        if case.labels.injection:
            continue
        if case.labels.phishing:
            answers = {"trap": answers["trap"]}
        strange = Context(owner=case.context.owner, first_contact=True)
        yield _message_row(replace(case, raw=bare(case.raw), context=strange), answers, form="bare")
        yield _message_row(replace(case, raw=nameless(case.raw), context=strange), answers, form="nameless")


def spam_rows(folder: Path) -> Iterator[Row]:
    """Rows of the SpamAssassin sample, of which only spam or not is known; the file's name begins with its subset.

    Three rows each, as of our own messages, so that both kinds weigh the same: as it is, as a stranger's, and with the
    headers gone that many collections leave out.
    """
    cases = list(read_labelled(_labels(folder, SPAM_CORPUS)))
    for case, group in zip(cases, _senders(cases), strict=True):
        subset, answers = case.name.partition("_")[0], _answers(case)
        for context in (Context(), Context(first_contact=True)):
            yield _message_row(replace(case, source=subset, group=group, context=context), answers)
        shown = replace(case, source=subset, group=group, raw=_shown(case.raw), context=Context())
        yield _message_row(shown, answers)


def real_rows(folder: Path) -> Iterator[Row]:
    """Rows of real mail that we labelled (`evals.real_mail`): a pass makes one in its mailbox and one as a stranger's.

    Where two passes differ, both teach. A conversation stays together, in whosever mailbox it lies.
    """
    for mail in labelled(folder):
        case = replace(mail.case, group=mail.conversation)
        strange = Context(owner=case.context.owner, first_contact=True)
        for bucket in mail.answers:
            answers = {"bucket": bucket, "reply": _yes(bool(case.labels.needs_reply))}
            for context in (case.context, strange):
                yield replace(_message_row(replace(case, context=context), answers), part="train")


def is_real(row: Row) -> bool:
    """Whether it is one of `real_rows`."""
    return row.source.startswith(f"{REAL_CORPUS}/")


def ham_rows(folder: Path) -> Iterator[Row]:
    """Rows of real mail of a company's staff, of which only that it is no trap is known."""
    for case in read_labelled(_labels(folder, REAL_CORPUS)):
        yield _message_row(replace(case, source=REAL_CORPUS), {"trap": _yes(False)})


def _senders(cases: Sequence[LabelledMessage]) -> list[str]:
    """A name for each mail that mails of one list, one firm, one person, or one subject share.

    What is alike must not be learned from when a mail is answered, or it would only be remembered.
    """
    group: dict[str, str] = {}
    found: list[list[str]] = []
    for case in cases:
        message = decode(case.raw)
        address = message.sender.address.lower() if message.sender else ""
        firm = organisational_domain(domain_of(address))
        place = message.headers.get("list-id") or (address if is_free_mail(firm) else firm)
        subject = _NUMBERS.sub("", message.subject.lower()).strip()[:_SUBJECT]
        keys = [place or case.name, *([f"subject {subject}"] if len(subject) > _TELLING else [])]
        found.append(keys)
        known = [group[key] for key in keys if key in group]
        for key in keys:
            group[key] = known[0] if known else keys[0]
        if len(set(known)) > 1:
            group = {key: known[0] if name in known else name for key, name in group.items()}
    return [group[keys[0]] for keys in found]


def _shown(raw: bytes) -> bytes:
    """A mail with the headers that a reader sees, and those that its body needs."""
    end = re.search(rb"\r?\n\r?\n", raw)
    split = end.start() if end else len(raw)
    fields = re.split(rb"\r?\n(?![ \t])", raw[:split])
    return b"\n".join([field for field in fields if _SEEN.match(field)]) + raw[split:]


def intent_rows(folder: Path) -> Iterator[Row]:
    """Rows of the Parakweet sentences: does it ask, promise or propose something."""
    for case in read_labelled(_labels(folder, INTENT_CORPUS)):
        yield Row(
            name=case.name,
            source=INTENT_CORPUS,
            group=case.group,
            part="train",
            features={"sentence": tuple(_sentence_keys(prepare(decode(case.raw))))},
            answers={"intent": _yes(bool(case.labels.intent))},
        )


def listings(folder: Path) -> list[Path]:
    """The `expected.jsonl` of the set that a folder is, or of each set in it, by name."""
    own = folder / "expected.jsonl"
    return [own] if own.is_file() else sorted(folder.glob("*/expected.jsonl"))


def _labels(folder: Path, corpus: str) -> Path:
    return folder / corpus / "expected.jsonl"


def digest(folder: Path, corpus: str) -> str:
    """The SHA-256 of a corpus's labels file, first 16 digits, for the record."""
    return hashlib.sha256(_labels(folder, corpus).read_bytes()).hexdigest()[:16]


def _message_row(case: LabelledMessage, answers: Mapping[str, str], form: Form = "mailbox") -> Row:
    features = BuiltinTier().features(prepare(decode(case.raw)), case.context)
    return Row(
        name=case.name,
        source=case.source,
        group=case.group,
        part=case.part,
        features=_grouped(features),
        answers=answers,
        form=form,
    )


def _grouped(features: Features) -> dict[str, tuple[bytes, ...]]:
    return {
        "facts": tuple(name.encode() for name in dict.fromkeys(features.facts)),
        "sender": tuple(features.sender),
        "subject": tuple(features.subject),
        "body": tuple(features.body),
        "phrase": tuple(phrases_in(features.text)),
    }


def _answers(case: LabelledMessage) -> dict[str, str]:
    labels = case.labels
    answers: dict[str, str] = {}
    if labels.buckets:
        answers["bucket"] = labels.buckets[0]
    if labels.act:
        answers["act"] = labels.act
    if labels.category:
        answers["category"] = labels.category
    if labels.needs_reply is not None:
        answers["reply"] = _yes(labels.needs_reply)
    if labels.spam is not None and not labels.phishing:
        answers["spam"] = _yes(labels.spam)
    if labels.phishing is not None:
        answers["trap"] = _yes(labels.phishing)
    return answers


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _sentence_keys(prepared: Prepared) -> list[bytes]:
    """The features of a one-sentence mail; of its first three where the sentence was split."""
    reading = read(prepared)
    spans = {span.text: span for span in reading.requests}
    sentences = reading.sentences[:3] or (prepared.normalized,)
    return list(
        dict.fromkeys(
            name for sentence in sentences for name in sentence_features(sentence, spans.get(sentence))
        )
    )
