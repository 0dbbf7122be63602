"""Pages of a list, which stop where a server would make them endless."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from ._answer import Answer
from ._errors import AgentRunsError
from ._io import run as run_sync
from ._types import Json, Run

AskForPage = Callable[["str | None"], Coroutine[Any, Any, Answer]]
"""Requests the page that a cursor names."""


P = TypeVar("P", bound="Page")


class Page:
    """One page of a list, and whether another follows."""

    def __init__(self, data: Json, ask: AskForPage, followed: dict[str, int] | None = None, number: int = 0) -> None:
        self.runs: tuple[Run, ...] = tuple(Run.read(run) for run in data["runs"])
        self.page_info: Json = data["page_info"]
        cursor = self.page_info.get("next_cursor") if self.page_info.get("has_next_page") is True else None
        self._cursor = cursor if isinstance(cursor, str) and cursor else None
        self._ask = ask
        # The cursors followed so far, with their page numbers. They stop a server that repeats a cursor.
        self._followed: dict[str, int] = {} if followed is None else followed
        self._number = number

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.runs)} runs, has_next_page={self.has_next_page()})"

    def has_next_page(self) -> bool:
        """False on an empty page, and if the cursor is missing or was already followed, whatever the server says."""
        if not self.runs or self._cursor is None:
            return False
        return self._followed.get(self._cursor, self._number) >= self._number

    async def _next(self: P) -> P:
        cursor = self._cursor
        if cursor is None or not self.has_next_page():
            raise AgentRunsError("there is no next page; check has_next_page() first")
        answer = await self._ask(cursor)
        self._followed[cursor] = self._number
        return type(self)(answer.data, self._ask, self._followed, self._number + 1)


class RunsPage(Page):
    """One page of a list. Iterating covers its runs and those of all later pages."""

    def get_next_page(self) -> RunsPage:
        """Raises AgentRunsError on the last page."""
        return run_sync(self._next())

    def iter_pages(self) -> Iterator[RunsPage]:
        """This page and all after it."""
        page = self
        yield page
        while page.has_next_page():
            page = page.get_next_page()
            yield page

    def __iter__(self) -> Iterator[Run]:
        for page in self.iter_pages():
            yield from page.runs


class AsyncRunsPage(Page):
    """One page of a list. `async for` covers its runs and those of all later pages."""

    async def get_next_page(self) -> AsyncRunsPage:
        """Raises AgentRunsError on the last page."""
        return await self._next()

    async def iter_pages(self) -> AsyncIterator[AsyncRunsPage]:
        """This page and all after it."""
        page = self
        yield page
        while page.has_next_page():
            page = await page.get_next_page()
            yield page

    async def __aiter__(self) -> AsyncIterator[Run]:
        async for page in self.iter_pages():
            for run in page.runs:
                yield run
