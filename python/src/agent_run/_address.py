"""Builds the address and the headers of a request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timezone
from typing import Any
from urllib.parse import quote

from ._errors import ConfigurationError
from ._text import plain_line

ROUTES = {
    "create_run": "/agent/runs",
    "list_runs": "/agent/runs",
    "read_run": "/agent/runs/{run_id}",
    "cancel_run": "/agent/runs/{run_id}/cancel",
    "send_followup": "/agent/runs/{run_id}/followups",
    "lease": "/agent/runs/{run_id}/lease",
    "list_events": "/agent/runs/{run_id}/events",
    "read_result": "/agent/runs/{run_id}/result",
    "list_agents": "/agent",
    "list_environments": "/agent/environments",
    "read_artifact": "/agent/artifacts/{artifact_uid}",
}


def fill_route(route: str, **parts: str) -> str:
    """The path of a route with its parts filled in. Raises ConfigurationError for a part that would change it."""
    path = ROUTES[route]
    for name, value in parts.items():
        # Encoding is not enough: some proxies decode the path again.
        if not isinstance(value, str) or "/" in value or "\\" in value:
            raise ConfigurationError(f"{name} must be a string without slashes, not {_shown(value)}")
        if value in ("", ".", ".."):
            raise ConfigurationError(f"{name} must not be {_shown(value)} in a URL path")
        path = path.replace(f"{{{name}}}", quote(value.encode("utf-8", "replace"), safe=""))
    return path


def join_address(base_url: str, path: str, query: Mapping[str, Any]) -> str:
    """The whole address. Raises ConfigurationError for a path that leads out of `base_url`."""
    if not isinstance(path, str):
        raise ConfigurationError(f"the path must be a string, not a {type(path).__name__}")
    route, _, own_query = path.partition("?")
    if not route.startswith("/") or route.startswith("//"):
        why = 'must start with exactly one "/"'
    elif re.search(r"[\\#\s]", path) or plain_line(path) != path:
        why = 'contains a backslash, "#", space or control character; encode it'
    # Some proxies decode slashes before they split the path into segments.
    elif re.search(r"(/|%2f|%5c)(\.|%2e){1,2}(/|%2f|%5c|$)", route, re.IGNORECASE):
        why = 'must not contain a "." or ".." segment, which would change the URL'
    else:
        parts = [part for part in (own_query, encode_query(query)) if part]
        return f"{base_url}{route}{'?' if parts else ''}{'&'.join(parts)}"
    raise ConfigurationError(f"the path {_shown(path)} {why}")


def encode_query(query: Mapping[str, Any]) -> str:
    """Without the `?`. Lists repeat the key, members of objects become `key[member]`, None is left out."""
    return "&".join(f"{_encode(name)}={_encode(text)}" for name, text in _flatten(query))


def _flatten(query: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for key, value in query.items():
        name = f"{within}[{key}]" if within else str(key)
        yield from _flatten_value(name, value)


def _flatten_value(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, bool):
        yield name, "true" if value else "false"
    elif isinstance(value, (str, int, float)):
        yield name, str(value)
    elif isinstance(value, (datetime, date)):
        yield name, _format_time(value)
    elif isinstance(value, Mapping):
        yield from _flatten(value, name)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _flatten_value(name, item)
    else:
        raise ConfigurationError(f"the query cannot be sent: {name} is a {type(value).__name__}")


def _format_time(value: date) -> str:
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    # A time without a zone is local, as everywhere in Python.
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _encode(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="-_.!~*'()")


def encode_body(body: Any) -> bytes:
    """Raises ConfigurationError for what JSON cannot represent."""
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"the body cannot be sent as JSON: {error}") from error


_OWNED_BY_HTTPX = {"expect", "host", "keep-alive", "transfer-encoding", "upgrade", "content-length"}


def merge_headers(own: Mapping[str, str], *layers: Mapping[str, str | None]) -> dict[str, str]:
    """Later layers override earlier ones; None removes a header. Names come out in lower case.

    Raises ConfigurationError, which omits the value because it may be secret."""
    headers = dict(own)
    for layer in layers:
        for given, value in layer.items():
            name = given.lower() if isinstance(given, str) else ""
            if value is None:
                headers.pop(name, None)
            # The header would not mark the call as safe to retry. As a default it would be one key for all creates.
            elif name == "idempotency-key":
                raise ConfigurationError(f"the header {given} cannot be set; use idempotency_key of a call")
            elif name in _OWNED_BY_HTTPX:
                raise ConfigurationError(f"the header {_shown(given)} cannot be set; httpx sets it itself")
            elif (
                isinstance(value, (str, int, float))
                and re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII)
                and re.fullmatch(r"[\t\x20-\x7e]*", str(value))
            ):
                headers[name] = str(value).strip()
            else:
                raise ConfigurationError(f"the header {_shown(given)} has a name or value that cannot be sent")
    return headers


def _shown(value: object) -> str:
    if isinstance(value, (str, int, float)):
        return json.dumps(value, ensure_ascii=False)
    return f"a {type(value).__name__}"
