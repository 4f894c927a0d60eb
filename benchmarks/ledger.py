"""The local copy of mail and the ledger's writes, against mu, notmuch and our own triage. Entry: `rows`.

CPU time of whole processes on one core, ours and the peers in turn, so that a busy machine slows all of them.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.ledger_work import QUERIES
from benchmarks.measure import PYTHON, Row, bench_mailbox, in_turn

PAIRS = 5


def rows(*, quick: bool = False) -> list[Row]:
    """Sync against both peers, searches in a large copy, and what the writes add to a triage."""
    messages = 1_000 if quick else 10_000
    mailbox = bench_mailbox(messages)
    return [*_against_peers(mailbox, messages), *_searches(mailbox), _writes(bench_mailbox(1_000))]


def _against_peers(mailbox: Path, messages: int) -> list[Row]:
    name = f"copy of {messages:,} mails with full text, through the tools"
    found: list[Row] = []
    for peer, theirs, aim in (("mu index", _mu, 0.6), ("notmuch new", _notmuch, 1.0)):
        if shutil.which(peer.split()[0]) is None:
            missing = f"{peer} is not installed"
            found.append(Row(name=name, ours="", theirs=missing, ratio=None, target=f">= {aim:g}", met=None))
        else:
            pairs = in_turn(partial(_ours, mailbox), partial(theirs, mailbox), PAIRS)
            found.append(pairs.row(name, peer, messages, aim))
    return found


def _ours(mailbox: Path) -> float:
    return _cpu([PYTHON, "-m", "benchmarks.ledger_work", "sync", str(mailbox)])


def _mu(mailbox: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="gaia-bench-mu-") as home:
        _cpu(["mu", "init", f"--maildir={mailbox}", f"--muhome={home}"])
        return _cpu(["mu", "index", f"--muhome={home}", "--quiet"])


def _notmuch(mailbox: Path) -> float:
    """Its database lies apart: one left in the mailbox would make the next run find nothing new."""
    with tempfile.TemporaryDirectory(prefix="gaia-bench-notmuch-") as folder:
        config, database = Path(folder) / "config", Path(folder) / "database"
        database.mkdir()
        config.write_text(
            f"[database]\npath={database}\nmail_root={mailbox}\n"
            "[user]\nname=x\nprimary_email=x@example.org\n[new]\ntags=new\n",
            encoding="utf-8",
        )
        return _cpu(["notmuch", "new", "--quiet"], {"NOTMUCH_CONFIG": str(config)})


def _searches(mailbox: Path) -> list[Row]:
    found = _work("search", mailbox)
    target, aim = f"the slowest of {len(QUERIES)} queries, median", 50.0
    newest, best = found["newest"], found["best"]
    return [
        Row(
            name="search of the newest 50 in 50,000 copied mails",
            ours=f"{newest:.1f} ms",
            theirs=target,
            ratio=newest / aim,
            target="< 50 ms",
            met=newest < aim,
        ),
        Row(
            name="the same, the best 50",
            ours=f"{best:.1f} ms",
            theirs=target,
            ratio=None,
            target="",
            met=None,
        ),
    ]


def _writes(mailbox: Path) -> Row:
    found = _work("triage", mailbox)
    written = found["copy"] + found["writes"]
    share = written / found["triage"]
    return Row(
        name="copy of mail and ledger writes when a triage acts on every message",
        ours=f"{written / found['messages'] * 1000:.2f} ms",
        theirs=f"triage, {found['triage'] / found['messages'] * 1000:.2f} ms a message",
        ratio=share,
        target="<= 0.2",
        met=share <= 0.2,
    )


def _work(what: str, mailbox: Path) -> dict[str, float]:
    command = _on_one_core([PYTHON, "-m", "benchmarks.ledger_work", what, str(mailbox)])
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def _on_one_core(command: Sequence[str]) -> list[str]:
    return ["taskset", "-c", "0", *command] if shutil.which("taskset") else list(command)


def _cpu(command: Sequence[str], environ: Mapping[str, str] | None = None) -> float:
    """CPU seconds of a command from its start to its end.

    Raises:
        CalledProcessError: It failed.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        _on_one_core(command),
        check=True,
        env={**os.environ, **(environ or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
