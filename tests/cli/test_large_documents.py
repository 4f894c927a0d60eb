"""A document of thousands of rows is written as one of a few is, by another library."""

from __future__ import annotations

import json

import pytest

from gaia_email.interfaces.cli.output import MANY, write_json, write_rows


@pytest.mark.parametrize(
    "value",
    [
        "",
        "plain",
        "é ß 漢字 \N{WAVING HAND SIGN}",
        'quotes " and \\ and /',
        "\x00\x1f\x7f\u2028\u202e\n\t",
        None,
        True,
        0,
        -7,
        0.5,
        1.0,
        123456.789,
        [],
        {},
        [[], [1, {"deep": [None]}]],
    ],
)
def test_both_write_the_same(capsysbinary: pytest.CaptureFixture[bytes], value: object) -> None:
    document = {"rows": [{"value": value}], "value": value}
    write_json(document)
    few = capsysbinary.readouterr().out
    write_json(document, is_large=True)
    assert capsysbinary.readouterr().out == few
    assert json.loads(few) == document


def test_thousands_of_rows_are_one_document(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    rows = [{"number": number, "text": "é\u202e"} for number in range(MANY + 1)]
    write_rows({"rows": rows}, rows, ["number"], "json", [])
    assert json.loads(capsysbinary.readouterr().out) == {"rows": rows}
    write_rows({"rows": rows}, rows, ["number"], "json", ["number"])
    assert len(json.loads(capsysbinary.readouterr().out)) == MANY + 1
