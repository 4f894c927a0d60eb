"""The labels of who owes whom, and how they are scored."""

from __future__ import annotations

from evals.followups import JudgedThread, labelled_threads, scored, worst_draw
from evals.followups_apart import ApartLine, Half, apart_lines, half_of, kappa
from gaia_email.triage.followups.standing import NOTHING_OWED, Owes, ThreadStanding


def test_labels_name_threads_by_file_and_hold_no_word_of_them() -> None:
    threads = labelled_threads()
    assert sum(thread["part"] == "first" for thread in threads) == 200
    assert len({tuple(thread["files"]) for thread in threads}) == len(threads)
    for thread in threads:
        assert thread["owes"] in ("you", "they", "nothing")
        assert set(thread) <= {"group", "files", "owes", "also", "part"}
        assert all(name.endswith(".eml") and " " not in name for name in thread["files"])


def test_labels_of_two_hands_name_mails_by_file_and_both_halves_have_all_sources() -> None:
    lines = apart_lines()
    assert len({(line["source"], line["file"]) for line in lines}) == len(lines) == 299
    for line in lines:
        assert set(line) <= {"source", "file", "owes", "also"} and len(line["owes"]) == 2
    halves: list[Half] = ["dev", "held out"]
    sources = [{line["source"] for line in lines if half_of(line) == half} for half in halves]
    assert sources[0] == sources[1] and len(sources[0]) == 6


def test_agreement_is_measured_beyond_chance() -> None:
    def line(first: Owes, second: Owes) -> ApartLine:
        return {"source": "here", "file": "one", "owes": [first, second]}

    same, other = line("you", "you"), line("nothing", "nothing")
    assert kappa([same, other]) == kappa([same]) == 1
    assert kappa([same, other, line("you", "nothing"), line("nothing", "you")]) == 0


def _judged(right: Owes, said: Owes, also: frozenset[Owes] = frozenset()) -> JudgedThread:
    found = ThreadStanding(owes=said) if said != "nothing" else NOTHING_OWED
    return JudgedThread(source="here", name="one", right=right, also=also, found=found)


def test_what_may_be_said_either_way_is_neither_wrong_nor_missed() -> None:
    either: frozenset[Owes] = frozenset({"nothing"})
    threads = [
        _judged("you", "you"),
        _judged("they", "done"),
        _judged("nothing", "they"),
        _judged("you", "nothing", either),
        _judged("nothing", "nothing"),
    ]
    score = scored(threads)
    assert (score.right, score.wrong, score.missed) == (1, 1, 1)
    assert (score.precision, score.recall) == (0.5, 0.5)
    assert worst_draw(threads)[0] <= score.precision
