"""Files of runs: kept by hash, once a step, readable by the owner only, over in time; and the program that speaks."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.services.upkeep import planned_purge
from gaia_email_automations.artifacts import (
    KEPT_S,
    MOST_BYTES,
    ArtifactFacts,
    ArtifactRetention,
    StoredArtifact,
    artifacts_folder,
    file_name,
)
from gaia_email_automations.making import speech_command
from gaia_email_automations.run_files import (
    clean_artifacts,
    share_artifact,
    shared_artifact,
    store,
    unshare_artifact,
)
from gaia_email_registry.errors import BadArgument, NeedsAuth, NotFound, ProviderError
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition


class Clock:
    """A clock that is set by hand."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(environ={"GAIA_HOME": str(tmp_path), "GAIA_VAULT": "file"}, clock=Clock())


def kept(app: App, content: bytes = b"text", run: str = "run-1", **more: Any) -> StoredArtifact:
    given: dict[str, Any] = {
        "step_id": "s",
        "name": "Brief.md",
        "kind": "document",
        "media_type": "text/markdown",
    }
    return store(app).keep(content, ArtifactFacts(run_id=run, account_id="me", **{**given, **more}))


def files(app: App) -> list[Path]:
    return [one for one in artifacts_folder(app.environ).rglob("*") if one.is_file()]


def test_a_step_that_is_taken_up_again_keeps_one_file(app: App) -> None:
    first, again = kept(app), kept(app, b"newer")
    assert first.id == again.id and first.sha256 != again.sha256
    assert store(app).all() == [again]
    assert store(app).content(again) == b"newer"


def test_equal_contents_are_kept_once_and_read_by_the_owner_only(app: App) -> None:
    kept(app)
    kept(app, run="run-2")
    assert len(files(app)) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files(app)} == {0o600}
    assert {stat.S_IMODE(path.parent.stat().st_mode) for path in files(app)} == {0o700}


def test_the_folder_is_where_the_user_says(tmp_path: Path) -> None:
    elsewhere = App(environ={"GAIA_HOME": str(tmp_path), "GAIA_ARTIFACTS_DIR": str(tmp_path / "else")})
    kept(elsewhere)
    assert not (tmp_path / "artifacts").exists() and files(elsewhere)


@pytest.mark.parametrize("retention", ["transient", "default", "permanent"])
def test_files_go_when_their_time_is_over(tmp_path: Path, retention: ArtifactRetention) -> None:
    clock = Clock()
    app = App(environ={"GAIA_HOME": str(tmp_path)}, clock=clock)
    kept(app, retention=retention)
    clock.now += (KEPT_S[retention] or 1e9) - 1
    assert (clean_artifacts(app), len(store(app).all())) == (0, 1)
    clock.now += 2
    assert len(store(app).all()) == (retention == "permanent")
    assert clean_artifacts(app) == (retention != "permanent")
    clock.now += 1e9
    clean_artifacts(app)
    assert bool(files(app)) == (retention == "permanent")


def test_content_that_was_changed_is_not_given_out(app: App) -> None:
    found = kept(app)
    next(path for path in files(app) if path.name == found.sha256).write_bytes(b"other")
    with pytest.raises(ProviderError, match="not as it was kept"):
        store(app).content(found)


def test_too_much_and_nothing_are_refused(app: App) -> None:
    for content in (b"", b"x" * (MOST_BYTES + 1)):
        with pytest.raises(BadArgument):
            kept(app, content)
    assert files(app) == []


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "..", "\x1b[2J", "x" * 500, "", ".hidden", "C:\\x"]
)
def test_no_name_leads_elsewhere_or_steers_a_terminal(name: str) -> None:
    found = file_name(name)
    assert found and len(found) <= 120 and found.isprintable()
    assert "/" not in found and "\\" not in found and not found.startswith(".")


@pytest.mark.parametrize("given", ["../../x", "*", "", "g" * 32])
def test_only_ids_name_files(app: App, given: str) -> None:
    kept(app)
    with pytest.raises(NotFound):
        store(app).get(given)


def test_a_link_opens_one_file_of_one_run_until_its_time_is_over(app: App) -> None:
    found, other = kept(app), kept(app, b"other", run="run-2")
    link = share_artifact(app, found.id[:8], 2)
    expires, signature = link.path.partition("?expires=")[2].split("&signature=")

    def opened(run: str = "run-1", id_: str = found.id, until: str = expires, by: str = signature) -> bytes:
        return shared_artifact(app, run, id_, until, by)[1]

    assert opened() == b"text"
    for wrong in (
        {"run": "run-2"},
        {"id_": other.id},
        {"id_": found.id[:8]},
        {"until": str(int(expires) + 1)},
        {"until": "²"},
        {"until": ""},
        {"by": signature[:-1] + "x"},
        {"by": ""},
        {"by": "ü"},
    ):
        with pytest.raises(NeedsAuth):
            opened(**wrong)
    unshare_artifact(app, found.id)
    with pytest.raises(NeedsAuth):
        opened()
    share_artifact(app, found.id, 2)
    assert opened() == b"text"
    assert isinstance(app.clock, Clock)
    app.clock.now += 2 * 3_600
    with pytest.raises(NeedsAuth, match="time is over"):
        opened()


def test_a_link_to_what_was_replaced_is_void_and_its_key_lies_in_the_vault(app: App) -> None:
    link = share_artifact(app, kept(app, visibility="shared").id, 2)
    expires, signature = link.path.partition("?expires=")[2].split("&signature=")
    kept(app, b"newer", visibility="shared")
    with pytest.raises(NeedsAuth):
        shared_artifact(app, "run-1", link.file.id, expires, signature)
    with app.ledger() as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, "artifact links")
    assert document is not None and set(document.value) == {"key"}


def test_a_purge_of_everything_takes_the_files_too(app: App) -> None:
    kept(app)
    with planned_purge(app, "everything", None) as planned:
        planned.carry_out()
    assert files(app) == []


DOCUMENT: dict[str, Any] = {
    "step_id": "keep",
    "action": "document",
    "config": {"name": "Notes {{ run.trigger_type }}", "text": "# Text", "retention": "transient"},
    "output_as": "kept",
}


def test_a_document_is_kept_and_told_in_the_event_log(bench: AutomationBench) -> None:
    run = bench.result(definition(DOCUMENT))
    assert run.status == "succeeded", run.error
    output = run.output["kept"]
    assert (output["name"], output["kind"], output["bytes"]) == ("Notes manual.md", "document", 6)
    assert bench.kinds()["file.added"] == 1


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit(3)", "ended with 3"),
        ("pass", "gave nothing"),
        ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "more than"),
    ],
)
def test_a_program_that_cannot_speak_fails_the_run_with_why(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    monkeypatch.setattr("gaia_email_automations.making.MOST_BYTES", 1 << 20)
    environ = {**bench.environ, "GAIA_SPEECH_COMMAND": f'{sys.executable} -c "{program}"'}
    object.__setattr__(bench.engine, "environ", environ)
    speak = {"step_id": "speak", "action": "speech_generation", "config": {"name": "x", "text": "Hello."}}
    run = bench.result(definition(speak))
    assert run.status == "failed" and said in run.error


def test_the_text_is_no_argument_and_the_environment_is_bare(bench: AutomationBench) -> None:
    told = "import os,sys; sys.stdout.write(repr(sys.argv) + sys.stdin.read() + ','.join(sorted(os.environ)))"
    environ = {**bench.environ, "GAIA_SPEECH_COMMAND": f'{sys.executable} -c "{told}"', "SECRET": "x"}
    object.__setattr__(bench.engine, "environ", environ)
    config = {"name": "x", "text": "$(touch /tmp/x); `id`"}
    run = bench.result(
        definition(
            {"step_id": "speak", "action": "speech_generation", "config": config, "output_as": "spoken"}
        )
    )
    assert run.status == "succeeded", run.error
    app = App(environ=bench.environ, clock=bench.ledger.clock)
    (found,) = store(app).all()
    content = store(app).content(found).decode()
    assert content.startswith("['-c']$(touch /tmp/x); `id`") and "SECRET" not in content


def test_without_a_program_that_speaks_it_is_said() -> None:
    with pytest.raises(NotFound, match="No program speaks") as raised:
        speech_command({})
    assert "GAIA_SPEECH_COMMAND" in str(raised.value.hint)
    with pytest.raises(BadArgument):
        speech_command({"GAIA_SPEECH_COMMAND": "say 'half"})
