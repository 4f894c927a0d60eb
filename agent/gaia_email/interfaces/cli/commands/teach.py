"""`gaia email teach`: short questions whose answers teach what this mailbox's owner considers urgent."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

from gaia_email.app import App
from gaia_email.app.documents.pending import BUCKET_NAMES
from gaia_email.document import answer_of, json_of
from gaia_email.interfaces.cli.options import NamedSource, pass_app, source_options
from gaia_email.interfaces.cli.output import note, write_json
from gaia_email.interfaces.cli.terminal import is_terminal
from gaia_email_registry.errors import BadArgument
from gaia_mail.printable import visible
from gaia_understanding.cascade.verdict import BUCKETS, CONVENTION_WORDS, Bucket

if TYPE_CHECKING:
    from gaia_email.app.services.teaching import Sitting
    from gaia_email.triage.learn.teach import HeldBackAgreement, MovedThread, TeachingSession

KEYS: Mapping[str, Bucket] = dict(zip("1234", BUCKETS, strict=True))
SHOWN = 10
SKIP = "skip"
INTERFACE = "cli"


@click.command(name="teach")
@click.option(
    "--count", type=click.IntRange(1, 60), default=20, show_default=True, help="Number of questions."
)
@click.option("--list", "only_list", is_flag=True, help="Print the questions and ask nothing.")
@click.option(
    "--answers", type=click.File(encoding="utf-8"), help="Lines of ID and bucket, or `skip`; - reads them."
)
@source_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_app
def command(
    app: App, count: int, only_list: bool, answers: TextIO | None, named: NamedSource, as_json: bool
) -> None:
    """Answer short questions about your mail, one key each; what resembles it is sorted your way from then on.

    Every answer counts at once and can be taken back (`gaia email correct ID --retract`). Leave with q; the next time
    asks about other mail. Every fifth answer is first used to measure how far the rest was understood.
    """
    if answers is None and not only_list and (as_json or not (is_terminal() and sys.stdin.isatty())):
        raise BadArgument(
            "Questions are asked at a terminal.",
            hint="gaia email teach --list --json prints them; --answers FILE answers: a line each of ID and bucket.",
        )
    from gaia_email.app.services.teaching import Sitting
    from gaia_email.interfaces.cli.person import need_person

    if not only_list:
        need_person(app)
    given = None if answers is None else _read_answers(answers)
    sitting = Sitting(app, named.resolve(app), count=count, ids=None if given is None else list(given))
    if not only_list:
        _teach(sitting, given, as_json=as_json)
        return
    document = answer_of(sitting.outcome())
    if as_json:
        write_json(document)
        return
    for row in document["questions"]:
        click.echo(_line(f"{row['id']}  {row['from']}: {row['subject']}  ({row['bucket']})"))


def _teach(sitting: Sitting, given: Mapping[str, Bucket | None] | None, *, as_json: bool) -> None:
    """Ask, or use the answers given, and show what they changed."""
    with sitting.lesson() as lesson:
        if given is None:
            _ask(lesson)
        else:
            for (_, bucket), found in zip(given.items(), lesson.questions, strict=True):
                if bucket is None:
                    lesson.skipped += 1
                else:
                    lesson.answer(found, bucket, actor=INTERFACE)
        answered, skipped = len(lesson.answers), lesson.skipped
        agreement = lesson.agreement()
        lesson.note(agreement, sitting.account, actor=INTERFACE)
        habits = lesson.habits()
    changed = sitting.finish() if answered else []
    if as_json:
        write_json(
            answer_of(sitting.outcome(agreement, changed, answered=answered, skipped=skipped, habits=habits))
        )
        return
    _tell(sitting, agreement, changed, answered=answered, skipped=skipped)
    for habit in habits:
        note(
            f"{CONVENTION_WORDS[habit.kind]}: {habit.answers} times {BUCKET_NAMES[habit.bucket]}; "
            f"gaia email policy convention {habit.kind} {habit.bucket} makes it a rule."
        )


def _tell(
    sitting: Sitting,
    agreement: HeldBackAgreement,
    changed: Sequence[MovedThread],
    *,
    answered: int,
    skipped: int,
) -> None:
    """Print the number of answers, the agreement with them, and the other mail that moved."""
    note(f"{answered} answered · {skipped} skipped · {len(sitting.questions) - answered - skipped} left")
    if agreement.held_back:
        note(
            f"of {agreement.held_back} answers held back I had {agreement.before} right before, "
            f"{agreement.after} now."
        )
    note(f"{len(changed)} other thread{'' if len(changed) == 1 else 's'} of your inbox moved.")
    for one in changed[:SHOWN]:
        sender = one.summary["from"]["name"] or one.summary["from"]["address"]
        where = f"{BUCKET_NAMES[one.was]} → {BUCKET_NAMES[one.bucket]}"
        click.echo(_line(f"{where}: {sender}: {one.summary['subject']}"))
    if len(changed) > SHOWN:
        note(f"and {len(changed) - SHOWN} more; gaia email inbox shows them where they are now.")
    if answered:
        note("next: gaia email teach goes on with other mail; gaia email lessons takes answers back.")


def _read_answers(stream: TextIO) -> dict[str, Bucket | None]:
    """Return message id → bucket; None for a skipped message.

    Raises:
        BadArgument: A line is invalid, or there are no answers.
    """
    given: dict[str, Bucket | None] = {}
    for number, line in enumerate(stream, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        bucket: Bucket | None = next((name for name in BUCKETS if name == words[-1]), None)
        if len(words) != 2 or (bucket is None and words[1] != SKIP):
            raise BadArgument(
                f"Line {number} of the answers is not an id and a bucket: {line.strip()[:60]!r}.",
                hint=f"A bucket is one of {', '.join(BUCKETS)}, or {SKIP}.",
            )
        given[words[0]] = bucket
    if not given:
        raise BadArgument(
            "There are no answers.",
            hint="gaia email teach --list --json prints the questions with their ids.",
        )
    return given


def _ask(lesson: TeachingSession) -> None:
    from gaia_email.app.services.teaching import TeachingQuestion
    from gaia_email.interfaces.cli.review_screen import keys_of_terminal

    if not lesson.questions:
        note("there is nothing left to ask about in this inbox.")
        return
    keys = " · ".join(f"{key} {BUCKET_NAMES[bucket]}" for key, bucket in KEYS.items())
    click.echo(f"Where does it belong?  {keys} · s skip · q leave")
    with keys_of_terminal() as read_key:
        for number, found in enumerate(lesson.questions, start=1):
            row = json_of(TeachingQuestion.of(found))
            click.echo(_line(f"\n{number}/{len(lesson.questions)}  {row['from']}: {row['subject']}"))
            click.echo(_line(f"    now: {BUCKET_NAMES[found.understood.verdict.bucket]}"))
            key = read_key()
            while key not in (*KEYS, "s", "q", "\x04"):
                key = read_key()
            if key in ("q", "\x04"):
                return
            if key == "s":
                lesson.skipped += 1
            else:
                lesson.answer(found, KEYS[key], actor=INTERFACE)
                click.echo(f"    {BUCKET_NAMES[KEYS[key]]}")


def _line(text: str) -> str:
    """Return the text for printing, with control characters of a subject or name made visible."""
    return "\n".join(visible(one) for one in text.split("\n"))
