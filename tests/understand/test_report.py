"""Text that no encoding can carry, in the line of `classify`."""

from gaia_email.document import clean


def test_only_lone_surrogates_are_replaced() -> None:
    assert clean("plain") == "plain"
    assert clean("naïve 😀") == "naïve 😀"
    assert clean("ü \ud800 😀 \udfff") == "ü \ufffd 😀 \ufffd"
