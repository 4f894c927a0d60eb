"""One connection of the scripted IMAP server: reads commands, answers them from the store. Entry: `Session`."""

from __future__ import annotations

import base64
import re
import select
import socket
from collections.abc import Callable, Iterator, Sequence
from io import BufferedIOBase
from typing import TYPE_CHECKING

from tools.mail_servers.scripted_store import Box, Store, fetched, quoted

if TYPE_CHECKING:
    from tools.mail_servers.scripted_imap import Script

_TOKEN = re.compile(rb'"((?:\\.|[^"\\])*)"|\((?=)|\)|([^\s()"]*\[[^\]]*\][^\s()]*)|([^\s()"]+)')


class Refused(Exception):
    """A command is answered NO or BAD with this text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.line = f"{kind} {text}"


class Session:
    """State of one client: who it is, which folder is open, what it was told of that folder."""

    def __init__(
        self,
        reader: BufferedIOBase,
        writer: BufferedIOBase,
        connection: socket.socket,
        script: Script,
        store: Store,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._socket = connection
        self._script = script
        self._store = store
        self._logged_in = False
        self._box: Box | None = None
        self._name = ""
        self._told: list[int] = []
        self._told_flags: dict[int, frozenset[str]] = {}
        self._open = True

    def cut(self) -> None:
        """Close without a word."""
        self._open = False
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def serve(self) -> None:
        """Until the client or a script ends it."""
        if self._assault("*", ""):
            return
        self._say(f"* OK [CAPABILITY {' '.join(self._script.announced(False))}] ready")
        while self._open:
            command = self._command()
            if command is None:
                return
            tag, words, line = command
            self._script.commands.append("LOGIN" if words[0].upper() == "LOGIN" else line)
            if self._assault(tag, line):
                continue
            scripted = self._script.answer_to(line)
            if scripted is not None:
                if scripted:
                    self._say(scripted.replace("{tag}", tag))
                if not scripted or scripted.startswith("* BYE"):
                    self.cut()
                continue
            self._answer(tag, words)

    def _assault(self, tag: str, line: str) -> bool:
        """Whether the script wants something else than an answer; sent when this returns."""
        assault = self._script.assault_on(line)
        for piece in assault(tag) if assault is not None else ():
            self._writer.write(piece)
        return assault is not None

    def _command(self) -> tuple[str, list[str], str] | None:
        line, literals = b"", list[bytes]()
        while True:
            part = self._reader.readline()
            if not part.endswith(b"\n"):
                return None
            line += part.rstrip(b"\r\n")
            match = re.search(rb"\{(\d+)(\+?)\}$", line)
            if match is None:
                break
            if not match[2]:
                self._say("+ go on")
            literals.append(self._reader.read(int(match[1])))
            line = line[: match.start()] + b"\x00%d" % (len(literals) - 1)
        text = line.decode("latin-1")
        tag, _, rest = text.partition(" ")
        return tag, list(_words(rest.encode("latin-1"), literals)), rest

    def _say(self, *lines: str | bytes) -> None:
        encoded = (line.encode("latin-1") if isinstance(line, str) else line for line in lines)
        self._writer.write(b"".join(self._script.rewrite(line + b"\r\n") for line in encoded))
        self._writer.flush()

    def _answer(self, tag: str, words: list[str]) -> None:
        name, arguments = words[0].upper(), words[1:]
        uid = name == "UID"
        if uid:
            name, arguments = arguments[0].upper(), arguments[1:]
        handler: Callable[[str, list[str]], str] | None = getattr(self, f"_do_{name.lower()}", None)
        needed = _NEEDS.get(("UID " if uid else "") + name)
        try:
            if handler is None or (needed and not self._script.has(needed)):
                raise Refused("BAD", f"unknown command {name}")
            if uid is False and name in ("FETCH", "STORE", "COPY", "SEARCH", "MOVE"):
                raise Refused("BAD", "this server speaks UIDs only")
            if not self._logged_in and name not in _BEFORE_LOGIN:
                raise Refused("BAD", "log in first")
            with self._store.changed:
                if name == "IDLE":
                    done = "OK idled"
                else:
                    done = handler("UID" if uid else "", arguments)
                    if name not in ("FETCH", "STORE", "SEARCH"):
                        self._tell()
            if name == "IDLE":
                self._idle()
        except Refused as refusal:
            done = refusal.line
        self._say(f"{tag} {done}")
        if name == "LOGOUT":
            self.cut()

    def _tell(self) -> None:
        """Untagged news of the open folder."""
        if self._box is None:
            return
        if self._store.boxes.get(self._name) is not self._box:
            self._say("* BYE the folder was replaced")
            self.cut()
            return
        for position in range(len(self._told) - 1, -1, -1):
            if self._told[position] not in self._box.messages:
                self._say(f"* {position + 1} EXPUNGE")
                del self._told[position]
        if list(self._box.messages) != self._told:
            self._told = list(self._box.messages)
            self._say(f"* {len(self._told)} EXISTS")
        for position, uid in enumerate(self._told):
            flags = frozenset(self._box.messages[uid].flags)
            if self._told_flags.setdefault(uid, flags) != flags:
                self._told_flags[uid] = flags
                self._say(f"* {position + 1} FETCH (UID {uid} FLAGS ({' '.join(sorted(flags))}))")

    def _idle(self) -> None:
        self._say("+ idling")
        version = -1
        while self._open:
            ready, _, _ = select.select([self._socket], [], [], 0.01)
            if ready:
                line = self._reader.readline()
                if not line or line.strip().upper() == b"DONE":
                    return
            with self._store.changed:
                if self._store.version != version and not self._script.deaf_idle:
                    version = self._store.version
                    self._tell()

    def _do_idle(self, _: str, arguments: list[str]) -> str:
        return "OK done"

    def _do_capability(self, _: str, arguments: list[str]) -> str:
        self._say(f"* CAPABILITY {' '.join(self._script.announced(self._logged_in))}")
        return "OK done"

    def _do_noop(self, _: str, arguments: list[str]) -> str:
        return "OK done"

    def _do_id(self, _: str, arguments: list[str]) -> str:
        self._say('* ID ("name" "scripted")')
        return "OK done"

    def _do_logout(self, _: str, arguments: list[str]) -> str:
        self._say("* BYE bye")
        return "OK done"

    def _do_login(self, _: str, arguments: list[str]) -> str:
        return self._let_in(arguments[1] == self._script.password)

    def _do_authenticate(self, _: str, arguments: list[str]) -> str:
        mechanism = arguments[0].upper()
        if f"AUTH={mechanism}" not in self._script.capabilities:
            raise Refused("NO", "no such mechanism")
        if len(arguments) > 1:
            text = arguments[1].encode()
        else:
            self._say("+ ")
            text = self._reader.readline().strip()
        blob = base64.b64decode(text)
        good = self._script.takes_plain(blob) if mechanism == "PLAIN" else self._script.takes_token(blob)
        if not good and mechanism != "PLAIN":
            self._say("+ " + base64.b64encode(b'{"status":"401","schemes":"bearer"}').decode())
            self._reader.readline()
        return self._let_in(good)

    def _let_in(self, good: bool) -> str:
        self._script.logins += 1
        if not good:
            raise Refused("NO", "[AUTHENTICATIONFAILED] Invalid credentials")
        self._logged_in = True
        return "OK logged in"

    def _do_list(self, _: str, arguments: list[str]) -> str:
        pattern = arguments[-1] if arguments[-1:] else "*"
        for name, box in self._store.boxes.items():
            shape = "^" + re.escape(pattern).replace(r"\*", "(?s:.*)").replace("%", "[^/]*") + "$"
            if re.match(shape, name):
                role = f" \\{box.role}" if box.role and self._script.has("SPECIAL-USE") else ""
                self._say(f'* LIST (\\HasNoChildren{role}) "/" {quoted(name)}')
        return "OK done"

    def _do_status(self, _: str, arguments: list[str]) -> str:
        box = self._named(arguments[0])
        facts = {
            "MESSAGES": len(box.messages),
            "UIDNEXT": box.uidnext,
            "UIDVALIDITY": box.uidvalidity,
            "UNSEEN": sum("\\Seen" not in message.flags for message in box.messages.values()),
            "RECENT": 0,
        }
        if self._script.has("CONDSTORE"):
            facts["HIGHESTMODSEQ"] = max(self._store.version, 1)
        wanted = [word.upper() for word in arguments[1:]]
        if unknown := set(wanted) - set(facts):
            raise Refused("BAD", f"unknown {unknown}")
        told = " ".join(f"{word} {facts[word]}" for word in wanted)
        self._say(f"* STATUS {quoted(arguments[0])} ({told})")
        return "OK done"

    def _named(self, name: str) -> Box:
        found = self._store.boxes.get("INBOX" if name.upper() == "INBOX" else name)
        if found is None:
            raise Refused("NO", "[TRYCREATE] there is no such folder")
        return found

    def _do_select(self, _: str, arguments: list[str]) -> str:
        counting = self._script.has("CONDSTORE")
        if arguments[1:] not in ([], ["CONDSTORE"] if counting else []):
            raise Refused("BAD", "SELECT takes one argument")
        box = self._named(arguments[0])
        self._box, self._name = box, "INBOX" if arguments[0].upper() == "INBOX" else arguments[0]
        self._told = list(box.messages)
        self._told_flags = {uid: frozenset(message.flags) for uid, message in box.messages.items()}
        self._say(
            f"* {len(box.messages)} EXISTS",
            "* 0 RECENT",
            "* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)",
            "* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)] fixed",
            f"* OK [UIDVALIDITY {box.uidvalidity}] valid",
            f"* OK [UIDNEXT {box.uidnext}] next",
            *([f"* OK [HIGHESTMODSEQ {max(self._store.version, 1)}] counted"] if counting else []),
        )
        return "OK [READ-WRITE] open"

    def _do_examine(self, kind: str, arguments: list[str]) -> str:
        return self._do_select(kind, arguments).replace("READ-WRITE", "READ-ONLY")

    def _do_close(self, kind: str, arguments: list[str]) -> str:
        self._do_expunge(kind, [])
        self._box = None
        return "OK done"

    def _do_unselect(self, _: str, arguments: list[str]) -> str:
        self._box = None
        return "OK done"

    def _do_create(self, _: str, arguments: list[str]) -> str:
        if arguments[0] in self._store.boxes:
            raise Refused("NO", "[ALREADYEXISTS] it exists")
        if self._store.refuses(arguments[0]):
            raise Refused("NO", "[CANNOT] that name is not allowed")
        self._store.create(arguments[0])
        return "OK done"

    def _do_delete(self, _: str, arguments: list[str]) -> str:
        self._named(arguments[0])
        del self._store.boxes[arguments[0]]
        return "OK done"

    def _do_rename(self, _: str, arguments: list[str]) -> str:
        self._store.boxes[arguments[1]] = self._named(arguments[0])
        del self._store.boxes[arguments[0]]
        return "OK done"

    def _do_subscribe(self, _: str, arguments: list[str]) -> str:
        return "OK done"

    def _do_append(self, _: str, arguments: list[str]) -> str:
        box = self._named(arguments[0])
        flags = [word for word in arguments[1:-1] if word.startswith(("\\", "$"))]
        name = "INBOX" if arguments[0].upper() == "INBOX" else arguments[0]
        uid = self._store.append(self._store.make(arguments[-1].encode("latin-1"), flags), name)
        return f"OK [APPENDUID {box.uidvalidity} {uid}] kept" if self._script.has("UIDPLUS") else "OK kept"

    def _opened(self) -> Box:
        if self._box is None:
            raise Refused("BAD", "no folder is open")
        return self._box

    def _uids(self, text: str) -> list[int]:
        box = self._opened()
        highest = max(box.messages, default=0)
        wanted = set[int]()
        for part in text.split(","):
            ends = [highest if end == "*" else int(end) for end in part.split(":")]
            wanted.update(uid for uid in box.messages if min(ends) <= uid <= max(ends))
        return sorted(wanted)

    def _do_fetch(self, _: str, arguments: list[str]) -> str:
        box, since = self._opened(), 0
        if "CHANGEDSINCE" in arguments and self._script.has("CONDSTORE"):
            since = int(arguments.pop())
            arguments.remove("CHANGEDSINCE")
        if unknown := [word for word in arguments if self._lacks(word)]:
            raise Refused("BAD", f"unknown item {unknown[0]}")
        for uid in self._uids(arguments[0]):
            if uid not in self._told or box.messages[uid].modseq <= since:
                continue
            try:
                answer = fetched(box.messages[uid], uid, arguments[1:])
            except ValueError as unknown:
                raise Refused("BAD", f"unknown item {unknown}") from None
            self._say(f"* {self._told.index(uid) + 1} FETCH ".encode() + answer)
        return "OK done"

    def _lacks(self, item: str) -> bool:
        needed = "X-GM-EXT-1" if item.startswith("X-GM-") else _ITEMS.get(item)
        return needed is not None and not self._script.has(needed)

    def _do_search(self, _: str, arguments: list[str]) -> str:
        """Only UID sets are obeyed; every other key matches all, which a client has to bear."""
        box = self._opened()
        found = list(box.messages)
        upper = [word.upper() for word in arguments]
        if "UID" in upper:
            found = self._uids(arguments[upper.index("UID") + 1])
        if "DELETED" in upper:
            found = [uid for uid in found if "\\Deleted" in box.messages[uid].flags]
        self._say("* SEARCH" + "".join(f" {uid}" for uid in found))
        return "OK done"

    def _do_store(self, _: str, arguments: list[str]) -> str:
        box = self._opened()
        what, words = arguments[1].upper(), set(arguments[2:])
        for uid in self._uids(arguments[0]):
            kept = box.messages[uid]
            target = kept.labels if "X-GM-LABELS" in what else kept.flags
            changed = {"+": target | words, "-": target - words}.get(what[0], words)
            target.clear()
            target.update(changed)
            self._store.note(kept)
            self._told_flags[uid] = frozenset(kept.flags)
            if not what.endswith(".SILENT"):
                self._say(f"* {self._told.index(uid) + 1} FETCH (UID {uid} FLAGS ({' '.join(kept.flags)}))")
        return "OK done"

    def _do_copy(self, _: str, arguments: list[str]) -> str:
        self._named(arguments[1])
        self._store.copy(self._uids(arguments[0]), self._name, arguments[1])
        return "OK done"

    def _do_move(self, _: str, arguments: list[str]) -> str:
        self._named(arguments[1])
        self._store.move(self._uids(arguments[0]), self._name, arguments[1])
        return "OK done"

    def _do_expunge(self, kind: str, arguments: list[str]) -> str:
        box = self._opened()
        among = self._uids(arguments[0]) if kind == "UID" else list(box.messages)
        self._store.expunge([uid for uid in among if "\\Deleted" in box.messages[uid].flags], self._name)
        return "OK done"


_BEFORE_LOGIN = ("CAPABILITY", "NOOP", "LOGOUT", "LOGIN", "AUTHENTICATE", "ID")

_NEEDS = {
    "IDLE": "IDLE",
    "ID": "ID",
    "UNSELECT": "UNSELECT",
    "UID MOVE": "MOVE",
    "MOVE": "MOVE",
    "UID EXPUNGE": "UIDPLUS",
}
"""Commands of extensions, and the capability that announces them."""

_ITEMS = {"EMAILID": "OBJECTID", "THREADID": "OBJECTID", "MODSEQ": "CONDSTORE"}
"""What FETCH can be asked for by extensions; Gmail's are known by their names."""


def _words(line: bytes, literals: Sequence[bytes]) -> Iterator[str]:
    """Arguments, lists flattened; a literal stands for itself."""
    for match in _TOKEN.finditer(line):
        if match.group() in (b"(", b")"):
            continue
        if match[1] is not None:
            yield re.sub(rb"\\(.)", rb"\1", match[1]).decode("latin-1")
        elif match.group().startswith(b"\x00"):
            yield literals[int(match.group()[1:])].decode("latin-1")
        else:
            yield match.group().decode("latin-1")
