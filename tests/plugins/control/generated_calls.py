"""Calls of the protocol's functions with arguments that no program would send, from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gaia_email_control.calls import FUNCTIONS
from gaia_email_control.javascript import JsValue

PIECES = (
    *("@", "@@", "#", "/", "//", "-", ".", "_", ":", ",", "!", "?", ";", ")", "]", "(", "\\", "0", "x", "5"),
    *(
        "a",
        "b",
        "Fabric",
        "hudson",
        "MAIN",
        "laptop",
        "@a",
        "@b#c",
        "@a@b",
        " @q",
        "\n@A@B#C",
        "closed",
        "done",
    ),
    *(
        " ",
        "\t",
        "\n",
        "\r",
        "\v",
        "\f",
        "\x1c",
        "\x1f",
        "\x85",
        "\u00a0",
        "\u1680",
        "\u2003",
        "\u2028",
        "\ufeff",
    ),
    *(
        "\u017f",
        "\u212a",
        "\u0130",
        "\u00df",
        "\u03a3",
        "\u00c5",
        "\U0001f600",
        "\ud83d",
        "\ude00",
        "\u0000",
        "",
    ),
)
STATES = (
    "open",
    "answered",
    "closed",
    "declined",
    "working",
    "waiting",
    "review",
    "done",
    "cancelled",
    "bogus",
)
EVENT_KINDS = (
    *("created", "claimed", "answered", "accepted", "reopened", "waiting", "progressed", "handoff"),
    *("review_requested", "done", "declined", "cancelled", "dismissed"),
)
NUMBERS = (0, 1, -1, 5, 6, 0.5, 1e21, 1e-7, 123456789.125, 1e300, float("inf"), 2**53)
COMPARED = (
    "5",
    "6",
    "10",
    "",
    " ",
    "0x1F",
    "1e3",
    ".5",
    "5.",
    "+5",
    "--5",
    "Infinity",
    "\uffff",
    "\U00010000",
    "1_0",
)


def text(random: Random) -> str:
    return "".join(random.choices(PIECES, k=random.choice((0, 1, 1, 2, 3, 5, 8))))


def odd(random: Random, depth: int = 2) -> JsValue:
    """Any value of JSON."""
    plain: list[JsValue] = [None, True, False, random.choice(NUMBERS), random.choice(COMPARED), text(random)]
    nested: list[JsValue] = [[], {}, {"toString": 1}, {"valueOf": 1, "trim": 1, "map": 1, "filter": 1}]
    if depth and random.random() < 0.4:
        inner = [odd(random, depth - 1) for _ in range(random.randint(0, 3))]
        nested += [inner, {random.choice(PIECES): one for one in inner}]
    return random.choice(plain * 2 + nested)


def fields(random: Random, usual: dict[str, tuple[JsValue, ...]]) -> JsValue:
    """An object with its usual fields, of which some are missing and some hold anything at all."""
    made: dict[str, JsValue] = {}
    for name, values in usual.items():
        luck = random.random()
        if luck < 0.8:
            made[name] = random.choice(values)
        elif luck < 0.87:
            made[name] = odd(random)
    return made if random.random() < 0.96 else odd(random)


def parts(random: Random) -> JsValue:
    names = ("fabric", "Hudson", "a-b", text(random))
    usual: dict[str, tuple[JsValue, ...]] = {
        "agentId": ("fabric", "hudson", "h3", text(random)),
        "definitionId": ("", None, *names),
        "nodeQualifier": ("", None, "laptop", "Mini.local", text(random)),
        "workspaceQualifier": ("", None, "main", "a/b", text(random)),
        "label": ("@fabric", "@hudson@old", "@fabric#main", text(random)),
        "aliases": ([], ["@fabric", " ", "@hudson@old"], [text(random), "@a-b#main."], [odd(random)]),
    }
    return fields(random, usual)


def record(random: Random) -> JsValue:
    ids = ("r1", "a1", "", None)
    usual: dict[str, tuple[JsValue, ...]] = {
        "id": ("r1", "r1", "r1", " ", text(random)),
        "title": ("t", "t", "", text(random)),
        "createdById": ("a1", "a1", "\ufeff", "\x85"),
        "createdAt": (5, 6, random.choice(COMPARED), odd(random)),
        "updatedAt": (5, 5, random.choice(COMPARED), odd(random)),
        "kind": ("question", "work_item", "work_item"),
        "state": STATES,
        "acceptanceState": ("none", "none", "pending", "accepted", "reopened"),
        "waitingOn": (None, "", {"label": "x", "targetId": "r1"}, {"targetId": ""}, odd(random)),
    }
    named = (
        "ownerId",
        "nextMoveOwnerId",
        "parentId",
        "requestedById",
        "askedById",
        "askedOfId",
        "spawnedWorkItemId",
    )
    return fields(random, usual | dict.fromkeys(named, ids))


def event(random: Random) -> JsValue:
    usual: dict[str, tuple[JsValue, ...]] = {
        "id": ("e1", "e1", "e1", ""),
        "recordId": ("r1", "r1", " "),
        "recordKind": ("question", "work_item"),
        "kind": EVENT_KINDS,
        "actorId": ("a", "a", "\t"),
    }
    return fields(random, usual)


def arguments(random: Random, function: str) -> list[JsValue]:
    match function:
        case "formatAgentSelector":
            return [
                parts(random),
                random.choice([{"includeSigil": random.choice([False, True, 0])}, odd(random)]),
            ]
        case "agentSelectorMatches":
            return [parts(random), parts(random)]
        case "resolveAgentSelector":
            candidates: list[JsValue] = [parts(random) for _ in range(random.choice((0, 1, 2, 3)))]
            return [parts(random), candidates if random.random() < 0.95 else odd(random)]
        case "validateCollaborationEvent" | "assertValidCollaborationEvent":
            return [event(random), record(random)]
        case "isQuestionTerminalState" | "isWorkItemTerminalState":
            return [random.choice(STATES)]
        case _ if "ollaboration" in function:
            return [record(random)]
        case _:
            return [text(random)]


def generated_calls(seed: int, count: int) -> Iterator[tuple[str, list[JsValue]]]:
    """As many calls of random functions; now and then with an argument too few, too many, or out of place."""
    random = Random(seed)
    functions = list(FUNCTIONS)
    for _ in range(count):
        function = random.choice(functions)
        given = arguments(random, function)
        luck = random.random()
        if luck < 0.03:
            given = given[: random.randint(0, len(given))]
        elif luck < 0.06:
            given[random.randrange(len(given))] = odd(random)
        elif luck < 0.08:
            given.append(odd(random))
        yield function, given
