"""Moving about in the inbox on the screen, and what is drawn: without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from gaia_email.interfaces.cli.tui.render import frame, plain
from gaia_email.interfaces.cli.tui.state import ScreenState, ThreadLine
from gaia_email.interfaces.keys import terminal_keys


def row(number: int, section: str = "Urgent", sender: str = "Ann Lee") -> ThreadLine:
    return ThreadLine(
        id=f"m{number}",
        section=section,
        badge="99",
        sender=sender,
        subject=f"Plan {number}",
        age="3 h",
        reason=f'Ann asks "Can you send plan {number}".',
    )


ROWS = (row(1), row(2), row(3, "Needs you"), row(4, "Needs you", sender="桜井 花"), row(5, "Low priority"))


def at(state: ScreenState) -> str:
    assert state.current is not None
    return state.current.id


def test_the_cursor_stays_within_the_list() -> None:
    state = ScreenState(rows=ROWS)
    assert at(state.move(-1)) == "m1"
    assert at(state.move(2)) == "m3"
    assert at(state.move(99)) == at(state.jump(end=True)) == "m5"
    assert at(state.move(99).jump(end=False)) == "m1"
    assert ScreenState().move(1).current is None


def test_tab_goes_from_bucket_to_bucket_and_round() -> None:
    state = ScreenState(rows=ROWS)
    seen = [at(state)]
    for _ in range(3):
        state = state.in_next_section()
        seen.append(at(state))
    assert seen == ["m1", "m3", "m5", "m1"]


def test_what_left_the_inbox_leaves_the_list_and_the_cursor_where_it_was() -> None:
    state = ScreenState(rows=ROWS).move(1).without("m2")
    assert at(state) == "m3"
    assert at(ScreenState(rows=ROWS[:1]).without("m1").refresh(ROWS, waiting=0)) == "m1"
    assert ScreenState(rows=ROWS[:1]).without("m1").current is None


def test_new_mail_does_not_move_the_cursor_off_its_thread() -> None:
    state = ScreenState(rows=ROWS).move(2).refresh((row(9), *ROWS), waiting=2)
    assert at(state) == "m3"
    assert state.waiting == 2


def test_a_search_narrows_and_escape_widens_again() -> None:
    state = ScreenState(rows=ROWS).filter_by("plan 桜井")
    assert [one.id for one in state.visible] == ["m4"]
    assert len(state.close().visible) == len(ROWS)
    text = state.with_text(["a", "b"])
    assert text.pane == "text" and text.close().words == "plan 桜井"


def drawn(state: ScreenState, width: int, height: int) -> list[str]:
    return ["".join(text for _, text in line) for line in frame(state, width, height)]


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("height", [5, 24, 60])
def test_every_frame_fits(width: int, height: int) -> None:
    long = ThreadLine(
        id="x", section="Urgent", badge="99", sender="花" * 40, subject="花" * 90, age="3 h", reason="ö" * 300
    )
    for state in (
        ScreenState(title="t" * 300, rows=(long, *ROWS)),
        ScreenState(title="Mail", rows=ROWS, waiting=3, status_text="x" * 300),
        ScreenState(title="Mail", rows=ROWS).with_text(["y" * 300] * 99),
        ScreenState(title="Mail", pane="help"),
        ScreenState(title="Mail"),
    ):
        lines = drawn(state, width, height)
        assert len(lines) == height
        assert max(map(cell_len, lines)) <= width


def test_the_row_at_the_cursor_is_always_on_the_screen() -> None:
    rows = tuple(row(number) for number in range(100))
    for place in (0, 1, 50, 98, 99):
        lines = drawn(ScreenState(rows=rows).move(place), 80, 10)
        (mark,) = (line for line in lines if line.startswith("› "))
        assert f"Plan {place} " in mark
        assert f"plan {place}" in lines[lines.index(mark) + 1], "its reason stands below it"


def test_without_colour_and_cursor_it_is_a_numbered_list() -> None:
    lines = plain(ScreenState(rows=ROWS))
    assert lines[:3] == [
        "Urgent:",
        '1. Ann Lee: Plan 1. Ann asks "Can you send plan 1". 3 h ago.',
        '2. Ann Lee: Plan 2. Ann asks "Can you send plan 2". 3 h ago.',
    ]
    assert lines[3] == "Needs you:"
    assert plain(ScreenState()) == ["The inbox is empty."]


def test_the_list_reads_as_sentences_where_it_is_plain() -> None:
    rows = (replace(ROWS[0], subject="Lunch?", age="now"), replace(ROWS[1], subject="Roof", age="3 h"))
    status_text = plain(ScreenState(rows=rows))
    assert any("Lunch? " in line and line.endswith(" Now.") for line in status_text)
    assert any(": Roof. " in line and line.endswith(" 3 h ago.") for line in status_text)


def test_a_narrow_screen_still_names_the_key_for_all_keys() -> None:
    for width in (40, 80, 120):
        assert "? all keys · q leave" in drawn(ScreenState(rows=ROWS), width, 24)[-1]


def test_nothing_is_said_of_an_inbox_that_is_still_being_read() -> None:
    assert "empty" not in "".join(drawn(ScreenState(busy="reading"), 80, 24))
    assert "empty" in "".join(drawn(ScreenState(), 80, 24))


def test_every_key_has_one_meaning_and_a_line_of_help() -> None:
    names = [name for key in terminal_keys() for name in key.terminal]
    assert len(names) == len(set(names))
    helped = "\n".join(drawn(ScreenState(pane="help"), 100, 40))
    assert all(key.help in helped for key in terminal_keys())


@pytest.mark.parametrize(("width", "beside"), [(80, False), (100, True), (200, True)])
def test_a_wide_screen_has_the_reason_beside_the_subject(width: int, beside: bool) -> None:
    lines = ["".join(text for _, text in line) for line in frame(ScreenState(rows=ROWS), width, 20)]
    second = next(line for line in lines if "Plan 2" in line)
    assert ('Ann asks "Can you send plan 2".' in second) is beside
    assert second.rstrip().endswith("3 h")
    assert all(cell_len(line) <= width for line in lines)
