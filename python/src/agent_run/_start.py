"""Starts a run exactly once, even if responses get lost.

- A create that was certainly not carried out (refused connection, unresolved name, 429, the 503 of this project's
  server) is retried. When the retries run out, the last error is raised: nothing was started.
- A create that may have been carried out (reset, timeout, 5xx, truncated response, redirect) is followed by a cheap
  GET. If the server supports idempotency keys, the create is retried with the same key and the same API key, so the
  server returns the existing run or starts it.
- If the server does not support keys, forbids the retry or rejects the API key by now, the list is searched. Exactly
  one matching run is the answer; otherwise StartUnknownError is raised. There is never a second create.
- A create that a proxy refused with a page did not reach the server. It is sent again only if the GET shows that the
  server supports idempotency keys. Otherwise the page is the answer.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from ._address import ROUTES
from ._answer import Answer
from ._errors import (
    ApiError,
    AuthenticationError,
    PermissionDeniedError,
    StartUnknownError,
    UnexpectedResponseError,
    headline_of,
)
from ._headers import read_date, read_features
from ._pages import AsyncRunsPage
from ._retry import (
    is_own_server_answer,
    is_proxy_answer,
    is_service_answer,
    judge,
    may_be_done,
    retry_delay,
)
from ._skills import skill_of
from ._transport import Prepared, Request, Transport
from ._types import Run, is_run, is_run_page

DATE_MARGIN = 2.0
"""`created_at` may have whole seconds, and may come from a different clock than the `Date` header."""
DOUBT = 60.0
"""A matching run that is older than the create by up to this may be the one if the clocks differ. Then the outcome is
unknown."""
PAGES_MAX = 10
TAKEN_MAX = 1000
NOT_THERE = {404, 405, 501}
"""Statuses of a server that does not know an address or a method."""


@dataclass(eq=False, repr=False)
class _Start:
    """A create in progress."""

    transport: Transport
    idempotency_key: str
    options: Mapping[str, Any]
    create: Prepared
    began: float

    @property
    def elapsed(self) -> float:
        return self.transport.clock.monotonic() - self.began

    @property
    def body(self) -> dict[str, Any]:
        """The body as it was sent: the caller may have changed it since."""
        body = json.loads(self.create.body or b"{}")
        return body if isinstance(body, dict) else {}

    def remaining(self) -> dict[str, Any]:
        """The options of the next request."""
        total = self.transport.limit("total_timeout", self.options)
        return {**self.options, "total_timeout": max(0.001, total - self.elapsed)}

    def has_time_after(self, failure: BaseException) -> bool:
        """Whether the time and the options allow another attempt."""
        delay = retry_delay(failure, 0, self.transport.clock.now())
        total: float = self.transport.limit("total_timeout", self.options)
        return self.transport.limit("max_retries", self.options) > 0 and self.elapsed + delay < total


_unsettled: list[_Start] = []
"""Creates of this process whose run is not known yet."""
_taken: dict[str, None] = {}
"""The runs of this process's last creates. No search returns one of them."""


async def start_run(
    transport: Transport,
    body: Mapping[str, Any],
    options: Mapping[str, Any],
    idempotency_key: str | None,
    source: str | None,
) -> Answer:
    """Raises StartUnknownError if a run may have been started but cannot be found."""
    key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
    prepared = transport.prepare(
        Request(
            "POST",
            ROUTES["create_run"],
            body=body,
            headers={} if source is None else {"X-Agent-Run-Source": source},
            options=options,
            idempotency_key=key,
            is_expected=is_run,
        )
    )
    # Retrying is allowed only after the server said that it supports keys.
    create = replace(prepared, call=replace(prepared.call, is_idempotent=False))
    start = _Start(transport, key, options, create, transport.clock.monotonic())
    _unsettled.append(start)
    try:
        answer = await _carry_out(start)
        mark_taken(transport, answer.data["run_id"])
        return answer
    except BaseException as error:
        if not isinstance(error, Exception) and (create.has_left or create.is_perhaps_done):
            error.args = (*error.args, f"the run may have been started (Idempotency-Key {key})")
        raise
    finally:
        _unsettled.remove(start)


async def _carry_out(start: _Start) -> Answer:
    try:
        return await start.transport.carry_out(start.create)
    except Exception as error:
        failure = error
    if (start.create.has_left or isinstance(failure, ApiError)) and _may_have_started(failure):
        return await _settle(start, failure)
    if not _is_proxy_refusal(failure):
        raise failure
    try:
        return await _retry_past_proxy(start, failure)
    except Exception as error:
        # An attempt before the last one may have been carried out.
        if not (start.create.is_perhaps_done or _may_have_started(error)):
            raise
        later = error
    return await _settle(start, later)


def _may_have_started(failure: Exception) -> bool:
    """Whether the failed create may have started a run. Only the service's own answer rules that out."""
    is_of_another = (
        isinstance(failure, ApiError) and not is_service_answer(failure) and not _is_proxy_refusal(failure)
    )
    return may_be_done(failure) or (is_of_another and judge(failure) == "final")


def _is_proxy_refusal(failure: Exception) -> bool:
    """Whether a proxy refused the create with a page. A missing address is excluded: the base URL may be wrong."""
    return is_proxy_answer(failure) and judge(failure) == "final" and failure.status not in NOT_THERE


async def _retry_past_proxy(start: _Start, page: Exception) -> Answer:
    """Sends a create again that a proxy refused, if the server supports idempotency keys."""
    if not start.has_time_after(page):
        raise page
    try:
        asked = await _ask_server(start, page)
    except (AuthenticationError, PermissionDeniedError) as error:
        if is_service_answer(error):
            raise
        raise page from None
    except Exception:
        raise page from None
    if "idempotency" not in read_features(asked.headers):
        raise page
    return await _repeat(start)


async def _ask_server(start: _Start, failure: Exception) -> Answer:
    """Finds out with a cheap GET what the server supports, a moment after `failure`."""
    transport = start.transport
    transport.log(20, f"{headline_of(failure)}; checking with the server before retrying")
    await transport.note_retry(transport.limit("on_retry", start.options), failure)
    await transport.io.sleep(retry_delay(failure, 0, transport.clock.now()))
    return await transport.send(
        Request(
            "GET",
            ROUTES["list_runs"],
            query={"limit": 1},
            options=start.remaining(),
            is_expected=is_run_page,
            is_idempotent=True,
            # Retry past proxy pages only if the server may be behind one: a wrong address answers everything
            # with a page.
            retries_proxy_pages=may_be_done(failure) or _is_proxy_refusal(failure),
        )
    )


async def _repeat(start: _Start) -> Answer:
    """The same idempotency key makes it the same run."""
    create = start.create
    create.total_timeout = start.remaining()["total_timeout"]
    create.call = replace(create.call, is_idempotent=True, retries_proxy_pages=True)
    return await start.transport.carry_out(create)


async def _settle(start: _Start, failure: Exception) -> Answer:
    """Finds out what became of a create that failed with `failure`."""
    key = start.idempotency_key
    if not start.has_time_after(failure):
        raise StartUnknownError(key, failure) from failure
    asked: Answer | None = None
    afterwards = "no run in the list could be identified as this one"
    try:
        asked = await _ask_server(start, failure)
        asked_at = start.elapsed
        is_forbidden = isinstance(failure, ApiError) and (
            judge(failure) == "final" if may_be_done(failure) else failure.headers.get("x-should-retry") == "false"
        )
        if "idempotency" in read_features(asked.headers) and not is_forbidden:
            start.create.pinned_key = start.create.pinned_key or start.create.key
            try:
                return await _repeat(start)
            except AuthenticationError as error:
                # The API key expired. A create with another one would start a second run.
                afterwards = str(error)
        run = await _find_run(start, asked.headers.get("date"), asked_at)
    except Exception as error:
        if _refuses_body(error):
            raise
        # Neither response came from the service, so there is no server at this address and no run.
        if asked is None and _is_foreign(failure) and _is_foreign(error):
            raise failure from None
        raise StartUnknownError(key, failure, str(error)) from failure
    if run is None:
        raise StartUnknownError(key, failure, afterwards) from failure
    data = {"run_id": run.run_id, "task_id": run.run_id, "state": run.state}
    if run.session_link is not None:
        data["session_link"] = run.session_link
    return replace(asked, data=data, content=json.dumps(data).encode())


async def _find_run(start: _Start, server_date: str | None, elapsed: float) -> Run | None:
    """The one matching run that the create may have started. None for none, for several, and if the server does not
    send its time."""
    server_now = read_date(server_date or "")
    if server_now is None:
        return None
    began_after = server_now - elapsed - DATE_MARGIN
    doubt_after = began_after - DOUBT
    body = start.body
    query = {
        "name": _config(body).get("name"),
        "created_after": datetime.fromtimestamp(doubt_after, timezone.utc).isoformat().replace("+00:00", "Z"),
        "sort_by": "created_at",
        "sort_order": "desc",
        "limit": 100,
    }

    async def ask(cursor: str | None = None) -> Answer:
        request = Request(
            "GET",
            ROUTES["list_runs"],
            query={**query, "cursor": cursor},
            options=start.remaining(),
            is_expected=is_run_page,
            is_idempotent=True,
        )
        return await start.transport.send(request)

    def is_late(time: str) -> bool:
        # The request has this filter too, but a server that does not know it returns old runs.
        at = read_time(time)
        return at is not None and at >= doubt_after

    found: list[Run] = []
    page = AsyncRunsPage((await ask()).data, ask)
    for number in range(1, PAGES_MAX + 1):
        late = [run for run in page.runs if is_late(run.created_at)]
        found += [run for run in late if fits(run, body) and not _is_taken(start, run)]
        # Newest first by creation or by last change, so only older runs follow.
        is_over = bool(page.runs) and not is_late(page.runs[-1].created_at) and not is_late(page.runs[-1].updated_at)
        if len(found) > 1 or is_over or not page.has_next_page():
            break
        if number == PAGES_MAX:
            return None
        page = await page.get_next_page()
    created = read_time(found[0].created_at) if len(found) == 1 else None
    return found[0] if created is not None and created >= began_after else None


def fits(run: Run, body: Mapping[str, Any]) -> bool:
    """Whether the run can come from that body: every field present in both is equal."""
    raw, config, kept = run.raw, _config(body), _object(run.raw.get("agent_config"))
    same = (
        (body.get("prompt"), raw.get("prompt") or ""),
        (skill_of(body), skill_of({"config": kept})),
        (body.get("title"), raw.get("title") or ""),
        (config.get("name"), kept.get("name")),
        (config.get("model_id"), kept.get("model_id")),
    )
    if any(asked is not None and there is not None and asked != there for asked, there in same):
        return False
    # Not every service returns these. If it does, they tell apart matrix jobs and other runs of the same prompt.
    if run.trigger_url is not None and run.trigger_url != body.get("trigger_url"):
        return False
    return run.metadata is None or dict(run.metadata) == (body.get("metadata") or {})


def read_time(text: str) -> float | None:
    """Seconds since the epoch; None if the text is not a time."""
    try:
        # Python 3.10 reads neither `Z` nor fractions of other lengths than three and six.
        head, _, fraction = text.removesuffix("Z").partition(".")
        at = datetime.fromisoformat(head if text.endswith("Z") else text)
        at = at.replace(tzinfo=timezone.utc) if at.tzinfo is None else at
        return at.timestamp() + (float(f"0.{fraction}") if text.endswith("Z") and fraction else 0)
    except ValueError:
        return None


def _is_taken(start: _Start, run: Run) -> bool:
    """Whether the run belongs to another create, or may belong to one that is still unsettled."""
    name = f"{start.transport.host} {run.run_id}"
    host = start.transport.host
    others = [other for other in list(_unsettled) if other is not start and other.transport.host == host]
    return name in _taken or any(fits(run, other.body) for other in others)


def mark_taken(transport: Transport, run_id: str) -> None:
    """Keeps searches for other creates from returning the run."""
    _taken[f"{transport.host} {run_id}"] = None
    # Other threads may do the same.
    for old in list(_taken)[:-TAKEN_MAX] if len(_taken) > TAKEN_MAX else ():
        _taken.pop(old, None)


def _is_foreign(error: Exception) -> bool:
    """Whether a proxy or another service answered. Truncated JSON may still come from this service."""
    if isinstance(error, ApiError):
        return not is_service_answer(error) and (error.status in NOT_THERE or error.status in (401, 403))
    return isinstance(error, UnexpectedResponseError) and not error.cut and '"run_id"' not in error.excerpt


def _refuses_body(error: Exception) -> bool:
    """Whether the server refused the body itself, so the first attempt was refused too."""
    if not isinstance(error, ApiError) or error.method != "POST":
        return False
    return error.status in (400, 413, 415, 422) and is_own_server_answer(error)


def _config(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(body.get("config"))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
