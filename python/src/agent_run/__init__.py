"""The client of an agent run service: starts and follows runs of coding agents."""

from ._client import AgentRuns as AgentRuns, AsyncAgentRuns as AsyncAgentRuns, ClientOptions as ClientOptions
from ._errors import (
    AgentRunsError as AgentRunsError,
    ApiError as ApiError,
    ApiIssue as ApiIssue,
    ApiKeyError as ApiKeyError,
    AuthenticationError as AuthenticationError,
    BadRequestError as BadRequestError,
    ConfigurationError as ConfigurationError,
    ConflictError as ConflictError,
    ConnectionFailedError as ConnectionFailedError,
    ConnectionTimeoutError as ConnectionTimeoutError,
    FeatureUnavailableError as FeatureUnavailableError,
    FollowTimeoutError as FollowTimeoutError,
    InternalServerError as InternalServerError,
    NotFoundError as NotFoundError,
    PermissionDeniedError as PermissionDeniedError,
    RateLimitError as RateLimitError,
    RunLostError as RunLostError,
    StartUnknownError as StartUnknownError,
    UnexpectedResponseError as UnexpectedResponseError,
    UnprocessableEntityError as UnprocessableEntityError,
)
from ._io import Clock as Clock
from ._options import ApiKey as ApiKey, CallOptions as CallOptions
from ._pages import AsyncRunsPage as AsyncRunsPage, RunsPage as RunsPage
from ._runs import (
    AsyncRunList as AsyncRunList,
    CreateOptions as CreateOptions,
    FollowOptions as FollowOptions,
    ListOptions as ListOptions,
    RawResponse as RawResponse,
    WaitOptions as WaitOptions,
)
from ._skills import SkillSpec as SkillSpec, SkillSpecError as SkillSpecError, parse_skill_spec as parse_skill_spec
from ._types import (
    FINAL_STATES as FINAL_STATES,
    AgentConfig as AgentConfig,
    AgentSkill as AgentSkill,
    Artifact as Artifact,
    ArtifactDetails as ArtifactDetails,
    CreatedRun as CreatedRun,
    Environment as Environment,
    Lease as Lease,
    Model as Model,
    Run as Run,
    RunEvent as RunEvent,
    RunResult as RunResult,
    Skill as Skill,
    SkillVariant as SkillVariant,
    StatusMessage as StatusMessage,
)
from ._version import __version__ as __version__
