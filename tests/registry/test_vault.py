"""Where secrets are kept and come from, and that they show nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError
from gaia_email_registry.private_file import write_private
from gaia_email_registry.secret_source import read_secret
from gaia_email_registry.vault import FileVault, KeyringVault, open_vault, renew_key

SECRET = "hunter2 pässwörd"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {
        "GAIA_HOME": str(tmp_path / "gaia"),
        "GAIA_VAULT": "file",
        "PATH": os.environ["PATH"],
        "MY_PASSWORD": SECRET,
    }


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_is_put_into_the_vault_is_found_again_by_its_reference(environ: dict[str, str]) -> None:
    reference = open_vault(environ).put("ida@example.org", SECRET)
    open_vault(environ).put("bo@example.net", "other")
    assert reference.startswith("file:")
    assert open_vault(environ).get(reference) == SECRET
    assert read_secret(f"vault:{reference}", environ) == SECRET
    open_vault(environ).put("ida@example.org", "changed")
    assert open_vault(environ).get(reference) == "changed"
    open_vault(environ).remove(reference)
    open_vault(environ).remove(reference)
    with pytest.raises(NeedsAuth, match="not in the vault"):
        open_vault(environ).get(reference)
    assert open_vault(environ).get("file:bo@example.net") == "other"


def test_the_vaults_files_are_private_and_show_neither_secret_nor_name(environ: dict[str, str]) -> None:
    open_vault(environ).put("ida.lindqvist@example.org", SECRET)
    home = Path(environ["GAIA_HOME"])
    assert mode(home) == 0o700
    files = [path for path in home.iterdir() if path.is_file()]
    assert {path.name for path in files} == {"vault", "vault.key", "vault.lock"}
    for path in files:
        assert mode(path) == 0o600
        assert SECRET.encode() not in path.read_bytes()
        assert b"ida.lindqvist" not in path.read_bytes()


def test_the_key_can_be_kept_somewhere_else(environ: dict[str, str], tmp_path: Path) -> None:
    environ["GAIA_VAULT_KEY_FILE"] = str(tmp_path / "usb" / "key")
    reference = open_vault(environ).put("a", SECRET)
    assert (tmp_path / "usb" / "key").exists()
    assert not (tmp_path / "gaia" / "vault.key").exists()
    del environ["GAIA_VAULT_KEY_FILE"]
    with pytest.raises(ProviderError, match=r"vault.key.*missing"):
        open_vault(environ).get(reference)
    with pytest.raises(ProviderError, match=r"vault.key.*missing"):
        open_vault(environ).put("b", "a new key would make the old secrets unreadable")


def test_a_new_key_opens_what_was_kept_and_the_old_one_does_not(
    environ: dict[str, str], tmp_path: Path
) -> None:
    assert renew_key(environ) is None
    vault = open_vault(environ)
    references = {vault.put(f"name{number}", f"secret{number}"): f"secret{number}" for number in range(3)}
    key_path = renew_key(environ)
    assert key_path is not None and key_path.stat().st_mode & 0o077 == 0
    first = key_path.read_bytes()
    renew_key(environ)
    assert key_path.read_bytes() != first and len(key_path.read_bytes().split()) == 1
    assert {reference: open_vault(environ).get(reference) for reference in references} == references
    key_path.write_bytes(first)
    with pytest.raises(ProviderError, match="cannot be decrypted"):
        open_vault(environ).get(next(iter(references)))


@pytest.mark.parametrize("writes", [0, 1, 2])
def test_a_change_of_key_that_is_cut_short_loses_nothing(
    environ: dict[str, str], writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = open_vault(environ).put("name", "secret")
    done: list[Path] = []

    def cut_short(path: Path, content: bytes) -> None:
        if len(done) == writes:
            raise KeyboardInterrupt
        done.append(path)
        write_private(path, content)

    with monkeypatch.context() as patched:
        patched.setattr("gaia_email_registry.vault.write_private", cut_short)
        with pytest.raises(KeyboardInterrupt):
            renew_key(environ)
    assert open_vault(environ).get(reference) == "secret"
    renew_key(environ)
    assert open_vault(environ).get(reference) == "secret"


def test_a_damaged_vault_is_said_and_not_overwritten(environ: dict[str, str]) -> None:
    open_vault(environ).put("a", SECRET)
    vault = Path(environ["GAIA_HOME"]) / "vault"
    damaged = vault.read_bytes()[:-9]
    vault.write_bytes(damaged)
    for call in (lambda: open_vault(environ).get("file:a"), lambda: open_vault(environ).put("b", "x")):
        with pytest.raises(ProviderError, match="cannot be decrypted"):
            call()
    assert vault.read_bytes() == damaged


def test_a_key_that_others_can_read_is_refused(environ: dict[str, str]) -> None:
    reference = open_vault(environ).put("a", SECRET)
    (Path(environ["GAIA_HOME"]) / "vault.key").chmod(0o644)
    with pytest.raises(ProviderError, match="chmod 600"):
        open_vault(environ).get(reference)


def test_a_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProviderError, match="cannot be used"):
        FileVault(tmp_path / "file" / "vault", tmp_path / "key").put("a", SECRET)


def test_a_keyring_is_used_where_there_is_a_real_one(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring
    from keyring.backend import KeyringBackend
    from keyring.errors import PasswordDeleteError

    class Real(KeyringBackend):
        priority = 5  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]
        kept: dict[tuple[str, str], str] = {}  # noqa: RUF012

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            if self.kept.pop((service, username), None) is None:
                raise PasswordDeleteError("not there")

    monkeypatch.setattr(keyring.core, "_keyring_backend", Real())
    environ["GAIA_VAULT"] = "auto"
    reference = open_vault(environ).put("ida@example.org", SECRET)
    assert reference == "keyring:ida@example.org"
    assert Real.kept == {("gaia-email", "ida@example.org"): SECRET}
    assert open_vault(environ).get(reference) == SECRET
    open_vault(environ).remove(reference)
    open_vault(environ).remove(reference)
    with pytest.raises(NeedsAuth):
        open_vault(environ).get(reference)
    assert not Path(environ["GAIA_HOME"]).exists()


def test_without_a_real_keyring_the_file_is_used(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring
    from keyring.backends import fail, null

    environ["GAIA_VAULT"] = "auto"
    for backend in (fail.Keyring(), null.Keyring()):
        monkeypatch.setattr(keyring.core, "_keyring_backend", backend)
        assert not KeyringVault().available()
        assert open_vault(environ).put("a", SECRET) == "file:a"


def test_a_keyring_that_refuses_is_said_without_what_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    from keyring.errors import KeyringLocked

    def locked(*given: str) -> str:
        raise KeyringLocked(f"cannot store {given}")

    for name in ("set_password", "get_password", "delete_password"):
        monkeypatch.setattr(keyring, name, locked)
    vault = KeyringVault()
    for call in (
        lambda: vault.put("a", SECRET),
        lambda: vault.get("keyring:a"),
        lambda: vault.remove("keyring:a"),
    ):
        with pytest.raises(ProviderError, match="keyring refused") as caught:
            call()
        assert SECRET not in caught.value.message


def test_a_choice_that_is_none_is_said(environ: dict[str, str]) -> None:
    with pytest.raises(BadArgument, match="auto, keyring or file"):
        open_vault({**environ, "GAIA_VAULT": "cloud"})


def private(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_a_secret_comes_from_wherever_its_reference_says(environ: dict[str, str], tmp_path: Path) -> None:
    file = private(tmp_path / "secret", f"{SECRET}\r\nsecond line\n".encode())
    assert read_secret(f"file:{file}", environ) == SECRET
    assert read_secret(f"command:cat {file}", environ) == SECRET
    assert read_secret("env:MY_PASSWORD", environ) == SECRET


def test_a_command_is_run_without_a_shell(environ: dict[str, str], tmp_path: Path) -> None:
    assert read_secret(f"command:echo $HOME; touch {tmp_path}/made", environ).startswith("$HOME; touch")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("reference", "kind", "said"),
    [
        ("command:false", NeedsAuth, "exit code 1"),
        ("command:true", NeedsAuth, "gave no password"),
        ("command:/no/such/program x", BadArgument, "cannot be run"),
        ("command:", BadArgument, "empty"),
        ("command:echo 'x", BadArgument, "open quote"),
        ("file:/no/such/file", BadArgument, "cannot be read"),
        ("env:NOT_SET", NeedsAuth, "gave no password"),
        ("hunter2", BadArgument, "A secret is"),
    ],
)
def test_a_source_that_gives_nothing_is_named(
    environ: dict[str, str], reference: str, kind: type[MailError], said: str
) -> None:
    with pytest.raises(kind, match=said) as caught:
        read_secret(reference, environ)
    assert "hunter2" not in caught.value.message


def test_a_file_that_others_can_read_is_refused(environ: dict[str, str], tmp_path: Path) -> None:
    file = private(tmp_path / "secret", SECRET.encode())
    file.chmod(0o640)
    with pytest.raises(BadArgument, match="chmod 600") as caught:
        read_secret(f"file:{file}", environ)
    assert SECRET not in caught.value.message


def test_what_a_failing_command_prints_stays_unsaid(
    environ: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = private(tmp_path / "leaky", b"echo hunter2; echo hunter2 >&2; exit 3\n")
    with pytest.raises(NeedsAuth, match="exit code 3") as caught:
        read_secret(f"command:sh {script}", environ)
    shown = capfd.readouterr()
    assert "hunter2" not in caught.value.message + str(caught.value.hint) + shown.out + shown.err


def test_nothing_is_imported_before_a_secret_is_asked_for() -> None:
    program = (
        "import sys\n"
        "from gaia_email_registry import accounts, secret_source, settings, vault\n"
        "vault.open_vault({'GAIA_HOME': '/nowhere'})\n"
        "print(sorted({'cryptography', 'keyring', 'smtplib', 'ssl', 'imapclient'} & set(sys.modules)))\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
