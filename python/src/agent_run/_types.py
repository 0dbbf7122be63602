"""The answers of the service, as frozen dataclasses.

A member that the server did not send, or sent with another kind of value, is None. `raw` is the JSON object with
every member, known or not. Times are RFC 3339 texts in UTC, as the server sends them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict, TypeVar, Union, get_args, get_origin, get_type_hints

M = TypeVar("M", bound="Model")
Json = Mapping[str, Any]

FINAL_STATES = ("SUCCEEDED", "FAILED", "ERROR", "CANCELLED")
"""The states that never change again."""
KNOWN_STATES = ("QUEUED", "PENDING", "CLAIMED", "INPROGRESS", "BLOCKED", *FINAL_STATES)


@dataclass(frozen=True)
class Model:
    """An answer or a part of one."""

    raw: Json = field(repr=False, compare=False)

    @classmethod
    def read(cls: type[M], data: Json) -> M:
        """The object of the service as this class."""
        given = {}
        if cls not in _readers:
            hints = get_type_hints(cls)
            names = [part.name for part in fields(cls) if part.name != "raw"]
            _readers[cls] = tuple((name, _reader(hints[name])) for name in names)
        for name, reader in _readers[cls]:
            value = reader(data.get(name))
            if value is not None:
                given[name] = value
        return cls(raw=data, **given)


Reader = Callable[[Any], Any]


_readers: dict[type[Model], tuple[tuple[str, Reader], ...]] = {}


def _reader(hint: Any) -> Reader:
    """Reads a value of the hinted kind; None if it is of another kind."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is tuple:
        read = _reader(get_args(hint)[0])
        return lambda value: (
            tuple(item for one in value if (item := read(one)) is not None) if isinstance(value, list) else None
        )
    if isinstance(hint, type) and issubclass(hint, Model):
        return lambda value: hint.read(value) if isinstance(value, dict) else None
    if hint is Any:
        return lambda value: value
    kind: Any = dict if get_origin(hint) is not None else hint
    if kind is float:
        kind = (int, float)
    return lambda value: value if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)) else None


@dataclass(frozen=True)
class StatusMessage(Model):
    """Why a run is in its state."""

    message: str = ""
    error_code: str | None = None
    reason: str | None = None
    """The error code from an agent-run server's own table."""
    retryable: bool | None = None

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class RunResult(Model):
    """What the agent answered."""

    text: str = ""
    """The first 64 KiB. `runs.result()` has everything that was kept."""
    truncated: bool = False
    """`runs.result()` has more text than this."""
    left_out_bytes: int | None = None
    """Bytes dropped from the start of a result larger than 4 MiB."""
    structured: Any = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Artifact(Model):
    """Something that a run left: a file, a pull request, a screenshot, a plan or a reference."""

    artifact_type: str = ""
    created_at: str = ""
    data: Json = field(default_factory=dict)
    """Its members depend on the type. The `filename` of a FILE is the agent's choice: do not trust it as a path."""


@dataclass(frozen=True)
class Skill(Model):
    """The skill that is a run's task."""

    name: str = ""
    description: str | None = None
    full_path: str | None = None


@dataclass(frozen=True)
class AgentConfig(Model):
    """How a run is carried out."""

    name: str | None = None
    model_id: str | None = None
    base_prompt: str | None = None
    environment_id: str | None = None
    skill_spec: str | None = None
    skills: tuple[str, ...] | None = None
    harness: Json | None = None


@dataclass(frozen=True)
class Run(Model):
    """One run. A list leaves out `result` and `request_usage`."""

    run_id: str = ""
    state: str = ""
    title: str = ""
    prompt: str = ""
    created_at: str = ""
    updated_at: str = ""
    started_at: str | None = None
    finished_at: str | None = None
    run_time: str | None = None
    """ISO 8601 duration of the work, without the time spent BLOCKED."""
    status_message: StatusMessage | None = None
    result: RunResult | None = None
    artifacts: tuple[Artifact, ...] = ()
    attempt: int | None = None
    source: str | None = None
    agent_config: AgentConfig | None = None
    agent_skill: Skill | None = None
    session_id: str | None = None
    session_link: str | None = None
    """URL of the run's page."""
    conversation_id: str | None = None
    trigger_url: str | None = None
    metadata: Json | None = None
    repository: str | None = None
    ref: str | None = None
    sha: str | None = None
    environment_name: str | None = None
    request_usage: Json | None = None
    cancel_requested_at: str | None = None
    lease_expires_at: str | None = None
    last_seq: int | None = None
    """Number of the newest event."""
    creator: Json | None = None
    executor: Json | None = None

    @property
    def is_final(self) -> bool:
        """Whether the state never changes again. A BLOCKED run and one in an unknown state count as running."""
        return self.state in FINAL_STATES


@dataclass(frozen=True)
class CreatedRun(Model):
    """The answer to a create."""

    run_id: str = ""
    state: str = ""
    session_link: str | None = None
    """URL of the run's page."""
    at_capacity: bool | None = None
    """Accepted, but waiting for a free slot."""
    warnings: tuple[str, ...] = ()
    """Configuration that the server ignored."""


@dataclass(frozen=True)
class RunEvent(Model):
    """An event in the log of a run."""

    seq: int = 0
    """Counts from 1 without gaps."""
    at: str = ""
    type: str = ""
    """state, message, tool_call, tool_result, log, usage, artifact, or a type of a newer server."""
    data: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Lease(Model):
    """The answer to a renewed lease."""

    lease_expires_at: str = ""


@dataclass(frozen=True)
class SkillVariant(Model):
    """One of the skills that share a name."""

    id: str = ""
    """A skill_spec: `owner/repo:path/to/SKILL.md`."""
    description: str = ""
    base_prompt: str = ""
    environments: tuple[Json, ...] = ()
    source: Json | None = None
    last_run_timestamp: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class AgentSkill(Model):
    """The skills of one name that a run can use."""

    name: str = ""
    variants: tuple[SkillVariant, ...] = ()


@dataclass(frozen=True)
class Environment(Model):
    """Where a run can work. `config={"environment_id": …}` takes the `uid` or the name."""

    uid: str = ""
    config: Json = field(default_factory=dict)
    last_updated: str = ""
    setup_failed: bool = False
    last_task_created: Json | None = None
    last_task_run_timestamp: str | None = None


@dataclass(frozen=True)
class ArtifactDetails(Model):
    """One artifact by its id."""

    artifact_uid: str = ""
    artifact_type: str = ""
    created_at: str = ""
    data: Json = field(default_factory=dict)
    """A FILE has a `download_url`, which needs no key and expires."""


# The minimal checks of each answer. Unknown members pass, because newer servers send more.


def is_run(data: Any) -> bool:
    """A run, or the answer to a create."""
    return isinstance(data, dict) and _has_text(data, "run_id") and _has_text(data, "state")


def is_run_of(run_id: str) -> Callable[[Any], bool]:
    """Also checks the id: a cache or a proxy may have mixed up two responses."""
    return lambda data: is_run(data) and is_id_of(run_id)(data["run_id"])


def is_run_page(data: Any) -> bool:
    if not isinstance(data, dict) or not isinstance(data.get("page_info"), dict):
        return False
    runs = data.get("runs")
    return isinstance(runs, list) and all(is_run(run) for run in runs)


def is_event_page(data: Any) -> bool:
    # Without `done` a reader could not tell when to stop.
    if not isinstance(data, dict) or not isinstance(data.get("done"), bool):
        return False
    events = data.get("events")
    return isinstance(events, list) and all(is_event(event) for event in events)


def is_event(data: Any) -> bool:
    if not isinstance(data, dict) or not _has_text(data, "type") or not isinstance(data.get("data"), dict):
        return False
    seq = data.get("seq")
    return isinstance(seq, int) and not isinstance(seq, bool) and abs(seq) < 2**53


def is_lease(data: Any) -> bool:
    return isinstance(data, dict) and _has_text(data, "lease_expires_at")


def is_id_of(run_id: str) -> Callable[[Any], bool]:
    """Also checks the id, which is the whole document."""
    return lambda data: isinstance(data, str) and data.lower() == run_id.lower()


def _has_text(data: Json, member: str) -> bool:
    return isinstance(data.get(member), str) and data[member] != ""


# What the caller sends. Words and members of newer servers pass: see `extra_body`.


class RunBody(TypedDict, total=False):
    """The members of a create, with their names on the wire (see docs/http.md)."""

    title: str | None
    skill: str | None
    config: Json | None
    lease_seconds: float | None
    trigger_url: str | None
    metadata: Mapping[str, str] | None
    repository: str | None
    ref: str | None
    sha: str | None
    mode: str | None
    team: bool | None
    interactive: bool | None
    attachments: Sequence[Mapping[str, str]] | None
    conversation_id: str | None
    parent_run_id: str | None
    agent_identity_uid: str | None
    on_behalf_of: str | None
    extra_body: Json | None
    """Members of newer servers."""


BODY_NAMES = tuple(RunBody.__annotations__)
