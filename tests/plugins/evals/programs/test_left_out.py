"""Real mail with labels of ours: what was labelled, and that a source left out teaches nothing, in no mailbox."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evals import left_out, real_mail
from evals.datasets import Row, is_real, real_rows
from evals.left_out import Trainer, judged_by, sources
from evals.real_mail import REAL_CORPUS, SENT, agreement, labelled, lines
from evals.train import Learnt, Task, artifact, train
from gaia_understanding.cascade import judging
from gaia_understanding.cascade.model import learned, owner
from gaia_understanding.cascade.model.learned import Learned
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data"
needs_real_mail = pytest.mark.skipif(not (SHARED / REAL_CORPUS).is_dir(), reason="the real mail is not here")


def row(name: str, source: str, conversation: str) -> Row:
    return Row(
        name=name,
        source=source,
        group=conversation,
        part="train",
        features={"facts": (b"any",), "body": (name.encode(),)},
        answers={"bucket": "informational", "reply": "no"},
    )


def test_every_label_is_one_or_two_answers_of_the_guide_and_stands_once() -> None:
    found = lines()
    assert len({line["file"] for line in found}) == len(found)
    for line in found:
        assert 1 <= len(line["bucket"]) <= 2
        assert {*line["bucket"], *line.get("also", [])} <= set(BUCKETS)


def test_a_source_left_out_teaches_nothing_not_even_by_copies_in_other_mailboxes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours = row("ours", "fixtures", "template")
    known = [
        ours,
        row("hers", f"{REAL_CORPUS}/ann", "budget"),
        row("copy", f"{REAL_CORPUS}/bob", "budget"),
        row("his", f"{REAL_CORPUS}/bob", "lunch"),
    ]
    taught: list[list[str]] = []

    def remember(rows: list[Row], task: Task, classes: dict[bytes, tuple[str, ...]]) -> Learnt:
        if task.name == "bucket":
            taught.append([one.name for one in rows])
        return train([ours] * 8, replace(task, name="bucket", answers=BUCKETS), classes)

    def read(corpora: Path) -> list[Row]:
        assert corpora == tmp_path
        return known

    monkeypatch.setattr(left_out, "read_rows", read)
    monkeypatch.setattr(left_out, "train", remember)
    trainer = Trainer(tmp_path)
    trainer.without(["ann"])
    trainer.without(["ann", "bob"])
    assert taught == [["ours", "his"], ["ours"]]


def test_the_product_judges_with_the_model_it_is_given_and_then_with_its_own_again() -> None:
    task = Task(name="bucket", answers=BUCKETS, penalties={"facts": 1.0}, rarest=1)
    other = Learned.read(
        artifact([train([row(str(one), "toy", str(one)) for one in range(8)], task, {})], {}, {})
    )
    users = [vars(module) for module in (judging, learned, owner)]
    shipped = [user["load_shipped_model"]() for user in users]
    with judged_by(other):
        assert [user["load_shipped_model"]() for user in users] == [other] * 3
    assert [user["load_shipped_model"]() for user in users] == shipped


def test_agreement_beyond_chance() -> None:
    pairs: list[tuple[Bucket, Bucket]] = [
        ("urgent", "urgent"),
        ("informational", "informational"),
        ("urgent", "informational"),
    ]
    same, kappa = agreement(pairs)
    assert same == pytest.approx(2 / 3)
    assert kappa == pytest.approx(0.4)


@needs_real_mail
def test_every_labelled_mail_is_there() -> None:
    found = list(labelled(SHARED))
    assert len(found) == len(lines())
    assert {mail.source for mail in found} == {SENT, *(line["group"] for line in lines())}
    assert sum(map(len, sources(SHARED).values())) == len(found)


@needs_real_mail
def test_a_labelled_mail_teaches_once_a_pass_in_its_mailbox_and_once_as_a_strangers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some = lines()[:12]
    monkeypatch.setattr(real_mail, "lines", lambda: some)
    rows = list(real_rows(SHARED))
    assert len(rows) == 2 * sum(len(line["bucket"]) for line in some)
    assert all(is_real(one) for one in rows)
