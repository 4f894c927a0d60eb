"""The configuration of a test Dovecot 2.3, for the `Options` a test asks for. Entry: `config`.

What 2.4 understands just as well is in `common`, `folders` and `services`; the rest of it in `dovecot_config_24.py`.
"""

from __future__ import annotations

import base64
import grp
import hmac
import json
import os
import pwd
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROLES = ("Drafts", "Sent", "Trash", "Junk", "Archive")
"""Folders that every user has, with the special use of that name."""

NOBODY = 65534

PASSWORD = "opens-every-test-account"
"""Every user name exists and has this password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the server differs from an ordinary one.

    Attributes:
        capability: What CAPABILITY claims after login, instead of the truth (`"IMAP4rev1"` for a server without
            any extension). The commands would still work; `Proxy.commands` shows whether they were used.
        storage: How mail lies on disk.
        quota_kb: How much each user may keep.
        acl: Obey `dovecot-acl` files (see `Dovecot.forbid_changes`).
        tls: Offer STARTTLS and a TLS port, with a certificate of its own.
        roles: Give the usual folders their special use; without, there is only INBOX.
        token_key: HMAC key of the JSON Web Tokens that XOAUTH2 and OAUTHBEARER accept; None: passwords only.
        failed_login_s: Seconds a refused login takes; others from the same address then wait longer, too.
        separator: Between the levels of a folder's name.
        prefix: What the name of every folder but INBOX begins with, such as `INBOX.`.
    """

    capability: str | None = None
    storage: Literal["maildir", "sdbox"] = "maildir"
    quota_kb: int | None = None
    acl: bool = False
    tls: bool = False
    roles: bool = True
    token_key: bytes | None = None
    failed_login_s: int = 0
    separator: Literal["/", "."] = "/"
    prefix: str = ""


def token(key: bytes, user: str, *, lifetime_s: float = 3600.0) -> str:
    """A JSON Web Token that a server with `token_key` takes for `user`; expired with a negative lifetime."""
    now = time.time()
    claims = {
        "email": user,
        "sub": user,
        "iss": "tests",
        "iat": int(now - 7200),
        "exp": int(now + lifetime_s),
    }
    head = f"{_encoded({'alg': 'HS256', 'typ': 'JWT'})}.{_encoded(claims)}"
    signature = hmac.digest(key, head.encode(), "sha256")
    return f"{head}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _encoded(part: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def account() -> tuple[int, int]:
    """User and group id the mail belongs to: this user's, or nobody's for root."""
    if os.getuid() == 0:
        return NOBODY, pwd.getpwuid(NOBODY).pw_gid
    return os.getuid(), os.getgid()


def users() -> tuple[int, int, str, str]:
    """User and group the server runs as: their ids and their names."""
    uid, gid = account()
    return uid, gid, pwd.getpwuid(uid).pw_name, grp.getgrgid(gid).gr_name


def config(base: Path, port: int, tls_port: int, options: Options) -> str:
    """The whole `dovecot.conf`."""
    place = {
        "maildir": f"maildir:{base}/mail/%u:LAYOUT=fs:INBOX={base}/mail/%u",
        "sdbox": f"sdbox:{base}/mail/%u",
    }[options.storage]
    return "\n".join(
        (
            *common(base, port, options),
            f"mail_location = {place}",
            f"mail_home = {base}/home/%u",
            *_login(base, options),
            *_tls(base, options),
            *_plugins(base, options),
            *folders(options),
            *services(options, port, tls_port, reuse="service_count", unlimited="0", address="address"),
            "",
        )
    )


def common(base: Path, port: int, options: Options) -> list[str]:
    """Settings that 2.3 and 2.4 call the same."""
    uid, gid, user, group = users()
    return [
        f"base_dir = {base}/run",
        f"state_dir = {base}/state",
        f"log_path = {base}/dovecot.log",
        f"instance_name = gaia-{port}",
        "protocols = imap",
        "listen = 127.0.0.1",
        f"default_login_user = {user}",
        f"default_internal_user = {user}",
        f"default_internal_group = {group}",
        "first_valid_uid = 0",
        "first_valid_gid = 0",
        f"mail_uid = {uid}",
        f"mail_gid = {gid}",
        "mailbox_list_index = yes",
        "mail_max_userip_connections = 50",
        "mail_fsync = never",
        "default_vsz_limit = 1G",
        "maildir_very_dirty_syncs = yes",
        "imap_idle_notify_interval = 2 mins",
        f"auth_failure_delay = {options.failed_login_s} secs",
    ]


def put_keys(base: Path, key: bytes) -> None:
    """Where the server looks for the key of tokens."""
    keys = base / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_bytes(base64.b64encode(key))
    for path in (keys / "default", *keys.parents[:2], keys):  # the server reads them as another user
        path.chmod(0o755 if path.is_dir() else 0o644)


def _login(base: Path, options: Options) -> list[str]:
    uid, gid, _, _ = users()
    lines = [
        "passdb {",
        "  driver = static",
        f"  args = password={PASSWORD}",
        "}",
        "userdb {",
        "  driver = static",
        f"  args = uid={uid} gid={gid} home={base}/home/%u",
        "}",
    ]
    if options.token_key is None:
        return ["auth_mechanisms = plain login", *lines]
    put_keys(base, options.token_key)
    (base / "oauth2.conf").write_text(
        f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={base}/keys/\n"
        "username_attribute = email\n"
    )
    tokens = [
        "passdb {",
        "  driver = oauth2",
        "  mechanisms = xoauth2 oauthbearer",
        f"  args = {base}/oauth2.conf",
        "}",
    ]
    return ["auth_mechanisms = plain login xoauth2 oauthbearer", *tokens, *lines]


def _tls(base: Path, options: Options) -> list[str]:
    if not options.tls:
        return ["ssl = no", "disable_plaintext_auth = no"]
    return [
        "ssl = yes",
        "disable_plaintext_auth = no",
        f"ssl_cert = <{base}/tls/cert.pem",
        f"ssl_key = <{base}/tls/key.pem",
    ]


def _plugins(base: Path, options: Options) -> list[str]:
    names: list[str] = []
    settings: list[str] = []
    imap: list[str] = []
    if options.capability is not None:
        imap.append(f"  imap_capability = {options.capability}")
    if options.acl:
        names.append("acl")
        settings.append("  acl = vfile")
    if options.quota_kb is not None:
        names.append("quota")
        settings += ["  quota = count:User quota", f"  quota_rule = *:storage={options.quota_kb}K"]
        settings += ["  quota_vsizes = yes", "  quota_grace = 0"]
    if not names and not imap:
        return []
    loaded = " ".join(names)
    imap.append(f"  mail_plugins = {loaded}{' imap_quota' if 'quota' in names else ''}")
    return [f"mail_plugins = {loaded}", "protocol imap {", *imap, "}", "plugin {", *settings, "}"]


def folders(options: Options) -> list[str]:
    """The user's own folders."""
    lines = ["namespace inbox {", "  inbox = yes", f"  separator = {options.separator}"]
    if options.prefix:
        lines.append(f"  prefix = {options.prefix}")
    if options.roles:
        for role in ROLES:
            lines += [f"  mailbox {role} {{", f"    special_use = \\{role}", "    auto = create", "  }"]
    return [*lines, "}"]


def services(
    options: Options, port: int, tls_port: int, *, reuse: str, unlimited: str, address: str
) -> list[str]:
    """The server's processes; `reuse`, `unlimited` and `address` are what a version of Dovecot calls these."""
    # Without this listener an address that failed to log in is not made to wait longer and longer.
    listener = (
        [] if options.failed_login_s > 0 else ["  unix_listener anvil-auth-penalty {", "    mode = 0", "  }"]
    )
    return [
        "service imap-login {",
        "  chroot =",
        f"  {reuse} = {unlimited}",
        "  process_min_avail = 1",
        "  inet_listener imap {",
        f"    {address} = 127.0.0.1",
        f"    port = {port}",
        "  }",
        "  inet_listener imaps {",
        f"    port = {tls_port}",
        "    ssl = yes",
        "  }",
        "}",
        "service imap {",
        f"  {reuse} = 100",
        "  process_limit = 64",
        "  process_min_avail = 1",
        "}",
        "service anvil {",
        "  chroot =",
        *listener,
        "}",
        "service stats {",
        "  chroot =",
        "}",
    ]
