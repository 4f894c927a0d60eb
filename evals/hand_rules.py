"""What each weight set by hand after the model is worth, by source: `python -m evals.hand_rules [FOLDER…]`.

Each is put out of action alone, and every source of mail by others is scored again; a weight that is worth less than
0.3 points over sources has no place in the product (`docs/hand-rules.md` says what remains, and why).
"""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evals.foreign import DATA, Source, read_sources, shipped
from evals.train import FIXTURES
from gaia_email_evals.fixtures import read_fixtures
from gaia_email_evals.statistics import mean
from gaia_understanding.cascade.model import combine

IDLE: dict[str, float] = {
    "_RARE": 1,
    "_HARDLY": 1,
    "_WAIVED": 1,
    "_QUIET": 1,
    "_UNSAID": 1,
    "_KNOWN_SURE": 0.5,
    "_UNREAD": 0,
    "_PASTIME": 1.1,
    "_CERTAIN": 1.1,
    "_NOTE": 0,
    "_SHORT": 0,
}
"""Each weight or bound of `combine`, and the value with which it changes nothing."""
OWN = "own messages, part dev"


@contextmanager
def idle(name: str) -> Generator[None]:
    """The weight called `name` out of action; a name of `COSTS` puts that cost at 1, as of any error."""
    if name in combine.COSTS:
        kept = combine.COSTS[name]
        combine.COSTS[name] = 1.0
        try:
            yield
        finally:
            combine.COSTS[name] = kept
        return
    kept = getattr(combine, name)
    setattr(combine, name, IDLE[name])
    try:
        yield
    finally:
        setattr(combine, name, kept)


def shares(sources: Sequence[Source]) -> dict[str, float]:
    """The share right of each source as the product is now."""
    answer = shipped()
    return {
        source.name: mean([float(answer(case) in case.labels.buckets) for case in source.cases])
        for source in sources
    }


def table(sources: Sequence[Source]) -> str:
    """Points lost or won by source when a weight is idle, worst loss first; the mean leaves our own messages out."""
    base = shares(sources)
    names = [source.name for source in sources]
    rows: list[tuple[float, str]] = []
    for name in (*IDLE, "urgent", "low_priority"):
        with idle(name):
            now = shares(sources)
        moved = {source: 100 * (now[source] - base[source]) for source in names}
        foreign = mean([value for source, value in moved.items() if source != OWN])
        cells = " | ".join(f"{moved[source]:+.1f}" for source in names)
        rows.append((foreign, f"| `{name}` | {cells} | {foreign:+.2f} |"))
    head = f"| without | {' | '.join(names)} | mean over foreign sources |"
    return "\n".join([head, "|---" * (len(names) + 2) + "|", *(row for _, row in sorted(rows))])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.hand_rules", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[DATA], metavar="FOLDER")
    folders: list[Path] = parser.parse_args().folders
    sources = [source for folder in folders for source in read_sources(folder)]
    if not sources:
        parser.error(f"no labelled sets in {', '.join(map(str, folders))}: name a folder of sets")
    own = tuple(case for case in read_fixtures(FIXTURES) if case.part == "dev")
    print(table([*sources, Source(name=OWN, cases=own, said=())]))  # noqa: T201


if __name__ == "__main__":
    main()
