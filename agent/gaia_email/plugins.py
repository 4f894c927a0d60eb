"""Optional systems beside the core, each a folder of its own. Entries: `Plugin`, `installed_plugins`.

A plug-in is an object of the entry-point group `gaia_email.plugins`. The core asks every installed plug-in for its
part and never names one. A reference has the form `module:name` and is imported only when its part is needed, so that
listing the commands imports no plug-in's code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from gaia_email_registry.errors import ProviderError

ENTRY_POINTS = "gaia_email.plugins"


class PluginCommand(NamedTuple):
    """A handwritten command of a plug-in.

    Attributes:
        name: Its name below `gaia email`.
        heading: Its heading in `gaia email --help`.
        after: The command before it, if it is there; otherwise the command is the last one below its heading.
        place: Reference to the click command.
        line: Its line in the help.
    """

    name: str
    heading: str
    after: str
    place: str
    line: str


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """An optional system and the parts that it adds to the core.

    Attributes:
        name: Its name, as in its entry point and its folder.
        package: The package with its code; `derived_commands.tsv` there lists the commands derived from its operations.
        operations: Modules that register operations, in the order in which they are listed.
        commands: Handwritten commands.
        documents: Place of the document type, or of its JSON Schema, by command (`schemas.py`).
        schemas: Reference to a callable that returns a published JSON Schema, by the schema's name.
        run_kinds: Reference to a sequence of `JobKind`s.
        activities: Reference to the `PluginActivities` of runs that only its own tables record.
        channels: Reference to the `PluginChannels` through which it posts.
        on_answers: Reference to a callable `(Ledger) -> None` that resumes what waited for answers in the Agent Inbox.
        tables: Reference to the `PluginTables` of its rows in the ledger.
        http: Reference to a callable `HttpHost -> HttpPart`, its part of the HTTP interface.
        openapi: Reference to a callable that returns the OpenAPI descriptions of that part: path → method →
            description. It may store schemas in `contract_parts.NAMED`.
        contract: Reference to an `HttpContract`, which the server speaks beside its own.
        upkeep: Reference to a function of an `App` that long-running programs call once a day.
        purge_files: Reference to a function of an `App` that deletes the plug-in's files when all is purged.
        worker: Reference to a context manager within which the worker executes runs. It is called with the environment
            and a function that tells the user a sentence.
        integrations: Reference to a function of an `App` that returns the plug-in's `Integration`s.
        pages: Reference to a `PagePart` (`interfaces/web/plugged.py`).
        keys: Reference to a sequence of `KeyBinding`s of pages.
        chat: Reference to a `PluginChat` (`interfaces/chat/plugged.py`).
        mcp_tools: Reference to a function that adds tools to a server (`FastMCP`) of a `ServedMailbox`.
    """

    name: str
    package: str
    operations: Sequence[str] = ()
    commands: Sequence[PluginCommand] = ()
    documents: Mapping[str, str] = field(default_factory=dict[str, str])
    schemas: Mapping[str, str] = field(default_factory=dict[str, str])
    run_kinds: str = ""
    activities: str = ""
    channels: str = ""
    on_answers: str = ""
    tables: str = ""
    http: str = ""
    openapi: str = ""
    contract: str = ""
    upkeep: str = ""
    purge_files: str = ""
    worker: str = ""
    integrations: str = ""
    pages: str = ""
    keys: str = ""
    chat: str = ""
    mcp_tools: str = ""


@cache
def installed_plugins() -> tuple[Plugin, ...]:
    """Return the installed plug-ins, by name.

    Raises:
        ProviderError: A plug-in cannot be loaded.
    """
    from importlib.metadata import entry_points

    entries = sorted(entry_points(group=ENTRY_POINTS), key=lambda one: one.name)
    return tuple({entry.name: plugin for entry in entries if (plugin := _load(entry))}.values())


def _load(entry: EntryPoint) -> Plugin | None:
    """Return the plug-in of an entry point; None if its folder was deleted after the installation."""
    try:
        found = entry.load()
    except Exception as error:  # a plug-in may be anybody's code
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing in (entry.module, entry.module.partition(".")[0]):
            return None
        raise _broken(entry, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, Plugin):
        raise _broken(entry, f"{entry.value} is no Plugin")
    return found


def _broken(entry: EntryPoint, reason: str) -> ProviderError:
    from gaia_email_registry.errors import ProviderError

    distribution = entry.dist.name if entry.dist else entry.module
    return ProviderError(
        f"The plug-in {entry.name!r} cannot be loaded: {reason}.",
        hint=f"update it, or remove it: pip uninstall {distribution}",
    )


def load_parts(part: str) -> list[Any]:
    """Import and return one part of every installed plug-in that has it; `part` is an attribute of `Plugin`."""
    places = [getattr(plugin, part) for plugin in installed_plugins()]
    return [resolve_name(place) for place in places if place]
