"""Accounts of mbsync, msmtp, OfflineIMAP, fetchmail, getmail, notmuch and aerc. Entry: `collect`.

Commands in these files are never run, and passwords never kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gaia_email_registry.discovery.machine import AccountTrace, Machine
from gaia_email_registry.discovery.servers import endpoint, endpoint_of_url, servers
from gaia_email_registry.providers import Security

_LINE = re.compile(r"^[ \t]*([A-Za-z_]+)[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_WORD = re.compile(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|[^\s,;\"'#]+")
_STORES = frozenset({"imapaccount", "imapstore", "maildirstore", "channel", "group"})
_MBSYNC_SECURITY: Mapping[str, Security] = {"imaps": "tls", "starttls": "starttls", "none": "none"}
_POLLED = {"via": "host", "port": "port", "service": "port", "proto": "proto", "protocol": "proto"}
"""Fetchmail's keywords for an entry; `via` is the real host if the entry has another name."""


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the accounts of all these programs; a program's default account before its others."""
    yield from _mbsync(machine)
    yield from _msmtp(machine)
    yield from _offlineimap(machine)
    yield from _fetchmail(machine)
    yield from _getmail(machine)
    for path in (machine.home / ".notmuch-config", machine.config("notmuch", "default", "config")):
        user = machine.sections(path).get("user", {})
        aliases = (user.get("other_email", ""),)
        yield from machine.signals("notmuch", path, user.get("primary_email", ""), aliases=aliases)
    yield from _aerc(machine)


def _blocks(text: str, starts: frozenset[str]) -> list[dict[str, str]]:
    """Return the blocks of `Key value` lines, with lower-case names; a starting or repeated key begins a block."""
    blocks: list[dict[str, str]] = []
    for key, value in _LINE.findall(text):
        name = key.lower()
        if not blocks or name in starts or name in blocks[-1]:
            blocks.append({})
        blocks[-1][name] = value.strip("\"'")
    return blocks


def _mbsync(machine: Machine) -> Iterator[AccountTrace]:
    for path in (machine.home / ".mbsyncrc", machine.config("isyncrc")):
        for block in _blocks(machine.read(path), _STORES):
            word = block.get("tlstype") or block.get("ssltype", "")
            security = _MBSYNC_SECURITY.get(word.lower())
            user = block.get("user", "")
            imap = endpoint("imap", block.get("host", ""), block.get("port"), security)
            yield from machine.signals("mbsync", path, user, servers=servers(imap, None, user))


def _msmtp(machine: Machine) -> Iterator[AccountTrace]:
    for path in (machine.home / ".msmtprc", machine.config("msmtp", "config")):
        accounts: dict[str, dict[str, str]] = {}
        defaults: dict[str, str] = {}
        for block in _blocks(machine.read(path), frozenset({"account", "defaults"})):
            name, _, base = (word.strip() for word in block.pop("account", "").partition(":"))
            if name:
                accounts[name] = {**defaults, **accounts.get(base, {}), **block}
            elif block.pop("defaults", None) is not None or not accounts:
                defaults |= block
        for account in sorted(
            accounts.values() or (defaults,), key=lambda one: one != accounts.get("default")
        ):
            security: Security = "tls" if account.get("tls_starttls") == "off" else "starttls"
            smtp = endpoint("smtp", account.get("host", ""), account.get("port"), security)
            address = account.get("from") or account.get("user", "")
            yield from machine.signals("msmtp", path, address, servers=servers(None, smtp, ""))


def _offlineimap(machine: Machine) -> Iterator[AccountTrace]:
    for path in (machine.home / ".offlineimaprc", machine.config("offlineimap", "config")):
        sections = machine.sections(path)
        for name in sections.get("general", {}).get("accounts", "").split(","):
            account = sections.get(f"Account {name.strip()}", {})
            remote = sections.get(f"Repository {account.get('remoterepository', '')}", {})
            gmail = remote.get("type", "").lower() == "gmail"
            host = remote.get("remotehost", "imap.gmail.com" if gmail else "")
            open_first = remote.get("ssl", "yes").lower() in ("no", "false", "0", "off")
            imap = endpoint("imap", host, remote.get("remoteport"), "starttls" if open_first else "tls")
            user = remote.get("remoteuser", "")
            yield from machine.signals("OfflineIMAP", path, user, servers=servers(imap, None, user))


def _fetchmail(machine: Machine) -> Iterator[AccountTrace]:
    """Yield each user of a polled entry; an entry after `skip` is disabled."""
    path = machine.home / ".fetchmailrc"
    words = [word.strip("\"'") for word in _WORD.findall(machine.read(path)) if not word.startswith("#")]
    entry: dict[str, str] = {}
    users: list[dict[str, str]] = []
    for word, after in zip(words, [*words[1:], ""], strict=False):
        match word.lower():
            case "poll" | "server" | "skip" | "defaults":
                entry = {"host": after, "off": word.lower()}
            case key if key in _POLLED:
                entry[_POLLED[key]] = after
            case "user" | "username":
                users.append({**entry, "user": after})
            case "ssl" if users:
                users[-1]["ssl"] = "yes"
            case _:
                pass
    for user in users:
        if user.get("off") == "skip":
            continue
        reads = user.get("proto", "auto").lower().startswith(("imap", "auto"))
        security: Security | None = "tls" if "ssl" in user else None
        host = user.get("host", "") if reads else ""
        told = servers(endpoint("imap", host, user.get("port"), security), None, user["user"])
        yield from machine.signals("fetchmail", path, user["user"], servers=told)


def _getmail(machine: Machine) -> Iterator[AccountTrace]:
    for path in (machine.home / ".getmail/getmailrc", machine.config("getmail", "getmailrc")):
        retriever = machine.sections(path).get("retriever", {})
        kind, user = retriever.get("type", ""), retriever.get("username", "")
        host = retriever.get("server", "") if "IMAP" in kind else ""
        imap = endpoint("imap", host, retriever.get("port"), "tls" if "SSL" in kind else None)
        yield from machine.signals("getmail", path, user, servers=servers(imap, None, user))


def _aerc(machine: Machine) -> Iterator[AccountTrace]:
    path: Path = machine.config("aerc", "accounts.conf")
    for account in machine.sections(path).values():
        imap, user = endpoint_of_url("imap", account.get("source", ""))
        smtp, _ = endpoint_of_url("smtp", account.get("outgoing", ""))
        told = servers(imap, smtp, user)
        aliases = (account.get("aliases", ""),)
        yield from machine.signals("aerc", path, account.get("from", ""), servers=told, aliases=aliases)
