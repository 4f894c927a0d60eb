"""What `evals.ablation` runs and the page it makes of the answers. Entries: `Run`, `Outcome`, `page`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evals.logistic import softmax, temperature
from gaia_email_evals.metrics import choice, estimate, share
from gaia_email_evals.statistics import Resamples, mean
from gaia_email_evals.wording import estimate_in_words, share_in_words
from gaia_understanding.cascade.model.combine import COSTS
from gaia_understanding.cascade.verdict import BUCKETS

RULES: tuple[str, ...] = ()
WORDS = ("sender", "subject", "body", "class", "phrase")
EVERYTHING = ("facts", *WORDS)
COMPARED = {
    RULES: "rules alone",
    WORDS: "words alone (sender, subject, body, classes, phrases)",
    ("facts",): "facts alone",
    EVERYTHING: "all together",
}
OTHERS = ("act", "category", "reply")
"""Questions that are looked at less closely."""

CURVE = (10, 25, 50, 75)
"""Shares of the training templates, in percent; all of them is the model itself."""

FACTS_LEFT_OUT = {
    "facts: sender and headers": ("sender and headers",),
    "facts: what the rules found": ("what the rules found",),
    "facts: what the rules found, and crosses": ("what the rules found", "crosses"),
    "facts: shape": ("shape",),
    "facts: lexicon": ("lexicon",),
    "facts: crosses": ("crosses",),
}
WORDS_LEFT_OUT = {
    "all facts": WORDS,
    **{
        name: tuple(group for group in EVERYTHING if group != left_out)
        for name, left_out in (
            ("words of the sender", "sender"),
            ("words of the subject", "subject"),
            ("words of the body", "body"),
            ("word classes", "class"),
            ("phrases of two or three words", "phrase"),
        )
    },
    "all words": ("facts",),
}

FORMS = {
    "mailbox": "the message in its mailbox",
    "bare": "sender, recipients, subject, date and plain text from a stranger",
    "nameless": "the same, with addresses alone",
}
"""What is left around a message (`evals.datasets.Form`)."""

COSTED = {"mailbox": FORMS["mailbox"], "nameless": "addresses, subject, date and plain text from a stranger"}
URGENT_COSTS = (1.0, 2.0, 3.0, 4.0, 6.0)

LEARNS_FROM = {
    "ours": "learned from our messages alone",
    "theirs": "learned from SpamAssassin's alone",
    "both": "learned from both",
}
SENTENCE = {
    ("words",): "single words",
    ("words", "pairs"): "words and neighbouring words",
    ("words", "pairs", "rules"): "words, neighbouring words, and what the rules found",
}

INTRODUCTION = """\
# What each part of the learned model is worth

Written by `python -m evals.ablation --corpora FOLDER`; do not edit. [learned-model.md](learned-model.md) says what
the model is.

Every figure is cross-validated: the templates are dealt into {folds} parts, and each message is answered by a model
that saw no message of its template. Part test is left out. A message is scored as its mailbox sees it, against its
best label alone (the [scorecard](scorecard.md) also takes a second acceptable bucket), and by the model even where the
program would let the rules decide. Intervals are 95 %: Wilson's for shares of right answers, and 1,000 resamples of
whole templates for the rest.

Read the figures as comparisons. The messages were written by the people who wrote the code, most templates have one
message, and the rules were made while looking at many of them: only what is learned is cross-validated, not the rules.
The last row about buckets says what becomes of mail of another kind: each source of messages (office, machines, bulk
mail and so on) is answered by a model that saw nothing of that source.
"""
LEFT_OUT = """\
## What each group of features is worth

The bucket, learned again without one group. Groups overlap (the rules' answer is also in the crosses, a word is also
in its class), so what one of them loses alone is less than what it carries. An interval without 0 is a loss or gain
that this many messages can show.
"""
FORMS_TEXT = """\
## Headers removed

Other people's labelled mail is often no more than this. Every message teaches in each form, and is answered by a model
that saw none of its template in any. Messages with a trap are left out of the plain forms: what gives it away may stand
in the headers. The program asks for less to call a message urgent or low priority than that it be likeliest (next
section); here the likeliest answer counts.
"""
COSTS_TEXT = """\
## What it costs to miss something urgent

The program says the bucket that costs least to be wrong about (`COSTS` in `cascade/opinion.py`); an ordinary mistake
costs 1. Here the cost of missing something urgent varies, and the others stay as they are. {chosen} was chosen: two
points more of what is urgent would take a third more false alarms and a point of right answers. Where the rules find
that nobody asks for anything the program takes less of it, the less the words ask, which this table does not show.
"""
CURVE_TEXT = """\
## More labelled messages

The bucket, learned from a share of the training templates; the same messages are scored each time. Which templates
are drawn adds to the uncertainty, and the interval does not hold that.
"""
INTENT_TEXT = """\
## Sentences that ask, promise or propose

{count:,} sentences of ParakweetLabs' EmailIntentDataSet, one a mail; each is answered by a model that saw the others.
To compare: F1 0.779, published for zero-shot flash-lite on 3,551 such sentences; accuracy 0.717 and kappa 0.423 of a
naive regex on these. Neither has learned from this data set; the model here has. About 15 % of the labels are believed
wrong.
"""
SPAM_TEXT = """\
## Spam

{count:,} messages of the SpamAssassin corpus. First at the threshold that accuses 2 % of the easy ham, then at 0.5.
Mails of one list, firm, person or subject lie in one part, so no mailing is answered by a model that saw a copy of it.
The threshold is read off the same messages, so mail of today will score lower. The program accuses more slowly than
the model alone (`_spam` in `cascade/opinion.py`). The rules' score comes in steps, so for them the 2 % are an upper
limit.
"""
WITHOUT_CORPORA = "Not measured: this page was written without `--corpora`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One cross-validation.

    Attributes:
        question: Which of `evals.train.TASKS`.
        groups: The groups of features that the model sees; `RULES` means that the rules answer alone.
        without: Groups of facts that it does not see.
        trusts_rules: Whether the rules' own answer counts before anything is learned.
        share: How many of the training templates it learns from, in percent.
        learns_from: `ours`, `theirs` or `both`, for spam.
        by_source: Whether whole sources are held out instead of templates.
        form: What is left around the messages that are scored, one of `FORMS`.
    """

    question: str
    groups: tuple[str, ...] = EVERYTHING
    without: tuple[str, ...] = ()
    trusts_rules: bool = True
    share: int = 100
    learns_from: str = "both"
    by_source: bool = False
    form: str = "mailbox"


class Outcome(NamedTuple):
    """A message's label and the scores of all answers."""

    group: str
    source: str
    right: str
    answers: tuple[str, ...]
    scores: tuple[float, ...]

    @property
    def said(self) -> str:
        """The answer with the highest score; the first one of equals."""
        return self.answers[self.scores.index(max(self.scores))]

    @property
    def lean(self) -> float:
        """How far yes is ahead of no."""
        return self.scores[1] - self.scores[0]


Found = Mapping[Run, Sequence[Outcome]]


def page(found: Found, *, folds: int) -> str:
    """The whole page."""
    whole = found[Run(question="bucket")]
    counts = f"{len(whole):,} messages of {len({one.group for one in whole}):,} templates.\n"
    lines = [INTRODUCTION.format(folds=folds), "## Rules, words, and both\n", counts, *_compared(found)]
    lines += ["", FORMS_TEXT, *_forms(found)]
    lines += ["", COSTS_TEXT.format(chosen=f"{COSTS['urgent']:g}"), *_costs(found)]
    lines += ["", LEFT_OUT, *_left_out(found), "", CURVE_TEXT, *_curve(found)]
    intent = found.get(Run(question="intent", groups=RULES), ())
    lines += ["", INTENT_TEXT.format(count=len(intent)), *(_intent(found) if intent else [WITHOUT_CORPORA])]
    spam = found.get(Run(question="spam", groups=RULES), ())
    lines += ["", SPAM_TEXT.format(count=len(spam)), *(_spam(found) if spam else [WITHOUT_CORPORA])]
    return "\n".join(lines) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _compared(found: Found) -> Iterator[str]:
    runs = {Run(question="bucket", groups=groups): name for groups, name in COMPARED.items()}
    runs[Run(question="bucket", by_source=True)] = "all together, for sources it never saw"
    for question in OTHERS:
        runs |= {
            Run(question=question, groups=groups): name
            for groups, name in COMPARED.items()
            if groups != WORDS
        }
    rows = [
        [
            run.question,
            name,
            *_scored(found[run]),
            _within_one(found[run]) if run.question == "bucket" else "",
        ]
        for run, name in runs.items()
    ]
    return _table(["question", "what answers", "right", "macro-F1", "within one bucket"], rows)


def _scored(scored: Sequence[Outcome]) -> tuple[str, str]:
    """Share of right answers and macro-F1."""
    pairs = [(one.right, one.said) for one in scored]
    figures = choice(pairs, scored[0].answers, [one.group for one in scored])
    assert figures is not None
    return share_in_words(figures.accuracy), estimate_in_words(figures.macro_f1)


def _within_one(scored: Sequence[Outcome]) -> str:
    order: Sequence[str] = BUCKETS
    near = sum(abs(order.index(one.right) - order.index(one.said)) <= 1 for one in scored)
    return share_in_words(share(near, len(scored)))


def _forms(found: Found) -> Iterator[str]:
    rows: list[list[str]] = []
    for form, name in FORMS.items():
        scored = found[Run(question="bucket", form=form)]
        urgent = [one.said == "urgent" for one in scored if one.right == "urgent"]
        raised = [one.said in ("urgent", "actionable") for one in scored if one.right == "low_priority"]
        shares = [share_in_words(share(sum(hits), len(hits))) for hits in (urgent, raised)]
        rows.append([name, *_scored(scored), _within_one(scored), *shares])
    raised_name = "low priority taken for actionable or urgent"
    return _table(
        ["what is left", "right", "macro-F1", "within one bucket", "urgent found", raised_name], rows
    )


def _costs(found: Found) -> Iterator[str]:
    """What each cost finds and what it raises wrongly, with headers and without."""
    rows: list[list[str]] = []
    for form, name in COSTED.items():
        scored = found[Run(question="bucket", form=form)]
        right = [(one.scores, one.answers.index(one.right)) for one in scored]
        divisor = temperature(right, (step / 10 for step in range(8, 31)))
        for cost in URGENT_COSTS:
            said = [_cheapest(one, {**COSTS, "urgent": cost}, divisor) for one in scored]
            pairs = list(zip([one.right for one in scored], said, strict=True))
            hits = [bucket == "urgent" for right, bucket in pairs if right == "urgent"]
            raised = sum(bucket == "urgent" != right for right, bucket in pairs)
            shares = [
                share(sum(right == bucket for right, bucket in pairs), len(pairs)),
                share(sum(hits), len(hits)),
            ]
            rows.append([name, f"{cost:g}", *map(share_in_words, shares), str(raised)])
    return _table(["what is left", "cost", "right", "urgent found", "said urgent wrongly"], rows)


def _cheapest(one: Outcome, costs: Mapping[str, float], divisor: float) -> str:
    """The answer that costs least to be wrong about."""
    likely = softmax([score / divisor for score in one.scores])
    return max(zip(one.answers, likely, strict=True), key=lambda pair: pair[1] * costs[pair[0]])[0]


def _left_out(found: Found) -> Iterator[str]:
    whole = found[Run(question="bucket")]
    runs = {
        **{name: Run(question="bucket", without=without) for name, without in FACTS_LEFT_OUT.items()},
        **{name: Run(question="bucket", groups=groups) for name, groups in WORDS_LEFT_OUT.items()},
        "trust in the rules' answer at first": Run(question="bucket", trusts_rules=False),
    }
    rows = [["nothing", *_scored(whole), ""]]
    rows += [[name, *_scored(found[run]), _difference(whole, found[run])] for name, run in runs.items()]
    return _table(["left out", "right", "macro-F1", "points of right answers gained or lost"], rows)


def _difference(before: Sequence[Outcome], now: Sequence[Outcome]) -> str:
    """The change in the share of right answers, in points, paired message by message."""
    steps = [(new.said == new.right) - (old.said == old.right) for old, new in zip(before, now, strict=True)]
    values = Resamples.of([one.group for one in now]).values(
        lambda sample: mean([steps[number] for number in sample])
    )
    change = estimate(mean(steps), values)
    return f"{_points(change.value)} ({_points(change.low)} to {_points(change.high)})"


def _points(value: float) -> str:
    return f"{round(100 * value, 1) + 0.0:+.1f}".replace("-", "−")


def _curve(found: Found) -> Iterator[str]:
    runs = [Run(question="bucket", share=share) for share in (*CURVE, 100)]
    rows = [[f"{run.share} %", *_scored(found[run]), _within_one(found[run])] for run in runs]
    return _table(["templates learned from", "right", "macro-F1", "within one bucket"], rows)


def _intent(found: Found) -> Iterator[str]:
    names = {RULES: "rules alone (strength 0.5 and more)", **SENTENCE}
    rows: list[list[str]] = []
    for groups, name in names.items():
        scored = found[Run(question="intent", groups=groups)]
        pairs = [(one.right, one.said) for one in scored]
        resamples = Resamples.of([one.group for one in scored])
        rows.append([name, *(_figure(of, pairs, resamples) for of in (f1, accuracy, kappa))])
    return _table(["what answers", "F1", "accuracy", "kappa"], rows)


def _figure(
    of: Callable[[Mapping[tuple[str, str], int]], float],
    pairs: Sequence[tuple[str, str]],
    resamples: Resamples,
) -> str:
    values = resamples.values(lambda sample: of(Counter(map(pairs.__getitem__, sample))))
    found = estimate(of(Counter(pairs)), values)
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


def f1(counts: Mapping[tuple[str, str], int]) -> float:
    """F1 of yes; `counts` is by what is right and what was said."""
    hits = counts.get(("yes", "yes"), 0)
    return 2 * hits / max(1, 2 * hits + counts.get(("yes", "no"), 0) + counts.get(("no", "yes"), 0))


def accuracy(counts: Mapping[tuple[str, str], int]) -> float:
    """Share of right answers."""
    return sum(count for (right, said), count in counts.items() if right == said) / max(
        1, sum(counts.values())
    )


def kappa(counts: Mapping[tuple[str, str], int]) -> float:
    """Cohen's kappa: agreement beyond what the shares of the answers alone would give; 0 when there is but one."""
    total = sum(counts.values())
    rights: Counter[str] = Counter()
    saids: Counter[str] = Counter()
    for (right, said), count in counts.items():
        rights[right] += count
        saids[said] += count
    chance = sum(rights[name] * saids[name] for name in rights) / max(1, total * total)
    return (accuracy(counts) - chance) / (1 - chance) if chance < 1 else 0.0


def _spam(found: Found) -> Iterator[str]:
    runs = {"rules alone": Run(question="spam", groups=RULES)}
    runs |= {name: Run(question="spam", learns_from=learns_from) for learns_from, name in LEARNS_FROM.items()}
    rows: list[list[str]] = []
    for name, run in runs.items():
        spam = [one.lean for one in found[run] if one.right == "yes"]
        hard = [one.lean for one in found[run] if one.right == "no" and one.source.startswith("hard")]
        easy = [one.lean for one in found[run] if one.right == "no" and not one.source.startswith("hard")]
        strict = threshold(easy, 0.02)
        cells = [(spam, strict), (hard, strict), (spam, 0.0), (easy, 0.0), (hard, 0.0)]
        rows.append([name, *(_above(leans, limit) for leans, limit in cells)])
    found_at_2, hard_at_2 = "spam found at 2 %", "hard ham accused"
    return _table(
        ["what answers", found_at_2, hard_at_2, "spam found at 0.5", "easy ham accused", "hard ham accused"],
        rows,
    )


def threshold(ham: Sequence[float], rate: float) -> float:
    """The lowest score that at most this share of the ham is above."""
    allowed = math.floor(rate * len(ham))
    return sorted(ham, reverse=True)[allowed] if ham else 0.0


def _above(leans: Sequence[float], limit: float) -> str:
    return share_in_words(share(sum(lean > limit for lean in leans), len(leans))) if leans else "none there"
