"""API keys: scopes, revoking, and a file that nobody else may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.app.services.api_keys import MOST, ApiKeys
from gaia_email_registry.errors import BadArgument, NotFound
from tests.http.guarding import Guarded

NEEDS = ("read", "draft", "act", "decide")


@pytest.mark.parametrize(
    ("scopes", "statuses"),
    [
        (["read"], [200, 403, 403, 403]),
        (["draft", "read"], [200, 200, 403, 403]),
        (["act"], [403, 403, 200, 403]),
        (["read", "draft", "act"], [200, 200, 200, 403]),
    ],
)
def test_a_key_may_what_its_scopes_say_and_never_decides(
    served: Guarded, scopes: list[str], statuses: list[int]
) -> None:
    made, key = served.keys.add("phone", scopes)
    bearer = ("authorization", f"Bearer {key}")
    assert [served.ask(f"/need/{need}", bearer).status for need in NEEDS] == statuses
    assert served.ask("/x", bearer).json["who"] == f"key {made.id}"


def test_a_key_that_is_revoked_by_another_program_opens_nothing_from_then_on(served: Guarded) -> None:
    made, key = served.keys.add("phone", ["read"])
    kept, other = served.keys.add("tablet", ["read"])
    bearer = ("authorization", f"Bearer {key}")
    assert served.ask("/need/read", bearer).status == 200
    ApiKeys(served.folder / "keys.json").revoke(made.id[:6])
    assert served.ask("/need/read", bearer).status == 401
    assert served.ask("/need/read", ("authorization", f"Bearer {other}")).status == 200
    assert served.keys.all() == (kept,)


@pytest.mark.parametrize(
    "change",
    ["gaia_ID_x", "gaia_ID_", "gaia__SECRET", "other_ID_SECRET", "gaia_ID", "ID_SECRET", "gaia_ID_SECRETx"],
)
def test_what_is_no_key_opens_nothing(served: Guarded, change: str) -> None:
    _, key = served.keys.add("phone", ["read"])
    _, key_id, secret = key.split("_", 2)
    given = change.replace("ID", key_id).replace("SECRET", secret)
    assert served.ask("/need/read", ("authorization", f"Bearer {given}")).status == 401


def test_a_file_that_others_may_change_or_that_is_damaged_lets_nobody_in(served: Guarded) -> None:
    path = served.folder / "keys.json"
    _, key = served.keys.add("phone", ["read"])
    bearer = ("authorization", f"Bearer {key}")
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o666)
    assert served.ask("/need/read", bearer).status == 401
    with pytest.raises(BadArgument, match="Other users"):
        served.keys.all()
    path.chmod(0o600)
    assert served.ask("/need/read", bearer).status == 200
    for content in ("", "{}", '{"keys": [{"key_id": 1}]}', "\udcff"):
        path.write_text(content, errors="surrogateescape")
        assert served.ask("/need/read", bearer).status == 401
        with pytest.raises(BadArgument, match="cannot be read as a list"):
            served.keys.add("other", ["read"])


def test_wrong_names_scopes_and_ids_are_sentences(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    for name, scopes in (
        ("", ["read"]),
        ("a" * 61, ["read"]),
        ("a\n", ["read"]),
        ("a\u202eb", ["read"]),
        ("a", []),
        ("a", ["all"]),
        ("a", ["read", "x"]),
    ):
        with pytest.raises(BadArgument):
            keys.add(name, scopes)
    for _ in range(2):
        keys.add("a", ["read"])
    for wrong in ("", "zz"):
        with pytest.raises(NotFound):
            keys.revoke(wrong)
    assert len(keys.all()) == 2


def test_there_are_so_many_keys_at_most(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    for number in range(MOST):
        keys.add(f"program {number}", ["read"])
    with pytest.raises(BadArgument, match="revoke one"):
        keys.add("one more", ["read"])
    assert len(keys.all()) == MOST
