"""The labels of who owes whom, and how they are scored."""

from __future__ import annotations

from evals.followups import JudgedThread, labelled_threads, scored, worst_draw
from gaia_email.triage.followups.standing import NOTHING_OWED, Owes, ThreadStanding


def test_labels_name_threads_by_file_and_hold_no_word_of_them() -> None:
    threads = labelled_threads()
    assert sum(thread["part"] == "first" for thread in threads) == 200
    assert len({tuple(thread["files"]) for thread in threads}) == len(threads)
    for thread in threads:
        assert thread["owes"] in ("you", "they", "nothing")
        assert set(thread) <= {"group", "files", "owes", "also", "part"}
        assert all(name.endswith(".eml") and " " not in name for name in thread["files"])


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
