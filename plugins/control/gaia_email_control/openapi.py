"""The endpoints' descriptions for the OpenAPI document. Entry: `describe_paths`."""

from __future__ import annotations

from gaia_email.interfaces.http.answering import MOST_NAME
from gaia_email.interfaces.http.contract_parts import (
    NAMED,
    PLACE,
    Json,
    describe_endpoint,
    json_answer,
    parameter,
)
from gaia_email_control.endpoints import (
    CONTROL_PATH,
    ENDPOINTS,
    ProtocolEndpoint,
    answer_schema,
    command_schema,
    control_definitions,
)


def describe_paths() -> dict[str, Json]:
    """Return the description of each endpoint, by path and method; store the schemas that they reference."""
    NAMED.hold(control_definitions(PLACE))
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(f"{CONTROL_PATH}{endpoint.path}", {})[endpoint.method.lower()] = _endpoint(endpoint)
    return paths


def _endpoint(endpoint: ProtocolEndpoint) -> Json:
    found = describe_endpoint(
        endpoint.operation_id,
        endpoint.says,
        answer=json_answer(endpoint.says, answer_schema(endpoint, PLACE)),
    )
    if endpoint.method == "POST":
        content = {"schema": command_schema(PLACE), "example": endpoint.example}
        return {**found, "requestBody": {"required": True, "content": {"application/json": content}}}
    parameters = [parameter("query", name, schema, False) for name, schema in endpoint.query.items()]
    if "{id}" in endpoint.path:
        parameters.append(parameter("path", "id", {"type": "string", "maxLength": MOST_NAME}, True))
    return {**found, "parameters": parameters} if parameters else found
