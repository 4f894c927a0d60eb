"""Chooses which tests `make test` leaves to `make test-all`, by how long each took.

`pytest --junitxml=FILE`, once and with `-m slow`, then `python -m tools.slow_tests FILE…`

Adds test functions to `tests/slow.txt`, the longest first, until the rest takes no more than `QUICK_S`. What stands
there stays, since much of it is chosen by hand: of the tests in a browser, `make test` keeps one way through the
product and those about safety. Of a test that is listed and has several cases, the first still runs in `make test`,
unless a star ends its line (`tests/conftest.py`).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from xml.etree import ElementTree

QUICK_S = 500.0
"""Seconds, those of all workers together, that the tests of `make test` may take."""
ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "slow.txt"


def node_of(case: ElementTree.Element) -> str | None:
    """`tests.web.test_http.TestClient`, `test_it[1]` → `tests/web/test_http.py::TestClient::test_it`.

    None where the file is not there any more.
    """
    parts = str(case.get("classname")).split(".")
    function = str(case.get("name")).partition("[")[0]
    for length in range(1, len(parts) + 1):
        if (ROOT / Path(*parts[:length])).with_suffix(".py").is_file():
            return "::".join(("/".join(parts[:length]) + ".py", *parts[length:], function))
    return None


def times_in(reports: Sequence[Path]) -> dict[str, list[float]]:
    """Seconds of each case of every test function, in the order in which they ran."""
    found: dict[str, list[float]] = defaultdict(list)
    for report in reports:
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            if node := node_of(case):
                found[node].append(float(case.get("time") or 0))
    return found


def slow(times: dict[str, list[float]], listed: Collection[str]) -> set[str]:
    """The lines of the list: those of before, and more until the rest is quick enough."""
    chosen = set(listed)
    left = sum(taken_by(cases, name, chosen) for name, cases in times.items())
    for name, cases in sorted(times.items(), key=lambda entry: -sum(entry[1])):
        if left <= QUICK_S:
            break
        if name not in chosen and f"{name}*" not in chosen:
            chosen.add(name)
            left -= sum(cases) - taken_by(cases, name, chosen)
    return chosen


def taken_by(cases: Sequence[float], name: str, listed: Collection[str]) -> float:
    """Seconds that a function takes in `make test`."""
    if f"{name}*" in listed:
        return 0.0
    if name not in listed:
        return sum(cases)
    return cases[0] if len(cases) > 1 else 0.0


def main() -> None:
    """Write the list anew."""
    listed = LIST.read_text(encoding="utf-8").split()
    times = times_in([Path(name) for name in sys.argv[1:]])
    LIST.write_text("\n".join(sorted(slow(times, listed))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
