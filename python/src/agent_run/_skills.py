"""A skill as requests name it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORMS = "owner/repo:skill-name or owner/repo:path/to/SKILL.md"
_WORD = re.compile(r"[A-Za-z0-9._-]+")


class SkillSpecError(ValueError):
    """The text is not a skill. The message shows both forms."""


@dataclass(frozen=True)
class SkillSpec:
    """`owner/repo:name` or `owner/repo:path/SKILL.md`."""

    text: str
    owner: str
    repo: str
    name: str | None = None
    path: str | None = None
    """The path of its file inside the repository, if the skill is not named."""


def parse_skill_spec(text: str) -> SkillSpec:
    """Raises SkillSpecError."""
    place, colon, rest = text.partition(":")
    if not colon:
        raise _refusal(text, "the colon is missing")
    owner, _, repo = place.partition("/")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*", owner) or not _WORD.fullmatch(repo) or _is_dots(repo):
        raise _refusal(text, "the part before the colon must be owner/repo")
    if not rest:
        raise _refusal(text, "nothing follows the colon")
    if "/" not in rest:
        if rest == "SKILL.md":
            return SkillSpec(text, owner, repo, path=rest)
        if not _WORD.fullmatch(rest) or _is_dots(rest):
            raise _refusal(text, 'a name may contain only letters, digits, ".", "_" and "-"')
        return SkillSpec(text, owner, repo, name=rest)
    parts = rest.split("/")
    if parts[-1] != "SKILL.md":
        raise _refusal(text, "a path must end with SKILL.md")
    if any(part == "" or _is_dots(part) or "\\" in part or re.search(r"[\x00-\x1f]", part) for part in parts):
        raise _refusal(text, "a path must stay inside the repository")
    return SkillSpec(text, owner, repo, path=rest)


def skill_of(body: Mapping[str, Any]) -> Any:
    """The skill that is the task, from whichever of the three members has it."""
    config = body.get("config") or {}
    skills = config.get("skills") or [None]
    return body.get("skill") or config.get("skill_spec") or skills[0]


def _is_dots(part: str) -> bool:
    return part in (".", "..")


def _refusal(text: str, why: str) -> SkillSpecError:
    return SkillSpecError(f"{json.dumps(text, ensure_ascii=False)} is not a valid skill: {why}. Use {FORMS}")
