"""Ask one model a question, answered by a JSON schema: `ModelClient`. Only this module imports the OpenAI library.

Mail reaches a model only through `ModelClient.ask`, which first has the server prove that the model runs on this
machine (`servers.prove`) or checks that the user trusts it by name, and then sends through the guard's transport.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import httpx2

from gaia_email.models.choice import ModelChoice
from gaia_email.models.guard import LocalTransport
from gaia_email.models.refused import GuardRefused
from gaia_email.models.reply_stream import (
    MOST_CHARS,
    BrokenReply,
    EndlessReply,
    ReportedError,
    ServerReply,
    read_reply,
)
from gaia_email.models.reply_text import answer_in, without_thoughts
from gaia_email.models.servers import ModelServer, prove
from gaia_email.models.wire_values import count_of, object_of, text_of
from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

Form = Literal["json_schema", "json_object", "tools", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
"""Forms of asking for a structured answer, best first; after a refusal the next one is used from then on."""

CALL_FORMS: tuple[Form, ...] = ("json_schema", "tools", "text")
"""The forms for a question that may be answered by calling a tool (`ModelQuestion.tools`)."""

CALL_S = 60.0
"""A call's deadline in seconds; a large model may take 15 s to load before it answers."""

TextListener = Callable[[str], None]

_CHECK = "See what its server says of {0}, or choose another model with gaia email models use."
_IN_ONE_PIECE = (
    "The server of {0} answered in one piece and not in a stream; the answer was used. An update may help."
)
_AMONG_THOUGHTS = (
    "{0} wrote its answer among its thoughts; it was used. To be sure of it, switch thinking off for {0} in its "
    "server."
)
_ONLY_THOUGHTS = (
    "{0} wrote thoughts and no answer. Switch thinking off for {0} in its server, or choose another model with "
    "gaia email models use."
)
_EMPTY = f"The server of {{0}} sent an empty answer. {_CHECK}"
_NO_JSON = f"{{0}} answered, but not with the JSON that was asked for. {_CHECK}"
_FAILED = f"The server of {{0}} reported an error in place of an answer. {_CHECK}"
_UNREADABLE = f"The server of {{0}} sent something that is not an answer of a model. {_CHECK}"
_ENDLESS = f"The answer of {{0}} had no end. {_CHECK}"

_WAIT_S = 0.2
_THOUGHTS_SWITCHED_BY_TEMPLATE = ("llama.cpp", "lemonade")


class QuestionTooLarge(ProviderError):
    """The question does not fit into the model's context of `context` tokens (None if unknown)."""

    def __init__(self, context: int | None) -> None:
        super().__init__("A question did not fit into the model's context.")
        self.context = context


class Unanswered(ProviderError):
    """There was no complete answer: the server broke off, refused, or took too long."""


class UnusableReply(Unanswered):
    """The server answered, but not with an answer of the requested kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """The prompts for a model, and the schema of its answer; an empty one asks for free text.

    Attributes:
        tools: Tools that the answer may call, in the format of a chat completion; `schema` then describes one call or
            an answer, and `system` describes the same in words.
    """

    system: str
    user: str
    name: str
    schema: Mapping[str, Any]
    most_tokens: int
    tools: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRecording:
    """A recording of speech; `kind` is its media subtype."""

    data: bytes
    kind: Literal["wav", "webm", "ogg", "mp4"]


def _unheard(said: str) -> None:
    """Ignore partial text; the default if only the complete answer is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A model's answer and its cost; tokens are estimated from characters if the server counts none.

    Attributes:
        oddity: A fault of the server, as a sentence with the next step; `""` if none.
        is_usable: False if there is no answer of the requested kind; `oddity` then has the reason.
    """

    text: str
    oddity: str = ""
    is_usable: bool = True
    tokens_in: int
    tokens_out: int
    seconds: float
    sent: int

    def answer(self) -> str:
        """Return the text.

        Raises:
            UnusableReply: It is not an answer.
        """
        if not self.is_usable:
            raise UnusableReply(self.oddity)
        return self.text


class ModelClient:
    """Asks one model of one server; a context manager.

    Attributes:
        server: The server.
        model: The model's name.
        form: The form for a structured answer, as far as known.
        call_form: The form for a tool call, as far as known.
        call_s: The deadline of the next call, in seconds.
    """

    def __init__(
        self,
        server: ModelServer,
        model: str,
        chosen: ModelChoice,
        *,
        form: Form = "json_schema",
        call_s: float = CALL_S,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.server, self.model = server, model
        self.form: Form = form
        self.call_form: Form = CALL_FORMS[0]
        self._trusted = chosen.trusts(server.address.place, model)
        self.call_s, self._clock = call_s, clock
        self._transport = LocalTransport(server.address)
        self._openai: AsyncOpenAI | None = None
        self._template_switch = server.kind in _THOUGHTS_SWITCHED_BY_TEMPLATE

    @property
    def sent(self) -> int:
        """Bytes sent to the server so far, including those of calls without an answer."""
        return self._transport.sent

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._openai is not None:
            await self._openai.close()
        await self._transport.aclose()

    async def ask(self, question: ModelQuestion, *, heard: TextListener = _unheard) -> ModelReply:
        """Make one call, and repeat it once if the connection broke or the server failed.

        Args:
            question: The question.
            heard: Receives the whole text so far each time more arrives; restarts with a second call.

        Raises:
            GuardRefused: The model is not known to run on this machine and is not trusted; nothing was sent.
            QuestionTooLarge: The question does not fit into its context.
            Unanswered: There was no complete answer.
        """
        await self._check()
        started, before = self._clock(), self._transport.sent
        try:
            async with asyncio.timeout(self.call_s):
                reply = await self._tried(question, heard)
        except TimeoutError:
            raise Unanswered(f"{self.model} did not answer within {self.call_s:.0f} s.") from None
        text, oddity, is_usable = self._answer(question, reply)
        said = reply.text + reply.thoughts + ("" if reply.text else text)
        tokens_in, tokens_out = reply.usage or (_tokens(question.system + question.user), _tokens(said))
        return ModelReply(
            text=text,
            oddity=oddity,
            is_usable=is_usable,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            seconds=self._clock() - started,
            sent=self._transport.sent - before,
        )

    def _answer(self, question: ModelQuestion, reply: ServerReply) -> tuple[str, str, bool]:
        """Return the answer's text, the fault of the reply, and whether there is an answer."""
        if reply.failure:
            return "", reply.failure.format(self.model), False
        oddity = _IN_ONE_PIECE.format(self.model) if reply.in_one_piece else ""
        if reply.calls:
            return "".join(call.text() for call in reply.calls), oddity, True
        nothing = (_ONLY_THOUGHTS if reply.text.strip() or reply.thoughts.strip() else _EMPTY).format(
            self.model
        )
        if question.tools or "properties" not in question.schema:
            # A call counts only if there is nothing else, which its reader checks.
            said = without_thoughts(reply.text) or (reply.text if question.tools else "")
            is_step = bool(question.tools) and not reply.thoughts.strip()  # a model may have nothing to add
            return (said, oddity, True) if said or reply.cut or is_step else ("", nothing, False)
        found = answer_in(reply.text, reply.thoughts, question.schema)
        if found.text:
            return found.text, _AMONG_THOUGHTS.format(self.model) if found.among_thoughts else oddity, True
        if not found.has_thoughts and reply.cut:
            return "", oddity, True  # the same question would be answered the same way
        if found.has_thoughts or not reply.text.strip():
            return "", nothing, False
        return reply.text, _NO_JSON.format(self.model), False

    async def transcribe(self, recording: SpeechRecording) -> str:
        """Transcribe a recording.

        Raises:
            GuardRefused: The model is not known to run on this machine and is not trusted; nothing was sent.
            Unanswered: There was no complete answer.
        """
        import openai

        await self._check()
        try:
            async with asyncio.timeout(self.call_s):
                answer = await self._client().audio.transcriptions.create(
                    model=self.model,
                    file=(f"speech.{recording.kind}", recording.data, f"audio/{recording.kind}"),
                    response_format="json",
                )
        except TimeoutError:
            raise Unanswered(f"{self.model} did not answer within {self.call_s:.0f} s.") from None
        except openai.APIStatusError as error:
            raise Unanswered(f"The model server refused the recording ({error.status_code}).") from None
        except (openai.APIError, httpx2.HTTPError) as error:
            if isinstance(error.__cause__, GuardRefused):
                raise error.__cause__ from None
            raise Unanswered("The connection to the model server broke.") from None
        return text_of(getattr(answer, "text", None))[:MOST_CHARS]

    async def _check(self) -> None:
        if self._trusted:
            return
        proved = await prove(self.server, self.model)
        if proved.where != "here":
            raise GuardRefused(
                f"{self.model} is not shown mail: {proved.why}.",
                hint=f"gaia email models trust {self.model} if you know that it may read your mail",
            )

    async def _tried(self, question: ModelQuestion, heard: TextListener) -> ServerReply:
        import openai

        attempts, again = 0, True
        while True:
            try:
                reply = await self._streamed(question, heard)
                if attempts or not reply.failure:
                    return reply
            except openai.APIStatusError as error:
                status = error.status_code
                if status in (400, 413, 422):
                    self._learn(error, question)
                    continue
                if status >= 500 and question.tools and self.call_form == "tools":
                    self._learn(error, question)  # llama.cpp without --jinja
                    continue
                if attempts or not (status == 429 or status >= 500):
                    raise Unanswered(f"The model server refused the question ({status}).") from None
            except (openai.APIConnectionError, openai.APIError, httpx2.HTTPError) as error:
                refused = error.__cause__
                if isinstance(refused, GuardRefused):
                    raise refused from None
                again = attempts == 0
                if not again:
                    raise Unanswered("The connection to the model server broke.") from None
            attempts += 1
            await asyncio.sleep(_WAIT_S)

    def _learn(self, error: APIStatusError, question: ModelQuestion) -> None:
        """Learn from a refusal what the server does not support; the question is then sent in another form.

        Raises:
            QuestionTooLarge: The question was too long.
            Unanswered: There is no other form.
        """
        said = error.response.text[:4_000].lower()
        if _is_about_length(said):
            raise QuestionTooLarge(_context_named(error.body)) from None
        if self._template_switch and "chat_template" in said:
            self._template_switch = False
            return
        forms = CALL_FORMS if question.tools else FORMS
        place = forms.index(self._form_of(question)) + 1
        if place == len(forms):
            raise Unanswered(f"The model server refused the question ({error.status_code}).") from None
        if question.tools:
            self.call_form = forms[place]
        else:
            self.form = forms[place]

    def _form_of(self, question: ModelQuestion) -> Form:
        return self.call_form if question.tools else self.form

    async def _streamed(self, question: ModelQuestion, heard: TextListener) -> ServerReply:
        extra: dict[str, Any] = {}
        if self._template_switch:
            extra["chat_template_kwargs"] = {"enable_thinking": False}
        form = self._form_of(question)
        wanted = _response_format(form, question)
        if form == "tools":
            extra |= {"tools": [dict(tool) for tool in question.tools], "tool_choice": "auto"}
        asked: Any = self._client().chat.completions.with_streaming_response.create(
            model=self.model,
            messages=[
                {"role": "system", "content": _system_prompt(form, question)},
                {"role": "user", "content": question.user},
            ],
            max_tokens=question.most_tokens,
            temperature=0,
            stream=True,
            stream_options={"include_usage": True},
            extra_body=extra | ({} if wanted is None else {"response_format": wanted}),
        )
        async with asked as response:
            try:
                return await read_reply(response.iter_bytes(), heard)
            except EndlessReply:
                raise UnusableReply(_ENDLESS.format(self.model)) from None
            except BrokenReply:
                return ServerReply(failure=_UNREADABLE)
            except ReportedError as error:
                said = str(error).lower()
                if _is_about_length(said):
                    raise QuestionTooLarge(None) from None
                return ServerReply(cut=True) if _is_about_output(said) else ServerReply(failure=_FAILED)

    def _client(self) -> AsyncOpenAI:
        if self._openai is None:
            from openai import AsyncOpenAI

            logging.getLogger("openai").setLevel(logging.WARNING)  # OPENAI_LOG would write mail to the log
            self._openai = AsyncOpenAI(
                api_key="none",
                organization="",
                project="",
                base_url=self.server.address.base_url,
                max_retries=0,
                timeout=self.call_s,
                http_client=httpx2.AsyncClient(
                    transport=self._transport, trust_env=False, follow_redirects=False
                ),
            )
        return self._openai


def _is_about_output(said: str) -> bool:
    """Return True if a server ended a stream because it could not parse its own model's output.

    llama.cpp does so for an answer that was cut off at its length ("output that does not match the expected … format").
    """
    return "output" in said and "match" in said


def _is_about_length(said: str) -> bool:
    return "context" in said and ("exceed" in said or "length" in said or "size" in said)


def _response_format(form: Form, question: ModelQuestion) -> dict[str, Any] | None:
    match form:
        case _ if not question.schema:
            return None
        case "json_schema":
            named = {"name": question.name, "strict": True, "schema": dict(question.schema)}
            return {"type": "json_schema", "json_schema": named}
        case "json_object":
            return {"type": "json_object", "schema": dict(question.schema)}
        case "tools" | "text":
            return None


def _system_prompt(form: Form, question: ModelQuestion) -> str:
    if form == "json_schema" or question.tools or not question.schema:
        return question.system
    schema = json.dumps(question.schema)
    return f"{question.system}\nAnswer with one JSON object of this schema and nothing else: {schema}"


def _context_named(body: object) -> int | None:
    """Return the context's length in a refusal (llama.cpp: `n_ctx`)."""
    told = object_of(body)
    return count_of(told.get("n_ctx")) or count_of(object_of(told.get("error")).get("n_ctx"))


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
