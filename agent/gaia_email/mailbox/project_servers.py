"""Start servers of a `mcp_servers.json` in the working directory only with the user's consent. Entry: `listed_server`.

Such a file comes with a folder, possibly from an untrusted source, and names programs to run. So the user is shown its
content and asked once: the ledger keeps its path and a digest, and a changed file requires consent again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gaia_email.ledger import open_ledger
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.paths import servers_file
from gaia_email_registry.servers import (
    InProcessServer,
    ServerSpec,
    find_server,
    read_servers,
    servers_in,
    text_of,
)

FILE = Path("mcp_servers.json")
DOCUMENT = "servers of projects"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """A project's file as read: its path, its text and its servers."""

    path: Path
    text: str
    servers: Mapping[str, ServerSpec]

    @property
    def digest(self) -> str:
        """Equal for equal content."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def is_agreed(self, environ: Mapping[str, str]) -> bool:
        """Return True if the user consented to this content at this path.

        Raises:
            MailError: The ledger cannot be read.
        """
        if not has_ledger(environ):
            return False
        with open_ledger(environ=environ, read_only=True) as ledger, ledger.read() as tx:
            known = ledger.documents.read(tx, DOCUMENT)
        return known is not None and known.value.get(str(self.path)) == self.digest

    def agree(self, environ: Mapping[str, str]) -> None:
        """Record the user's consent to this content; the interface must have asked before.

        Raises:
            MailError: The ledger cannot be written.
        """
        with open_ledger(environ=environ) as ledger, ledger.write() as tx:
            known = ledger.documents.read(tx, DOCUMENT)
            value = {**(known.value if known else {}), str(self.path): self.digest}
            ledger.documents.write(tx, DOCUMENT, value, known.version if known else 0)


def listed_server(name: str, environ: Mapping[str, str]) -> ServerSpec:
    """Return the server of that name: the user's, or else a project's with consent.

    Raises:
        NotFound: No such server is listed.
        NeedsApproval: It is switched off, or its project's file has no consent in its current form.
        BadArgument: A file cannot be read.
    """
    project = project_of(name, environ)
    if project is None:
        found = find_server(name, (servers_file(environ), FILE))
        if not isinstance(found, InProcessServer) and found.disabled:
            raise NeedsApproval(
                f"The MCP server {name[:60]} is switched off.",
                argument="server",
                hint='Integrations in the browser switches it on, or taking "disabled" out of mcp_servers.json.',
            )
        return found
    if not project.is_agreed(environ):
        raise NeedsApproval(
            f"Nothing of {project.path} was started: it came with this folder, and you have not agreed to it as it is.",
            hint="the same in a terminal shows what it would start, and asks once.",
        )
    return project.servers[name]


def project_of(name: str, environ: Mapping[str, str]) -> ProjectFile | None:
    """Return the file of the working directory if it lists this server and the user's own file does not.

    Raises:
        BadArgument: A file cannot be read.
    """
    own = servers_file(environ)
    if not FILE.exists() or (own.exists() and name in read_servers(own)):
        return None
    text = text_of(FILE)
    servers = servers_in(text, FILE)
    return ProjectFile(path=FILE.resolve(), text=text, servers=servers) if name in servers else None
