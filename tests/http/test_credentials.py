"""Who may do what over HTTP: the token asks, a person decides, a key does what its scopes say, a cookie nothing."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from gaia_email.interfaces.http.credentials import ApiToken, Principal
from gaia_email.interfaces.http.guard import PRINCIPAL, principal_of
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.sessions import (
    CODE_S,
    IDLE_S,
    LONGEST_S,
    MOST_CODES,
    MOST_SESSIONS,
    PersonSessions,
)
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.token_file import new_token, token_in_file
from tests.http.guarding import OPEN, PORT, Guarded, cookie_of

NEEDS = ("read", "draft", "act", "decide")


def allowed(served: Guarded, *headers: tuple[str, str]) -> list[int]:
    return [served.ask(f"/need/{need}", *headers).status for need in NEEDS]


def test_the_token_may_all_but_decide(served: Guarded) -> None:
    assert allowed(served, served.bearer) == [200, 200, 200, 403]
    refused = served.ask("/need/decide", served.bearer)
    assert refused.kind == "needs_person"
    assert refused.json["error"]["hint"] == f"http://127.0.0.1:{PORT}/"


def test_with_approve_host_the_token_decides_and_a_key_does_not(tmp_path: Path) -> None:
    served = Guarded(tmp_path, token_decides=True)
    assert allowed(served, served.bearer) == [200] * 4
    _, key = served.keys.add("phone", ["read", "draft", "act"])
    assert allowed(served, ("authorization", f"Bearer {key}")) == [200, 200, 200, 403]


def test_a_person_needs_cookie_and_key_together(served: Guarded) -> None:
    cookie, key = served.person()
    assert allowed(served, cookie, key) == [200] * 4
    assert served.ask("/need/read", key).kind == "bad_credentials"
    for refused in (served.ask("/need/read", cookie), served.ask("/need/decide", cookie)):
        assert (refused.status, refused.kind) == (401, "needs_key")
    assert served.ask("/anything", cookie).kind == "needs_key", "also where a route asks for nothing"


def test_the_cookie_alone_opens_the_empty_frame_and_no_more(served: Guarded) -> None:
    cookie, _ = served.person()
    assert served.ask("/", cookie).json == {"who": "cookie", "body": 0}
    foreign = ("cookie", cookie[1][:-1] + ("A" if cookie[1][-1] != "A" else "B"))
    assert served.ask("/", foreign).kind == "needs_credentials"


def test_keys_of_two_sessions_do_not_mix(served: Guarded) -> None:
    (cookie, _), (_, key) = served.person(), served.person()
    assert served.ask("/need/read", cookie, key).kind == "bad_credentials"


def test_another_server_of_this_host_that_sets_our_cookie_opens_nothing(served: Guarded) -> None:
    cookie, key = served.person()
    both = ("cookie", f"{cookie[1]}; {served.sessions.cookie_name}=theirs")
    assert served.ask("/need/read", both, key).kind == "bad_credentials"
    assert served.ask("/need/read", ("cookie", f"theme=dark; {cookie[1]}; other=x"), key).status == 200


def test_a_code_opens_one_session_and_a_second_use_ends_it(served: Guarded) -> None:
    code = served.sessions.new_code()
    opened = served.sessions.open(code)
    proof = (cookie_of(opened), ("x-gaia-key", opened.page_key))
    assert served.ask("/need/decide", *proof).status == 200
    with pytest.raises(HttpRefusal, match="works once"):
        served.sessions.open(code)
    assert served.ask("/need/decide", *proof).status == 401, "somebody else had the code, too"


def test_a_code_is_over_after_a_minute(served: Guarded) -> None:
    code, later = served.sessions.new_code(), served.sessions.new_code()
    served.ticks.now += CODE_S - 0.01
    assert served.sessions.open(later).page_key
    served.ticks.now += 0.01
    for nothing in (code, "", "x" * 32, "\ud800"):
        with pytest.raises(HttpRefusal) as refused:
            served.sessions.open(nothing)
        assert (refused.value.status, refused.value.kind) == (401, "bad_code")


def test_of_many_codes_and_sessions_the_oldest_end(served: Guarded) -> None:
    first = served.sessions.new_code()
    for _ in range(MOST_CODES):
        served.sessions.new_code()
    with pytest.raises(HttpRefusal):
        served.sessions.open(first)
    cookie, key = served.person()
    for _ in range(MOST_SESSIONS):
        served.ticks.now += 1
        served.person()
    assert len(served.sessions) == MOST_SESSIONS
    assert served.ask("/need/read", cookie, key).status == 401


def test_a_session_ends_after_idle_time_and_at_last_however_it_is_used(served: Guarded) -> None:
    proof = served.person()
    served.ticks.now += IDLE_S - 1
    assert served.ask("/need/read", *proof).status == 200
    served.ticks.now += IDLE_S - 1
    served.ask("/", proof[0])
    assert served.ask("/need/read", *proof).status == 200
    served.ticks.now += 2
    served.ask("/", proof[0])
    served.ticks.now += IDLE_S - 1
    assert served.ask("/need/read", *proof).status == 401, "a cookie alone keeps no session alive"
    proof = served.person()
    for _ in range(int(LONGEST_S / (IDLE_S / 2))):
        assert served.ask("/need/read", *proof).status == 200
        served.ticks.now += IDLE_S / 2
    assert served.ask("/need/read", *proof).status == 401


def test_sessions_end_with_the_program(served: Guarded, tmp_path: Path) -> None:
    proof = served.person()
    again = Guarded(tmp_path)
    assert again.ask("/need/read", *proof).status == 401
    assert again.ask("/need/read", served.bearer).status == 200
    code = served.sessions.new_code()
    served.sessions.close_all()
    assert served.ask("/need/read", *proof).status == 401
    with pytest.raises(HttpRefusal):
        served.sessions.open(code)


def test_the_cookie_is_for_this_server_alone_as_far_as_cookies_are() -> None:
    opened = PersonSessions(port=PORT)
    assert opened.open(opened.new_code()).set_cookie.endswith("; HttpOnly; SameSite=Strict; Path=/")
    secure = PersonSessions(port=443, secure=True)
    made = secure.open(secure.new_code()).set_cookie
    assert made.startswith("__Host-gaia_session_443=")
    assert made.endswith("; HttpOnly; SameSite=Strict; Path=/; Secure")
    assert opened.cookie_name != PersonSessions(port=PORT + 1).cookie_name


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Basic TOKEN",
        "TOKEN",
        "bearer TOKEN ",
        "Bearer  TOKEN",
        "Bearer \xff\xfe",
    ],
)
def test_a_wrong_token_is_refused(served: Guarded, value: str) -> None:
    given = ("authorization", value.replace("TOKEN", served.bearer[1].removeprefix("Bearer ")))
    refused = served.ask("/need/read", given)
    assert (refused.status, refused.kind) == (401, "bad_credentials")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "bearer token; a person opens" in refused.json["error"]["hint"]
    assert str(served.folder) not in refused.body.decode()
    assert served.ask(OPEN, given).status == 401, "what proves nothing is no visitor either"


def test_who_sends_nothing_gets_what_is_open_to_all(served: Guarded) -> None:
    assert served.ask(OPEN).json == {"who": "nobody", "body": 0}
    refused = served.ask("/need/read")
    assert (refused.status, refused.kind) == (401, "needs_credentials")
    with pytest.raises(HttpRefusal):
        principal_of({PRINCIPAL: None})


def test_a_token_and_a_session_at_once_are_refused(served: Guarded) -> None:
    cookie, key = served.person()
    assert served.ask("/need/read", served.bearer, cookie, key).kind == "bad_credentials"
    assert served.ask("/need/read", cookie, key, key).kind == "bad_credentials"


def test_after_a_rotation_the_old_token_opens_nothing_and_the_new_one_at_once(served: Guarded) -> None:
    old = served.bearer
    new_token(served.token.path)
    assert old != served.bearer
    assert served.ask("/need/read", old).status == 401
    assert served.ask("/need/read", served.bearer).status == 200


def test_a_token_that_a_host_made_is_read_once_and_nothing_is_made_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "launch-secret"
    path.write_text("x" * 43)
    path.chmod(0o600)
    token = ApiToken(path, given=True)
    assert token.match(b"x" * 43) and not token.match(b"y" * 43)
    assert [one.name for one in tmp_path.iterdir()] == ["launch-secret"]
    path.unlink()
    assert token.match(b"x" * 43)
    with pytest.raises(BadArgument, match="cannot be used"):
        ApiToken(path, given=True)
    path.write_text("short")
    path.chmod(0o644)
    with pytest.raises(BadArgument, match="Other users"):
        ApiToken(path, given=True)


def test_what_was_proved_once_ends_with_its_credential(served: Guarded) -> None:
    def who(*headers: tuple[str, str]) -> Principal:
        raw = [(name.encode(), value.encode()) for name, value in headers]
        found = served.credentials.principal({"type": "http", "headers": raw})
        assert found is not None
        assert served.credentials.still_holds(found) is (found.kind != "cookie")
        return found

    made, key = served.keys.add("phone", ["read"])
    cookie, page_key = served.person()
    program, elsewhere, person = (
        who(served.bearer),
        who(("authorization", f"Bearer {key}")),
        who(cookie, page_key),
    )
    who(cookie)
    served.keys.revoke(made.id)
    new_token(served.token.path)
    served.ticks.now += IDLE_S - 1
    assert not served.credentials.still_holds(program)
    assert not served.credentials.still_holds(elsewhere)
    assert served.credentials.still_holds(person)
    served.ticks.now += 1
    assert not served.credentials.still_holds(person), "to ask is no use"


def test_a_token_that_others_may_read_or_that_is_gone_opens_nothing(served: Guarded) -> None:
    bearer, path = served.bearer, served.token.path
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert served.ask("/need/read", bearer).status == 401
    with pytest.raises(BadArgument, match="Other users"):
        ApiToken(path)
    path.chmod(0o600)
    assert served.ask("/need/read", bearer).status == 200
    path.unlink()
    assert served.ask("/need/read", bearer).status == 401
    assert not path.exists(), "a request makes no token"


def test_a_token_that_belongs_to_another_user_opens_nothing(
    served: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    bearer, path = served.bearer, served.token.path
    if os.geteuid() == 0:
        os.chown(path, 65534, -1)
    else:  # nobody else may give it away, so it is we who are another user
        monkeypatch.setattr(os, "geteuid", lambda: 65534)
        served.token.path.touch()
    assert served.ask("/need/read", bearer).status == 401
    with pytest.raises(BadArgument, match="Other users"):
        ApiToken(path)


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 40])
def test_a_file_without_a_token_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_bytes(content)
    with pytest.raises(BadArgument, match="token"):
        token_in_file(path)


def test_no_secret_stands_in_a_log_an_error_or_what_a_debugger_shows(
    served: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    code = served.sessions.new_code()
    opened = served.sessions.open(code)
    made, key = served.keys.add("phone", ["read"])
    cookie = cookie_of(opened)
    token = served.bearer[1].removeprefix("Bearer ")
    answers = [
        served.ask("/inside", served.bearer),
        served.ask("/need/decide", served.bearer),
        served.ask("/need/act", ("authorization", f"Bearer {key}")),
        served.ask("/need/read", cookie, ("x-gaia-key", opened.page_key[:-1])),
        served.ask("/need/read", ("authorization", f"Bearer {token}x")),
        served.ask("/need/read", served.bearer, ("x-gaia-key", opened.page_key)),
    ]
    assert all(answer.status >= 400 for answer in answers)
    with pytest.raises(HttpRefusal) as refused:
        served.sessions.open(code)
    seen = " ".join(
        [
            caplog.text,
            *(f"{answer.headers}{answer.body!r}" for answer in answers),
            repr((opened, made, served.sessions, served.token, served.keys, refused.value)),
            str(Principal(kind="person", name="session x")),
            served.keys._path.read_text(),  # pyright: ignore[reportPrivateUsage]
        ]
    )
    secret_of_key = key.split("_", 2)[2]
    for secret in (code, opened.page_key, cookie[1].partition("=")[2], token, key, secret_of_key):
        assert secret not in seen
