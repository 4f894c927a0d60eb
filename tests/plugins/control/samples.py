"""One record of each type as another program sends it, with every field and some that the protocol does not know."""

from __future__ import annotations

from collections.abc import Mapping

Wire = dict[str, object]

UNKNOWN: Wire = {"x-vendor": {"deep": [1, None, {"created_at": 2.5}]}}
ACTOR: Wire = {
    "id": "ann",
    "kind": "person",
    "displayName": "Ann Ödön 🧾",
    "handle": "ann",
    "labels": ["owner"],
    "metadata": {"locale": "hu"},
    **UNKNOWN,
}
AGENT: Wire = {
    **ACTOR,
    "id": "triage",
    "kind": "agent",
    "definitionId": "triage",
    "nodeQualifier": "laptop",
    "workspaceQualifier": "inbox",
    "selector": "@triage@laptop#inbox",
    "defaultSelector": "@triage",
    "agentClass": "operator",
    "capabilities": ["chat", "invoke", "summarize"],
    "wakePolicy": "on_demand",
    "homeNodeId": "laptop",
    "authorityNodeId": "laptop",
    "advertiseScope": "local",
    "ownerId": "ann",
}
HELPER: Wire = {
    **ACTOR,
    "kind": "helper",
    "ownerId": "ann",
    "nodeId": "laptop",
    "engine": "e",
    "capabilities": [],
}
ENDPOINT: Wire = {
    "id": "e1",
    "agentId": "triage",
    "nodeId": "laptop",
    "harness": "native",
    "transport": "websocket",
    "state": "idle",
    "address": "ws://127.0.0.1:1/",
    "sessionId": "s1",
    "pane": "0",
    "cwd": "/",
    "projectRoot": "/",
    "metadata": {},
}
NODE: Wire = {
    "id": "laptop",
    "meshId": "m1",
    "name": "Laptop",
    "hostName": "laptop.local",
    "advertiseScope": "local",
    "brokerUrl": "http://127.0.0.1:1/",
    "tailnetName": "t",
    "capabilities": [],
    "labels": [],
    "metadata": {},
    "lastSeenAt": 1,
    "registeredAt": 1.5,
}
CONVERSATION: Wire = {
    "id": "c1",
    "kind": "direct",
    "title": "Inbox",
    "visibility": "private",
    "shareMode": "local",
    "authorityNodeId": "laptop",
    "participantIds": ["ann", "triage"],
    "topic": "mail",
    "parentConversationId": "c0",
    "messageId": "m0",
    "metadata": {},
}
BINDING: Wire = {
    "id": "b1",
    "conversationId": "c1",
    "platform": "slack",
    "mode": "outbound",
    "externalChannelId": "C1",
    "externalThreadId": "T1",
    "metadata": {},
}
MESSAGE: Wire = {
    "id": "m1",
    "conversationId": "c1",
    "actorId": "triage",
    "originNodeId": "laptop",
    "class": "status",
    "body": "Three wait for you.",
    "replyToMessageId": "m0",
    "threadConversationId": "c2",
    "mentions": [{"actorId": "ann", "label": "@ann", **UNKNOWN}],
    "attachments": [
        {
            "id": "a1",
            "mediaType": "text/plain",
            "fileName": "a",
            "blobKey": "k",
            "url": "u",
            "metadata": {},
            **UNKNOWN,
        }
    ],
    "speech": {"text": "Three", "voice": "v", "interruptible": True, **UNKNOWN},
    "audience": {"visibleTo": ["ann"], "notify": [], "invoke": [], "reason": "mention", **UNKNOWN},
    "visibility": "private",
    "policy": "durable",
    "createdAt": 1_700_000_000_000,
    "metadata": None,
    **UNKNOWN,
}
INVOCATION: Wire = {
    "id": "i1",
    "requesterId": "ann",
    "requesterNodeId": "laptop",
    "targetAgentId": "triage",
    "targetNodeId": "laptop",
    "action": "execute",
    "task": "triage the inbox",
    "conversationId": "c1",
    "messageId": "m1",
    "context": {"mailbox": "imap"},
    "execution": {"harness": "native", **UNKNOWN},
    "ensureAwake": True,
    "stream": False,
    "timeoutMs": 1000,
    "createdAt": 1,
    "metadata": {},
}
FLIGHT: Wire = {
    "id": "f1",
    "invocationId": "i1",
    "requesterId": "ann",
    "targetAgentId": "triage",
    "state": "waiting",
    "summary": "s",
    "output": "o",
    "error": "e",
    "startedAt": 1,
    "completedAt": 2,
    "metadata": {},
}
DELIVERY: Wire = {
    "id": "d1",
    "messageId": "m1",
    "invocationId": "i1",
    "targetId": "ann",
    "targetNodeId": "laptop",
    "targetKind": "device",
    "transport": "webhook",
    "reason": "direct_message",
    "policy": "must_ack",
    "status": "leased",
    "bindingId": "b1",
    "leaseOwner": "w",
    "leaseExpiresAt": 3,
    "metadata": {},
}
ATTEMPT: Wire = {
    "id": "t1",
    "deliveryId": "d1",
    "attempt": 1,
    "status": "failed",
    "error": "away",
    "externalRef": "r",
    "createdAt": 4,
    "metadata": {},
}
TARGET: Wire = {
    "id": "ann",
    "kind": "participant",
    "transport": "http",
    "address": "a",
    "bindingId": "b1",
    "metadata": {},
}
_COMMON: Wire = {
    "title": "Archive it?",
    "summary": "s",
    "createdById": "triage",
    "ownerId": "ann",
    "nextMoveOwnerId": "ann",
    "conversationId": "c1",
    "parentId": "q0",
    "priority": "high",
    "labels": ["mail"],
    "relations": [{"kind": "blocks", "targetId": "w9", "metadata": {}, **UNKNOWN}],
    "acceptanceState": "pending",
    "createdAt": 1,
    "updatedAt": 2,
    "metadata": {},
}
QUESTION: Wire = {
    **_COMMON,
    "id": "q1",
    "kind": "question",
    "state": "open",
    "askedById": "triage",
    "askedOfId": "ann",
    "answerMessageId": "m2",
    "spawnedWorkItemId": "w1",
    "closedAt": 3,
    **UNKNOWN,
}
WORK_ITEM: Wire = {
    **_COMMON,
    "id": "w1",
    "kind": "work_item",
    "state": "review",
    "requestedById": "ann",
    "waitingOn": {"kind": "approval", "label": "a yes", "targetId": "q1", "metadata": {}, **UNKNOWN},
    "progress": {
        "completedSteps": 1,
        "totalSteps": 2,
        "checkpoint": "c",
        "summary": "s",
        "percent": 0.5,
        **UNKNOWN,
    },
    "startedAt": 1,
    "reviewRequestedAt": 2,
    "completedAt": 3,
}
COLLABORATION_EVENT: Wire = {
    "id": "ce1",
    "recordId": "q1",
    "recordKind": "question",
    "kind": "answered",
    "actorId": "ann",
    "at": 5,
    "summary": "yes",
    "metadata": {},
}
COMMANDS: Mapping[str, Wire] = {
    "conversation.post": {"message": MESSAGE},
    "agent.invoke": {"invocation": INVOCATION},
    "agent.ensure_awake": {"agentId": "triage", "requesterId": "ann", "reason": "mail came", "metadata": {}},
    "stream.subscribe": {
        "subscription": {
            "actorId": "ann",
            "conversationIds": [],
            "flightIds": ["f1"],
            "eventKinds": [],
            **UNKNOWN,
        },
        "transport": "websocket",
    },
    "node.upsert": {"node": NODE},
    "actor.upsert": {"actor": ACTOR},
    "agent.upsert": {"agent": AGENT},
    "agent.endpoint.upsert": {"endpoint": ENDPOINT},
    "conversation.upsert": {"conversation": CONVERSATION},
    "binding.upsert": {"binding": BINDING},
    "collaboration.upsert": {"record": QUESTION},
    "collaboration.event.append": {"event": COLLABORATION_EVENT},
}
EVENTS: Mapping[str, Wire] = {
    "node.upserted": {"node": NODE},
    "actor.registered": {"actor": ACTOR},
    "agent.registered": {"agent": AGENT},
    "agent.endpoint.upserted": {"endpoint": ENDPOINT},
    "conversation.upserted": {"conversation": CONVERSATION},
    "binding.upserted": {"binding": BINDING},
    "message.posted": {"message": MESSAGE},
    "invocation.requested": {"invocation": INVOCATION},
    "flight.updated": {"flight": FLIGHT},
    "delivery.planned": {"delivery": DELIVERY},
    "delivery.attempted": {"attempt": ATTEMPT},
    "collaboration.upserted": {"record": WORK_ITEM},
    "collaboration.event.appended": {"event": COLLABORATION_EVENT},
}


def command(kind: str) -> Wire:
    return {"kind": kind, **COMMANDS[kind], **UNKNOWN}


def event(kind: str) -> Wire:
    payload: Wire = {**EVENTS[kind], **UNKNOWN}
    return {
        "id": "e1",
        "kind": kind,
        "ts": 1.5,
        "actorId": "ann",
        "nodeId": "laptop",
        "payload": payload,
        **UNKNOWN,
    }
