"""`gaia email eval --models`: the chosen model compared with the rules, as a card or JSON. Entry: `print_model_run`."""

from __future__ import annotations

import json
import sys
from asyncio import run
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from rich.text import Text

from gaia_email.app import App
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.errors import FAILURE, OK
from gaia_email.interfaces.cli.output import console, note
from gaia_email.models.measured import MeasuredModels, keep
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.model import DataPart
from gaia_email_evals.model_runs import AGREED, ONE_PROMPT, ModelRun, against, run_models
from gaia_email_evals.reading import is_foreign, read_cases
from gaia_email_evals.wording import percent
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.private_file import write_new_private

NAMES = {
    "rules": "the rules",
    AGREED: "the product with both prompts",
    ONE_PROMPT: "the product with the first prompt alone",
}


def print_model_run(
    app: App,
    paths: Sequence[Path],
    part: DataPart | None,
    limit: int | None,
    as_json: bool,
    out: str | None,
    *,
    older: str | None = None,
    keeps: bool = False,
) -> int:
    """Measure and print; return exit code 1 if the model gave no answer at all.

    Raises:
        MailError: No model is chosen, the messages cannot be read, or a file cannot be read or written.
    """
    before = _older(older) if older else None
    cases: Sequence[LabelledMessage] = read_cases(paths, part or ("all" if is_foreign(paths) else "dev"))
    found = run(run_models(cases, app.tier(summaries=False), app.environ, limit=limit, tell=note))
    if before is not None and older:
        found = replace(found, paired=(*found.paired, against(found, before, older)))
    if out:
        try:
            write_new_private(Path(out).expanduser(), found.to_json().encode())
        except OSError as error:
            raise ProviderError(f"{out} cannot be written: {error.strerror}.") from error
        note(f"wrote {out}")
    if as_json:
        sys.stdout.write(found.to_json())
    else:
        _print(found)
    if keeps and found.speed:
        note(f"kept {keep(_measured(found), app.environ)}: from now on this model's word counts by it.")
    return OK if found.speed else FAILURE


def _older(name: str) -> Mapping[str, object]:
    try:
        found: object = json.loads(Path(name).expanduser().read_bytes())
    except OSError as error:
        raise ProviderError(f"{name} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadArgument(f"{name} is no run of a model.", argument="compare") from None
    if not isinstance(found, dict):
        raise BadArgument(f"{name} is no run of a model.", argument="compare")
    return cast("Mapping[str, object]", found)


def _measured(found: ModelRun) -> MeasuredModels:
    (pair,) = [one for one in found.paired if (one.first, one.second) == ("rules", AGREED)]
    return MeasuredModels(
        model=found.model,
        prompt=found.prompt,
        messages=found.messages,
        only_rules=pair.only_first,
        only_agreed=pair.only_second,
        p=pair.p,
    )


def _print(found: ModelRun) -> None:
    out = console()
    out.print(
        Text(f"{one_line(found.model)}, prompt {found.prompt}, at {one_line(found.place)}", style="bold")
    )
    out.print(Text(found.note, style="dim"), soft_wrap=True)
    kept = f"; {found.withheld:,} more are suspect and shown to no model" if found.withheld else ""
    out.print(Text(f"{found.messages:,} labelled messages{kept}"), soft_wrap=True)
    for row in found.sorted_in:
        exact, near = percent(row.exact / row.of), percent(row.within_one / row.of)
        line = (
            f"{row.who:>8}  {one_line(row.source):<28} exact {exact:>7}  within one {near:>7}  of {row.of:,}"
        )
        out.print(Text(line), soft_wrap=True)
    for pair in found.paired:
        second, first = (NAMES.get(who, who) for who in (pair.second, pair.first))
        line = f"{pair.only_second:,} right only by {second}, {pair.only_first:,} only by {first}"
        out.print(Text(f"{line}; p = {pair.p:.3g} (McNemar)"), soft_wrap=True)
    for speed in found.speed:
        line = f"{speed.made_in}: {speed.calls:,} calls, half within {speed.p50:.2f} s, 95 % within {speed.p95:.2f} s"
        out.print(Text(line), soft_wrap=True)
    counts = f"{found.tokens_in:,} tokens in, {found.tokens_out:,} out"
    out.print(Text(f"{counts}; {found.invalid:,} answers did not hold, {found.failed:,} calls failed"))
    if found.said:
        out.print(Text(one_line(found.said), style="yellow"), soft_wrap=True)
