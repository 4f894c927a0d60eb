"""Chooses which tests `make test` leaves to `make test-all`, by how long each took.

`pytest --junitxml=FILE`, once and with `-m slow`, then `python -m tools.slow_tests FILE…`

Writes `tests/slow.txt`, one test function a line, the longest first, until the rest takes no more than `QUICK` of the
time of all. Of a test that is listed and has several cases, the first still runs in `make test` (`tests/conftest.py`).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

QUICK = 0.27
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


def slow(times: dict[str, list[float]]) -> list[str]:
    """The test functions to list; of each with several cases, the first counts as quick all the same."""
    left = sum(map(sum, times.values()))
    most = left * QUICK
    chosen: list[str] = []
    for name, cases in sorted(times.items(), key=lambda entry: -sum(entry[1])):
        if left <= most:
            break
        left -= sum(cases[1:] if len(cases) > 1 else cases)
        chosen.append(name)
    return chosen


def main() -> None:
    """Write the list anew."""
    LIST.write_text(
        "\n".join(sorted(slow(times_in([Path(name) for name in sys.argv[1:]])))) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
