"""The options of a client and of a call, their defaults and their checks."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, TypedDict, Union
from urllib.parse import urlsplit

from ._errors import ConfigurationError
from ._io import Clock, SystemClock
from ._text import did_you_mean

API_PREFIX = "/api/v1"
LOGGER = logging.getLogger("agent_run")
"""No line contains a prompt, a body, a query or a key."""

TIMEOUT = 60.0
TOTAL_TIMEOUT = 600.0
MAX_RETRIES = 4
TOLERANCE = 300.0
NOT_FOUND_GRACE = 10.0
EVENTS_GRACE = 5.0


@dataclass(frozen=True)
class ApiKey:
    """What an `api_key` function may return instead of a string."""

    key: str = field(repr=False)
    expires_in: float = math.inf
    """How long the key is valid from now, in seconds. A duration, because the clocks of two machines differ."""


ApiKeyFunction = Callable[[], Union[str, ApiKey, Awaitable[Union[str, ApiKey]]]]


class CallOptions(TypedDict, total=False):
    """Options of one call. They override those of the client."""

    timeout: float | None
    """Limit for one attempt, including its whole body, in seconds. Default: 60. In `AgentRuns`, no limit ends an
    attempt whose headers trickle in."""
    total_timeout: float | None
    """Limit for all attempts of a call, including the waits between them, in seconds. Default: 600."""
    max_retries: int | None
    """Retries after the first attempt. A 429 with a delay counts only against the total time. Default: 4."""
    on_retry: Callable[[Exception], object] | None
    """Called with the failure before each retry. What it raises is ignored."""
    headers: Mapping[str, str | None] | None
    """Override the client's headers. None removes one."""
    query: Mapping[str, Any] | None
    """Overrides the client's query. Lists repeat the key, members of objects become `key[member]`."""


CALL_NAMES = ("timeout", "total_timeout", "max_retries", "on_retry", "headers", "query")


@dataclass(frozen=True, repr=False)
class Settings:
    """The resolved options of a client."""

    base_url: str
    api_key: str | ApiKeyFunction
    timeout: float = TIMEOUT
    total_timeout: float = TOTAL_TIMEOUT
    max_retries: int = MAX_RETRIES
    on_retry: Callable[[Exception], object] | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    clock: Clock = field(default_factory=SystemClock)


def _is_number(value: object, kind: tuple[type, ...] = (int, float)) -> bool:
    """In Python, booleans are numbers."""
    return isinstance(value, kind) and not isinstance(value, bool)


_A_DURATION = (lambda value: _is_number(value) and value > 0, "a number of seconds above 0")
_A_COUNT = (lambda value: _is_number(value, (int,)) and value >= 0, "a whole number, 0 or more")
_A_FUNCTION = (callable, "a function")
_A_SWITCH = (lambda value: isinstance(value, bool), "True or False")
_A_TEXT = (lambda value: isinstance(value, str), "a string")
_AN_OBJECT = (lambda value: isinstance(value, Mapping), "a mapping")

_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "timeout": _A_DURATION,
    "total_timeout": _A_DURATION,
    "queue_timeout": _A_DURATION,
    "run_timeout": _A_DURATION,
    "stall_timeout": _A_DURATION,
    "tolerance": _A_DURATION,
    "events_grace": _A_DURATION,
    "not_found_grace": (lambda value: _is_number(value) and value >= 0, "a number of seconds, 0 or more"),
    "max_retries": _A_COUNT,
    "after": _A_COUNT,
    "on_retry": _A_FUNCTION,
    "on_run": _A_FUNCTION,
    "on_event": _A_FUNCTION,
    "on_states_only": _A_FUNCTION,
    "allow_http": _A_SWITCH,
    "cancel_on_interrupt": _A_SWITCH,
    "headers": _AN_OBJECT,
    "query": _AN_OBJECT,
    "extra_body": _AN_OBJECT,
    "idempotency_key": _A_TEXT,
    "source": _A_TEXT,
    "reason": _A_TEXT,
}


_CONFIG_NAMES = ("name", "model_id", "base_prompt", "environment_id", "skill_spec", "skills", "harness")


def check_options(what: str, options: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The options that are not None. A misspelled option would do nothing, and a misspelled filter would list
    everything, so an unknown name raises ConfigurationError."""
    for name, value in options.items():
        if name not in known:
            member = "model_id" if name == "model" else name
            is_config = member in _CONFIG_NAMES and "config" in known
            hint = f'. It goes into config={{"{member}": …}}' if is_config else did_you_mean(name, known)
            raise ConfigurationError(f'{what}: unknown name "{name}"{hint}')
        if value is None or name not in _KINDS:
            continue
        test, words = _KINDS[name]
        if not test(value):
            # A string may be a misplaced key.
            shown = value if isinstance(value, (int, float)) else f"a {type(value).__name__}"
            raise ConfigurationError(f"{name} must be {words}, not {shown}")
    return {name: value for name, value in options.items() if value is not None}


# The address of the service and the key that is sent there. A key from the environment is sent only to the address of
# its own pair.


@dataclass(frozen=True)
class _Setting:
    text: str
    name: str
    """How sentences name it: `base_url` or the variable."""
    option: str | None = None


_PAIRS = (("AGENT_RUN_BASE_URL", "AGENT_RUN_API_KEY"), ("OZ_API_BASE_URL", "WARP_API_KEY"))


def resolve_credentials(
    base_url: str | None,
    api_key: str | ApiKeyFunction | None,
    *,
    allow_http: bool = False,
    environment: Mapping[str, str] | None = None,
) -> tuple[str, str | ApiKeyFunction]:
    """The base URL, with the prefix and without a slash at the end, and the key for it.

    | given | address | key |
    |---|---|---|
    | both | as given | as given |
    | only base_url | as given | of the pair with this address; AGENT_RUN_API_KEY if AGENT_RUN_BASE_URL is unset |
    | only api_key | of the pair with this key, if any; AGENT_RUN_BASE_URL, otherwise OZ_API_BASE_URL | as given |
    | none | AGENT_RUN_BASE_URL | AGENT_RUN_API_KEY |
    | none, and nothing of that pair is set | OZ_API_BASE_URL | WARP_API_KEY |

    A pair with only one half set is not skipped: the missing half is an error. Raises ConfigurationError, which names
    the option or variable and never contains a key."""
    variables = os.environ if environment is None else environment

    def read(variable: str) -> _Setting | None:
        # A variable filled from a file or a secret often ends in a line break that is not part of its value.
        text = variables.get(variable, "").strip()
        return _Setting(text, variable) if text else None

    given_url = _read_option("base_url", base_url)
    given_key = None if callable(api_key) else _read_option("api_key", api_key)
    if callable(api_key) or given_key is not None:
        owners = [pair for pair in _PAIRS if given_key and (key := read(pair[1])) and key.text == given_key.text]
        candidates = owners or list(_PAIRS)
    else:
        candidates = [next((pair for pair in _PAIRS if read(pair[0]) or read(pair[1])), _PAIRS[0])]
    url = given_url or next((found for pair in candidates if (found := read(pair[0]))), None)
    if url is None:
        raise _missing("the address of the service", "base_url", candidates[0][0])
    address = _read_base_url(url)
    _check_scheme(url, address, allow_http)
    if callable(api_key):
        return address, api_key
    owner = next((pair for pair in _PAIRS if _is_owner(pair, address, read)), None)
    key = given_key or next(
        (found for pair in _PAIRS if _is_owner(pair, address, read) and (found := read(pair[1]))), None
    )
    if key is None:
        reasons = []
        for url_name, key_name in _PAIRS:
            if read(key_name):
                other = read(url_name)
                origin = _origin(_read_base_url(other)) if other else url_name
                reasons.append(f"the key in {key_name} belongs to {origin}")
        raise _missing(f"the API key for {address}", "api_key", owner[1] if owner else None, reasons)
    if not is_key(key.text):
        raise ConfigurationError(
            f"the API key in {key.name} contains a space, a line break or another invalid character", key.option
        )
    return address, key.text


def is_key(text: object) -> bool:
    """Whether a header can carry the text."""
    return isinstance(text, str) and re.fullmatch(r"[\x21-\x7e]+", text) is not None


def _is_owner(pair: tuple[str, str], address: str, read: Callable[[str], _Setting | None]) -> bool:
    url = read(pair[0])
    return pair is _PAIRS[0] if url is None else _read_base_url(url) == address


def _read_option(option: str, given: object) -> _Setting | None:
    if given is not None and not isinstance(given, str):
        raise ConfigurationError(f"the option {option} must be a string", option)
    return _Setting(given, f"the option {option}", option) if given and given.strip() else None


def _read_base_url(setting: _Setting) -> str:
    text = setting.text.strip()
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
        (host or "").encode("idna")
    except ValueError:
        url, host, port = urlsplit(""), None, None
    if url.scheme.lower() not in ("http", "https") or not host or re.search(r"[\s\x00-\x1f]", text):
        # The error shows only a plain host, because the value may be a misplaced key.
        plain = re.fullmatch(r"((?:[a-z0-9-]{1,20}\.)+[a-z]{2,20}|localhost)(:\d+)?(/[a-z0-9/]{0,20})?", text)
        scheme = "http" if plain and plain[1] == "localhost" else "https"
        instead = f', not "{text}". Use {scheme}://{text}' if plain else ""
        raise ConfigurationError(
            f"{setting.name} must be a URL that starts with https:// or http://{instead}", setting.option
        )
    if url.username is not None or url.password is not None:
        raise ConfigurationError(
            f"{setting.name} must not contain a user name or password; the key is a separate setting", setting.option
        )
    if url.query or url.fragment or "?" in text or "#" in text:
        raise ConfigurationError(f"{setting.name} must not contain a query or fragment", setting.option)
    scheme = url.scheme.lower()
    shown = f"[{host}]" if ":" in host else host
    at = "" if port is None or port == {"http": 80, "https": 443}[scheme] else f":{port}"
    bare = f"{scheme}://{shown}{at}{url.path.rstrip('/')}"
    return bare if bare.endswith(API_PREFIX) else f"{bare}{API_PREFIX}"


def _check_scheme(setting: _Setting, address: str, allow_http: bool) -> None:
    url = urlsplit(address)
    if url.scheme == "https" or allow_http or is_loopback(url.hostname or ""):
        return
    raise ConfigurationError(
        f"{setting.name}: the API key would be sent to {url.hostname} over plain HTTP. "
        "Use https, or allow it with the option allow_http",
        "allow_http",
    )


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(address: str) -> str:
    url = urlsplit(address)
    return f"{url.scheme}://{url.netloc}"


def _missing(what: str, option: str, variable: str | None, reasons: list[str] | None = None) -> ConfigurationError:
    because = f"{', '.join(reasons)}; " if reasons else ""
    otherwise = f", or set {variable}" if variable else ""
    return ConfigurationError(f"{what} is missing: {because}give the option {option}{otherwise}", option)
