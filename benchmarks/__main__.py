"""Runs the benchmarks and prints a table: `python -m benchmarks [--quick] [--size N] [NAME…]`."""

from __future__ import annotations

import argparse
from importlib import import_module

from benchmarks.measure import Row

SUITES = (
    "understanding",
    "startup",
    "commands",
    "inbox",
    "imap",
    "gmail",
    "graph",
    "requests",
    "ledger",
    "chat",
    "http",
    "web",
    "web_peer",
    "corrections",
    "brief",
    "automations",
)


def main() -> int:
    """Print every row; 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="which suites (default: all): " + ", ".join(SUITES))
    parser.add_argument("--quick", action="store_true", help="smaller mailboxes, fewer runs")
    parser.add_argument(
        "--size",
        type=int,
        action="append",
        default=[],
        help="messages of the mailbox of `commands`; repeatable; of the two of `inbox`",
    )
    options = parser.parse_args()
    missed = False
    for name in options.names or SUITES:
        sized = {"sizes": options.size} if name in ("commands", "inbox") else {}
        rows: list[Row] = import_module(f"benchmarks.{name}").rows(quick=options.quick, **sized)
        for row in rows:
            verdict = {True: "met", False: "MISSED", None: ""}[row.met]
            ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
            print(
                f"{row.name:<62} {row.ours:>14}  {row.theirs:<36} {ratio:>6} {row.target:>10} {verdict}",
                flush=True,
            )
            missed = missed or row.met is False
    return 1 if missed else 0


raise SystemExit(main())
