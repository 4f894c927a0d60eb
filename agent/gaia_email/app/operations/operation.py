"""One operation of the product, the same for every interface.

`@operation(...)` on a use case registers it, and interfaces derive what they offer. Entries: `operation`,
`Operation`, `OperationCall`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, get_args, get_type_hints

import msgspec

from gaia_email.document import COMMAND_DOCUMENTS, Document, answer_of
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import OriginInterface, RequestOrigin

if TYPE_CHECKING:
    from types import ModuleType

    from gaia_email.app import App
    from gaia_email.app.documents.layouts.layout import CardLayout
    from gaia_email.app.operations.offers import AgentTool, Command
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.document import NamedSchemas, Schema
    from gaia_email.policy.gate import Prompt

Input = TypeVar("Input", bound="OperationInput")

OperationRisk = Literal["read", "draft", "restrain", "person"]
"""The possible effect of a call, which decides who may make it.

`read` and `draft` change nothing of the user's; `restrain` only ever lets the agent do less; `person` needs
the user's own approval, given through a channel that no model reads or writes.
"""

OperationMailbox = Literal["none", "one", "all"]
"""The mailboxes of an operation: none, one, or every connected one unless one is named."""


class OperationInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the inputs of operations. Field names and their limits are a public format."""


class NoInput(OperationInput, frozen=True, kw_only=True):
    """For an operation that needs to be told nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCall(Generic[Input]):
    """One call of an operation.

    Attributes:
        asked: The input.
        origin: The requester and the interface it came through.
        by_person: True if the user made it, through a channel that no model writes.
        sources: The mailboxes to work on; empty if the operation needs none.
        session_id: The conversation it belongs to; empty for none.
        prompt: Asks the user before an effect that always needs their approval; None to leave the question open in the
            Agent Inbox.
        confirm: Receives the document of a change before it is saved, and returns True if the user approves exactly
            that. None if `by_person` implies it.
        tell: Receives sentences for a waiting user.
        progress: Receives `(done, total)` in messages; the total is below 0 while unknown.
    """

    asked: Input
    origin: RequestOrigin
    by_person: bool = False
    sources: Sequence[SourceSpec] = ()
    session_id: str = ""
    prompt: Prompt | None = None
    confirm: Callable[[Mapping[str, Any]], bool] | None = None
    tell: Callable[[str], None] = field(default=lambda said: None)
    progress: Callable[[int, int], None] = field(default=lambda done, total: None)

    @property
    def actor(self) -> OriginInterface:
        """The interface of the call, as named in the ledger."""
        return self.origin.interface

    @property
    def source(self) -> SourceSpec:
        """The mailbox to work on.

        Raises:
            BadArgument: The call has none, or several.
        """
        if len(self.sources) != 1:
            raise BadArgument("Name one account.", argument="account", hint="accounts lists them.")
        return self.sources[0]


@dataclass(frozen=True, kw_only=True)
class Operation(Generic[Input]):
    """An operation: its input, its document, who may call it, and the function that runs it.

    Attributes:
        name: The name for commands, tools and routes: lower case, words joined by `_`.
        run: Runs the use case in the calling thread and returns its answer as JSON.
        use_case: The decorated function itself.
        output: The type of the answer, or its path (`ledger.senders.TopSenders`), which is imported only when a
            schema is needed, or the name of the command that prints it; a pair if the answer is one or the other.
        risk: See `OperationRisk`.
        mailbox: See `OperationMailbox`.
        needs_person: For an operation that is harmless except with certain input: returns True if an input needs the
            user's approval.
        path: Method and path of its HTTP route; empty if other programs cannot call it. A name in braces is a field of
            the input.
        example: An input that works on the sample mailbox; `MESSAGE` stands for the id of a message there, `ITEM` for
            the id of a pending item.
        lists: The field of the input that takes the id of the path as its only element.
        rows: The field of the document that contains its rows or its only row, or several fields; empty if the document
            itself is the only row.
        columns: Fields of a row that a table shows.
        card: The layout of its document for people; None for a table of the columns.
        command: Its command, if derived from this.
        tools: Its tools for models.
        phrases: Lines of a conversation that call it with default input; only for an operation that reads.
    """

    name: str
    run: Callable[[App, OperationCall[Input]], Mapping[str, Any]]
    use_case: Callable[[App, OperationCall[Input]], Document | Mapping[str, Any]]
    output: object
    path: str = ""
    example: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lists: str = ""
    risk: OperationRisk = "read"
    mailbox: OperationMailbox = "none"
    needs_person: Callable[[Any], bool] = field(default=lambda asked: False)
    rows: str | Sequence[str] = ()
    columns: Sequence[str] = ()
    card: CardLayout | None = None
    command: Command | None = None
    tools: Sequence[AgentTool] = ()
    phrases: Sequence[str] = ()

    @cached_property
    def input(self) -> type[Input]:
        """The type of the input, from the use case's annotation."""
        # Only this annotation is resolved: the type of the answer may not be imported yet.
        hints = SimpleNamespace(__annotations__={"call": self.use_case.__annotations__["call"]})
        (kind,) = get_args(get_type_hints(hints, self.use_case.__globals__)["call"])
        found: type[Input] = kind
        return found

    def takes_person(self, asked: Input) -> bool:
        """Return True if a call with this input needs the user's own approval."""
        return self.risk == "person" or self.needs_person(asked)

    @property
    def summary(self) -> str:
        """A one-sentence description."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]

    @property
    def description(self) -> str:
        """The full description, without the errors it raises."""
        return (self.run.__doc__ or "").partition("Raises:")[0].strip()

    def rows_of(self, document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the rows of a document."""
        fields = [self.rows] if isinstance(self.rows, str) else self.rows
        found: list[Any] = [document[name] for name in fields] if fields else [document]
        return [row for one in found for row in _listed(one)]

    @cached_property
    def input_schema(self) -> Schema:
        """The JSON Schema (2020-12) of the input, without references."""
        return inline_references(msgspec.json.schema(self.input))

    def output_schema(self, named: NamedSchemas | None = None) -> Schema:
        """Return the JSON Schema (2020-12) of the document; its parts are added to `named`, or inlined without it."""
        from gaia_email.app.documents.schemas import document_type, type_at
        from gaia_email.document import answer_schema

        def schema(kind: object) -> Schema:
            if isinstance(kind, str):
                kind = type_at(kind) if "." in kind else document_type(kind)
            return answer_schema(kind, named)

        match self.output:
            case (str(one), str(other)):
                return {"anyOf": [schema(one), schema(other)]}
            case kind:
                return schema(kind)

    def read(self, value: object, *, words: bool = False) -> Input:
        """Convert a JSON object to the input; with `words`, all its values may be strings, as in a query string.

        Raises:
            BadArgument: It is invalid; `argument` is the JSON Pointer (RFC 6901) of the place.
        """
        return convert_json(value, self.input, strict=not words)


def _listed(rows: Any) -> Sequence[Mapping[str, Any]]:
    return cast("Sequence[Mapping[str, Any]]", rows if isinstance(rows, list) else [rows])


_REGISTERED: dict[str, Operation[Any]] = {}


def operation(
    *,
    path: str = "",
    output: object = None,
    example: Mapping[str, Any] | None = None,
    lists: str = "",
    name: str = "",
    risk: OperationRisk = "read",
    mailbox: OperationMailbox = "none",
    needs_person: Callable[[Any], bool] = lambda asked: False,
    rows: str | Sequence[str] = (),
    columns: Sequence[str] = (),
    card: CardLayout | None = None,
    cli: Command | None = None,
    tools: Sequence[AgentTool] = (),
    chat: Sequence[str] = (),
) -> Callable[[Callable[[App, OperationCall[Input]], Document | Mapping[str, Any]]], Operation[Input]]:
    """Register the decorated function as the operation with its name.

    The arguments are as for `Operation`; without `output`, the document's type is the function's return type.
    """

    def register(
        use_case: Callable[[App, OperationCall[Input]], Document | Mapping[str, Any]],
    ) -> Operation[Input]:
        @wraps(use_case)
        def run(app: App, call: OperationCall[Input]) -> Mapping[str, Any]:
            return answer_of(use_case(app, call))

        found = Operation[Input](
            name=name or use_case.__name__,
            run=run,
            use_case=use_case,
            output=get_type_hints(use_case)["return"] if output is None else output,
            path=path,
            example=example or {},
            lists=lists,
            risk=risk,
            mailbox=mailbox,
            needs_person=needs_person,
            rows=rows,
            columns=columns,
            card=card,
            command=cli,
            tools=tools,
            phrases=chat,
        )
        if chat and risk != "read":
            raise ValueError(f"{found.name!r} does more than read, so no line of a conversation asks for it")
        if found.name in _REGISTERED:
            raise ValueError(f"two operations are named {found.name!r}")
        _REGISTERED[found.name] = found
        is_place = output is None or (isinstance(output, str) and "." in output)
        if cli is not None and not cli.in_group and is_place:
            COMMAND_DOCUMENTS[cli.name] = found.output
        return found

    return register


def collect_operations(modules: Sequence[ModuleType]) -> dict[str, Operation[Any]]:
    """Return the operations of these modules by name, in the order of the modules and of their definition."""
    names = [module.__name__ for module in modules]
    found = [one for one in _REGISTERED.values() if one.run.__module__ in names]
    return {one.name: one for one in sorted(found, key=lambda one: names.index(one.run.__module__))}


Fitted = TypeVar("Fitted")


def convert_json(value: object, kind: type[Fitted], *, strict: bool = True) -> Fitted:
    """Convert a JSON value to a type; without `strict`, strings are accepted for numbers and booleans.

    Raises:
        BadArgument: It is invalid; `argument` is the JSON Pointer (RFC 6901) of the place.
    """
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise _misfit(str(error)) from None


def _misfit(said: str) -> BadArgument:
    """Convert msgspec's message (`Expected …` - at `$.a[0].b`) to a sentence and a JSON Pointer."""
    what, _, at = said.partition(" - at `$")
    steps = at.rstrip("`").replace("[", ".").replace("]", "").split(".")
    pointer = "".join(f"/{step}" for step in steps if step)
    where = pointer[1:].replace("/", ".")
    return BadArgument(f"{where}: {what}." if where else f"{what}.", argument=pointer)


def inline_references(schema: Mapping[str, Any]) -> Schema:
    """Return a schema with all references replaced by their definitions; none may refer to itself."""
    defined: Mapping[str, Any] = schema.get("$defs", {})

    def whole(part: Any) -> Any:
        if isinstance(part, list):
            parts = cast(Sequence[Any], part)
            return [whole(one) for one in parts]
        if not isinstance(part, dict):
            return part
        known = cast(dict[str, Any], part)
        if isinstance(name := known.get("$ref"), str):
            return whole(defined[name.rpartition("/")[2]])
        return {key: whole(one) for key, one in known.items() if key != "$defs"}

    found: Schema = whole(schema)
    return found
