"""`gaia email eval`: the quality of verdicts on labelled messages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.errors import FAILURE, OK
from gaia_email.interfaces.cli.options import pass_app
from gaia_email.interfaces.cli.output import chosen_format, note, write_tsv
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_email_registry.private_file import write_new_private
from gaia_mail.printable import visible_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaia_email_evals.judging import ScoredMessage
    from gaia_email_evals.model import DataPart, Scorecard, Section

OWN_MESSAGES = Path("evals/fixtures")
SUFFIXES: dict[str, Literal["json", "markdown"]] = {".json": "json", ".md": "markdown"}
COLUMNS = ("part", "figure", "value", "low", "high", "of")


@click.command(name="eval")
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path())
@click.option(
    "--part",
    type=click.Choice(["train", "dev", "test", "all"]),
    help="Part of the messages. Default: dev; all where every file is .jsonl.",
)
@click.option("--json", "as_json", is_flag=True, help="The scorecard as one JSON document.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The scorecard as Markdown.")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Write the scorecard to FILE (.json or .md), show the card here.",
)
@click.option(
    "--compare",
    "older",
    metavar="OLD.json",
    type=click.Path(),
    help="Say whether this run is better or worse than an older scorecard; exit 1 when worse. With --models: than an "
    "older --models run.",
)
@click.option(
    "--models",
    "with_models",
    is_flag=True,
    help="Measure the language model you chose beside the rules, on the same messages; takes long.",
)
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="With --models: at most N messages.")
@click.option(
    "--keep", "keeps", is_flag=True, help="With --models: weigh the model's word by this run from now on."
)
@pass_app
def command(
    app: App,
    paths: tuple[str, ...],
    part: DataPart | None,
    as_json: bool,
    as_markdown: bool,
    out: str | None,
    older: str | None,
    with_models: bool,
    limit: int | None,
    keeps: bool,
) -> int:
    """Score the verdicts on labelled messages, with 95 % intervals.

    A PATH is a .toml or .jsonl file of labelled messages, or a folder of them; without one, those of the
    source distribution, where the program runs from it. Nothing leaves this machine, and no text of a message
    goes into the scorecard.
    """
    if as_json and as_markdown:
        raise click.UsageError("Choose one of --json and --markdown.")
    if with_models:
        if as_markdown:
            raise click.UsageError("--models writes JSON; leave --markdown out.")
        from gaia_email_evals.model_command import print_model_run

        chosen = [Path(path) for path in paths] or [own_messages()]
        return print_model_run(app, chosen, part, limit, as_json, out, older=older, keeps=keeps)
    if keeps:
        raise click.UsageError("--keep goes with --models.")
    form = _file_form(out, as_json, as_markdown)
    from gaia_email_evals.model import Scorecard, read_scorecard

    before = read_scorecard(Path(older)) if older else None
    chosen = [Path(path).expanduser() for path in paths] or [own_messages()]
    section = _section(app, chosen, part, before)
    scorecard = Scorecard(parts=(section,))
    if out:
        _write(Path(out).expanduser(), _text(scorecard, form))
    if not out and (as_json or as_markdown):
        sys.stdout.write(visible_block(_text(scorecard, form)))
    else:
        _show(section)
    return FAILURE if section.comparison and section.comparison.outcome == "worse" else OK


def _file_form(out: str | None, as_json: bool, as_markdown: bool) -> Literal["json", "markdown"]:
    if as_json or as_markdown or not out:
        return "markdown" if as_markdown else "json"
    form = SUFFIXES.get(Path(out).suffix.lower())
    if form is None:
        raise click.UsageError(f"--out {out} ends neither in .json nor in .md; add --json or --markdown.")
    return form


def own_messages() -> Path:
    """Return the labelled messages in the current checkout, or in the one that the program runs from.

    Raises:
        BadArgument: There are none; the error says where to get them.
    """
    checkout = Path(__file__).resolve().parents[3]
    found = next((folder for folder in (OWN_MESSAGES, checkout / OWN_MESSAGES) if folder.is_dir()), None)
    if found is not None:
        return found
    raise BadArgument(
        "no labelled messages were named, and they do not come with the installed program.",
        hint=f"our own are in the source distribution: pip download --no-deps --no-binary :all: gaia-email, "
        f"unpack it, then gaia email eval FOLDER/{OWN_MESSAGES.as_posix()}. gaia email eval FILE.jsonl scores "
        "mail that you labelled (docs/evaluation.md has the form).",
    )


def _section(app: App, paths: Sequence[Path], wanted: DataPart | None, before: Scorecard | None) -> Section:
    from gaia_email_evals.compare import compare
    from gaia_email_evals.judging import judge
    from gaia_email_evals.reading import is_foreign, read_cases
    from gaia_email_evals.scoring import score

    part: DataPart = wanted or ("all" if is_foreign(paths) else "dev")
    old = before.part(part) if before else None
    if before and not old:
        there = " and ".join(section.part for section in before.parts) or "nothing"
        raise BadArgument(f"the older scorecard has no part {part}, only {there}.", hint="choose with --part")
    cases, tier = read_cases(paths, part), app.tier(summaries=False)
    for _ in judge(cases[:1], tier):
        """Load words and tables with the first message, which would otherwise count as slow."""
    judged: list[ScoredMessage] = list(judge(cases, tier))
    section = score(judged, part)
    if old is None:
        return section
    return section.model_copy(update={"comparison": compare(old, section, judged)})


def _text(scorecard: Scorecard, form: Literal["json", "markdown"]) -> str:
    if form == "json":
        return scorecard.to_json()
    from gaia_email_evals.markdown import to_markdown

    return to_markdown(scorecard)


def _write(path: Path, text: str) -> None:
    try:
        write_new_private(path, text.encode())
    except FileNotFoundError as error:
        raise NotFound(f"{path} cannot be written: the folder {path.parent} does not exist.") from error
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror}.") from error
    note(f"wrote {path}")


def _show(section: Section) -> None:
    if chosen_format(as_json=False, as_jsonl=False) == "card":
        from gaia_email_evals.card import EvalCard

        EvalCard(section).print()
        return
    from gaia_email_evals.figures import figures
    from gaia_email_evals.wording import compared_in_words

    write_tsv(
        COLUMNS,
        (
            {
                "part": section.part,
                "figure": figure.name,
                "value": figure.value,
                "low": figure.low,
                "high": figure.high,
                "of": figure.of or None,
            }
            for figure in figures(section)
        ),
    )
    for line in compared_in_words(section.comparison) if section.comparison else ():
        note(line)
