"""The configuration of a test Dovecot 2.4, whose settings have other names and shapes than 2.3's. Entry: `config_24`.

After Dovecot's own description of the upgrade from 2.3 to 2.4.
"""

from __future__ import annotations

from pathlib import Path

from tools.mail_servers.dovecot_config import PASSWORD, Options, common, folders, put_keys, services, users


def config_24(base: Path, port: int, tls_port: int, options: Options) -> str:
    """The whole `dovecot.conf`."""
    return "\n".join(
        (
            "dovecot_config_version = 2.4.0",
            "dovecot_storage_version = 2.4.0",
            *common(base, port, options),
            *_storage(base, options),
            *_login(base, options),
            *_tls(base, options),
            *_plugins(options),
            *folders(options),
            *services(
                options,
                port,
                tls_port,
                reuse="restart_request_count",
                unlimited="unlimited",
                address="listen",
            ),
            "",
        )
    )


def _storage(base: Path, options: Options) -> list[str]:
    place = f"{base}/mail/%{{user}}"
    lines = [f"mail_driver = {options.storage}", f"mail_path = {place}", f"mail_home = {base}/home/%{{user}}"]
    if options.storage == "maildir":
        lines += ["mailbox_list_layout = fs", f"mail_inbox_path = {place}"]
    return lines


def _login(base: Path, options: Options) -> list[str]:
    uid, gid, _, _ = users()
    lines = [
        "passdb static {",
        f"  password = {PASSWORD}",
        "}",
        "userdb static {",
        "  fields {",
        f"    uid = {uid}",
        f"    gid = {gid}",
        f"    home = {base}/home/%{{user}}",
        "  }",
        "}",
    ]
    if options.token_key is None:
        return ["auth_mechanisms = plain login", *lines]
    put_keys(base, options.token_key)
    tokens = [
        "oauth2 {",
        "  introspection_mode = local",
        "  username_attribute = email",
        "  oauth2_local_validation {",
        "    dict fs {",
        "      fs posix {",
        f"        prefix = {base}/keys/",
        "      }",
        "    }",
        "  }",
        "}",
    ]
    return ["auth_mechanisms = plain login xoauth2 oauthbearer", *tokens, *lines]


def _tls(base: Path, options: Options) -> list[str]:
    lines = ["auth_allow_cleartext = yes", f"ssl = {'yes' if options.tls else 'no'}"]
    if options.tls:
        lines += [
            f"ssl_server_cert_file = {base}/tls/cert.pem",
            f"ssl_server_key_file = {base}/tls/key.pem",
        ]
    return lines


def _plugins(options: Options) -> list[str]:
    names: list[str] = []
    settings: list[str] = []
    imap: list[str] = []
    if options.capability is not None:
        imap.append(f"  imap_capability = {options.capability}")
    if options.acl:
        names.append("acl")
        settings.append("acl_driver = vfile")
    if options.quota_kb is not None:
        names.append("quota")
        settings += [f"quota_storage_size = {options.quota_kb}K", "quota_storage_grace = 0"]
        settings += ['quota "User quota" {', "  driver = count", "}"]
        imap += ["  mail_plugins {", "    imap_quota = yes", "  }"]
    loaded = ["mail_plugins {", *(f"  {name} = yes" for name in names), "}"] if names else []
    return [*loaded, *settings, *(["protocol imap {", *imap, "}"] if imap else [])]
