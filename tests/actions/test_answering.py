"""Answers from templates: only where policy allows it, marked as automatic, once, and never to a machine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import TemplateAnswer, prepare_answer
from gaia_email.actions.answering import send_answer
from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.reconcile import reconcile
from gaia_email.actions.triaging import RunReport, TriageRequest, plan_run, triage_and_apply
from gaia_email.actions.undo import chosen_actions, undo
from gaia_email.ledger import Selection
from gaia_email.policy.document import Policy
from gaia_email.policy.gate import PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_email.policy.templates import parse_template
from gaia_email.policy.user_rules import UserRules
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.mailbox import Capability
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.actions.account import ME, Bench, BySubject

T = TypeVar("T")

ARRIVED = parse_template(
    "arrived",
    "---\ncohorts: intra_org\n---\nHello {{requester_first_name}},\n"
    "{{greeting: thank you|many thanks}}, it has arrived.\n",
)
WITH_MODEL = parse_template(
    "a_model", "---\ncohorts: intra_org\n---\nHello. {{ack: max=20_words, grounding=thread}}\n"
)
POLICY = Policy().with_level("intra_org", 5)


class Asks(BySubject):
    """Everything is a colleague's question."""

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        verdict = super().judge(prepared, context)
        return replace(verdict, cohort="intra_org", needs_reply=True)


class Post:
    """A bench whose mail waits for answers, and what left it."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        bench.tier = Asks()
        self.left: list[Delivery] = []
        self.before: Callable[[], None] = lambda: None
        bench.box._deliver = self.deliver  # pyright: ignore[reportPrivateUsage]

    def deliver(self, delivery: Delivery) -> None:
        self.before()
        self.left.append(delivery)

    def put(
        self, sender: str = "Ann Lee <ann@example.org>", more: str = "", subject: str = "ask", to: str = ME
    ) -> str:
        number = len(self.bench.labels())
        date = self.bench.now.strftime("%a, %d %b %Y %H:%M:%S +0000")
        return self.bench.box.put(
            f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nDate: {date}\r\n"
            f"Message-ID: <{number}@example.org>\r\n{more}\r\nIs it there?\r\n".encode(),
            ["INBOX", "UNREAD"],
        )

    def triage(self, run_id: str = "r1", policy: Policy = POLICY) -> RunReport:
        return self.run(lambda session: triage_and_apply(session, self.wanted(run_id, policy)))

    def wanted(self, run_id: str, policy: Policy = POLICY) -> TriageRequest:
        return TriageRequest(tier=self.bench.tier, owner=(ME,), run_id=run_id, rules=UserRules(policy=policy))

    def run(self, scenario: Callable[[AccountSession], Awaitable[T]]) -> T:
        async def with_templates(session: AccountSession) -> T:
            session.templates = {"arrived": ARRIVED, "a_model": WITH_MODEL}
            return await scenario(session)

        return self.bench.run(with_templates)

    def answer(
        self, id_: str, name: str = "arrived", chosen: Mapping[str, str] | None = None
    ) -> AppliedActions:
        """By hand."""

        async def scenario(session: AccountSession) -> AppliedActions:
            summary: Summary = (await session.mail.read_emails([id_], format="summary"))["emails"][0]
            answer: TemplateAnswer = await prepare_answer(
                session, summary, session.templates[name], "intra_org", owner=(ME,), chosen=chosen
            )
            return await send_answer(session, answer, "intra_org")

        return self.run(scenario)

    @property
    def texts(self) -> list[str]:
        return [parse_message(left.raw).text for left in self.left]


@pytest.fixture
def post(bench: Bench) -> Post:
    return Post(bench)


def test_a_colleague_is_answered_by_itself_with_the_users_words_and_the_mark(post: Post) -> None:
    id_ = post.put()
    report = post.triage()
    (left,) = post.left
    sent = parse_message(left.raw)
    assert left.recipients == ("ann@example.org",)
    assert sent.headers["auto-submitted"] == "auto-replied"
    assert sent.headers["in-reply-to"] == "<0@example.org>"
    assert sent.text.startswith("Hello Ann,\nthank you, it has arrived.\n")
    assert not post.bench.person.asked
    (action,) = post.bench.actions("send")
    assert (action.state, action.message_id, action.reversal_payload) == ("applied", id_, None)
    assert (action.user_confirmed, action.autonomy_level, action.cohort) == (False, "L5", "intra_org")
    assert action.action_payload["template"] == "arrived"
    assert action in report.applied.done
    assert post.bench.verified()


def test_undo_names_the_answer_as_what_cannot_be_taken_back(post: Post) -> None:
    post.put()
    post.triage()

    async def scenario(session: AccountSession) -> list[str]:
        result = await undo(session, chosen_actions(session, Selection(run_id="r1")))
        return [kept.reason for kept in result.kept]

    (reason,) = post.run(scenario)
    assert "a mail that was sent cannot be called back" in reason


def test_a_message_and_a_sender_are_answered_once(post: Post) -> None:
    post.put()
    post.triage("r1")
    post.put(subject="ask again")
    post.put("Bo Dee <bo@example.org>", subject="ask too")
    post.triage("r2", POLICY.with_level("default", 3))  # another policy, so everything is judged anew
    assert [left.recipients[0] for left in post.left] == ["ann@example.org", "bo@example.org"]
    post.bench.now += dt.timedelta(days=8)
    post.put(subject="ask later")
    post.triage("r3")
    assert [left.recipients[0] for left in post.left][2:] == ["ann@example.org"]


def test_two_mails_of_one_sender_in_one_run_get_one_answer(post: Post) -> None:
    post.put()
    post.put(subject="ask more")
    post.triage()
    assert len(post.left) == 1


@pytest.mark.parametrize(
    ("sender", "more", "to"),
    [
        ("Ann <ann@example.org>", "Auto-Submitted: auto-replied\r\n", ME),
        ("Ann <ann@example.org>", "Precedence: bulk\r\n", ME),
        ("Ann <ann@example.org>", "List-Id: <all.example.org>\r\n", ME),
        ("Ann <ann@example.org>", "Return-Path: <>\r\n", ME),
        ("Ann <ann@example.org>", "Reply-To: bo@example.org\r\n", ME),
        ("Ann <ann@example.org>", "Reply-To: eve@evil.example\r\n", ME),
        ("Ann <ann@example.org>", "", "all@example.org"),
        ("Ann <ann@other.example>", "", ME),
        ("noreply@example.org", "", ME),
        ("0x1337 https://evil.example <ann@example.org>", "", ME),
    ],
)
def test_nothing_goes_out_by_itself_to_machines_lists_strangers_or_other_addresses(
    post: Post, sender: str, more: str, to: str
) -> None:
    post.put(sender, more, to=to)
    post.triage()
    assert not post.left
    assert not post.bench.actions("send")


def test_old_mail_and_what_was_answered_already_is_not_answered(post: Post) -> None:
    post.put()
    post.bench.now += dt.timedelta(days=3)
    answered = post.put("Bo Dee <bo@example.org>", subject="ask too")
    thread = post.bench.box._store.messages[answered].thread_id  # pyright: ignore[reportPrivateUsage]
    mine = b"From: me@example.org\r\nTo: bo@example.org\r\nSubject: Re: ask too\r\nIn-Reply-To: <1@example.org>\r\n"
    date = post.bench.now.strftime("Date: %a, %d %b %Y %H:%M:%S +0000\r\n").encode()
    id_ = post.bench.box.put(mine + date + b"\r\nHere.\r\n", ["SENT"])
    assert post.bench.box._store.messages[id_].thread_id == thread  # pyright: ignore[reportPrivateUsage]
    post.triage()
    assert not post.left


@pytest.mark.parametrize("level", [2, 4])
def test_a_lower_level_sends_nothing(post: Post, level: int) -> None:
    post.put()
    post.triage(policy=Policy().with_level("intra_org", level))
    assert not post.left


def test_a_server_that_cannot_send_is_asked_for_nothing(post: Post) -> None:
    post.put()
    post.bench.box._capabilities -= {Capability.SEND}  # pyright: ignore[reportPrivateUsage]
    post.triage()
    assert not post.bench.actions("send")


def test_a_stop_before_the_answer_goes_is_obeyed(post: Post) -> None:
    post.put()

    async def scenario(session: AccountSession) -> None:
        await plan_run(session, post.wanted("r1"))
        post.bench.brakes.stop = "The agent is stopped."
        await reconcile(session, run_id="r1")

    post.run(scenario)
    assert not post.left
    assert [action.error for action in post.bench.actions("send")] == ["The agent is stopped."]


def plan_and_die(post: Post) -> None:
    async def scenario(session: AccountSession) -> None:
        await plan_run(session, post.wanted("r1"))

    post.run(scenario)


def test_a_run_that_died_before_the_answer_went_still_sends_it_once(post: Post) -> None:
    post.put()
    plan_and_die(post)
    for _ in range(2):
        post.run(reconcile)
    assert len(post.left) == 1
    assert [action.state for action in post.bench.actions("send")] == ["applied"]


def test_a_run_that_died_while_the_answer_went_never_sends_it_again(post: Post) -> None:
    post.put()
    plan_and_die(post)

    class Killed(BaseException):
        pass

    def die() -> None:
        raise Killed

    post.before = die
    with pytest.raises(BaseException):  # noqa: B017  # whatever the connection makes of a killed program
        post.run(reconcile)
    post.before = lambda: None
    post.run(reconcile)
    assert not post.left
    (action,) = post.bench.actions("send")
    assert action.state == "failed"
    assert "not sent again" in (action.error or "")
    post.put(subject="ask more")
    post.triage("r2")
    assert not post.left, "the sender counts as answered"


def test_an_answer_left_over_is_not_sent_days_later(post: Post) -> None:
    post.put()
    plan_and_die(post)
    post.bench.now += dt.timedelta(days=3)
    post.run(reconcile)
    assert not post.left
    assert "too old" in (post.bench.actions("send")[0].error or "")


def test_a_failure_of_the_server_is_not_tried_again(post: Post) -> None:
    post.put()

    def fail() -> None:
        raise ProviderError("The mail server hung up.")

    post.before = fail
    report = post.triage()
    assert [action.error for action in report.applied.failed] == [
        "The mail server hung up. It may have gone out, so it is not sent again."
    ]
    post.before = lambda: None
    post.run(reconcile)
    assert not post.left


def test_by_hand_the_user_sees_all_of_it_and_is_asked(post: Post) -> None:
    id_ = post.put()
    assert len(post.answer(id_, chosen={"greeting": "many thanks"}).done) == 1
    (asked,) = post.bench.person.asked
    assert asked.text == "Hello Ann,\nmany thanks, it has arrived.\n"
    assert [(person.address, person.standing) for person in asked.recipients] == [
        ("ann@example.org", "inside")
    ]
    assert asked.subject == "Re: ask"
    assert "marked as automatic; a sent mail cannot be taken back" in asked.dry_run
    (action,) = post.bench.actions("send")
    assert (action.user_confirmed, action.state) == (True, "applied")
    with pytest.raises(BadArgument, match="answered from a template already"):
        post.answer(id_)


def test_an_answer_whose_message_was_swapped_while_the_user_was_asked_is_not_sent(post: Post) -> None:
    id_ = post.put()
    store = post.bench.box._store  # pyright: ignore[reportPrivateUsage]
    other = post.put(more="Reply-To: eve@example.org\r\n")
    person = post.bench.person

    async def swapping(asked: CallQuestion) -> PromptAnswer:
        person.asked.append(asked)
        store.messages[id_] = replace(store.messages[other], id=id_)
        return "yes"

    person.ask = swapping  # type: ignore[method-assign]
    with pytest.raises(NeedsApproval, match="so nothing was done: whom it goes to"):
        post.answer(id_, chosen={"greeting": "thank you"})
    assert [one.address for one in person.asked[0].recipients] == ["ann@example.org"]
    assert not post.left


def test_by_hand_too_a_list_or_another_cohort_is_refused_and_a_no_sends_nothing(post: Post) -> None:
    listed = post.put(more="List-Id: <all.example.org>\r\n")
    with pytest.raises(BadArgument, match="RFC 3834"):
        post.answer(listed)
    id_ = post.put("Bo Dee <bo@example.org>")
    with pytest.raises(BadArgument, match="nothing to fill ack with"):
        post.answer(id_, "a_model")
    post.bench.person.answer = "no"
    with pytest.raises(NeedsApproval):
        post.answer(id_, "a_model", {"ack": "Somebody looks at it today."})
    assert not post.left
    post.bench.person.answer = "yes"
    post.answer(id_, "a_model", {"ack": "Somebody looks at it today."})
    assert post.texts[0].startswith("Hello. Somebody looks at it today.")
