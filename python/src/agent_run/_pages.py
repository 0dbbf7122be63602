"""Pages of a list, which stop where a server would make them endless."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

from ._answer import Answer
from ._errors import AgentRunsError
from ._io import run as run_sync
from ._types import Json, Run

AskForPage = Callable[["str | None"], Coroutine[Any, Any, Answer]]
"""Requests the page that a cursor names."""


class PageData:
    """One page, and whether another follows."""

    def __init__(self, data: Json, followed: dict[str, int] | None = None, number: int = 0) -> None:
        self.runs: tuple[Run, ...] = tuple(Run.read(run) for run in data["runs"])
        self.page_info: Json = data["page_info"]
        cursor = self.page_info.get("next_cursor") if self.page_info.get("has_next_page") is True else None
        self._cursor = cursor if isinstance(cursor, str) and cursor else None
        # The cursors followed so far, with their page numbers. They stop a server that repeats a cursor.
        self._followed: dict[str, int] = {} if followed is None else followed
        self._number = number

    def has_next_page(self) -> bool:
        """False on an empty page, and if the cursor is missing or was already followed, whatever the server says."""
        if not self.runs or self._cursor is None:
            return False
        return self._followed.get(self._cursor, self._number) >= self._number

    async def next_page(self, ask: AskForPage) -> PageData:
        """Raises AgentRunsError on the last page."""
        cursor = self._cursor
        if cursor is None or not self.has_next_page():
            raise AgentRunsError("there is no next page; check has_next_page() first")
        answer = await ask(cursor)
        self._followed[cursor] = self._number
        return PageData(answer.data, self._followed, self._number + 1)



class RunsPage:
    """One page of a list. Iterating covers its runs and those of all later pages."""

    def __init__(self, page: PageData, ask: AskForPage) -> None:
        self._page, self._ask = page, ask
        self.runs: tuple[Run, ...] = page.runs
        self.page_info: Json = page.page_info

    def __repr__(self) -> str:
        return f"RunsPage({len(self.runs)} runs, has_next_page={self.has_next_page()})"

    def has_next_page(self) -> bool:
        """Whether the server has more runs."""
        return self._page.has_next_page()

    def get_next_page(self) -> RunsPage:
        """Raises AgentRunsError on the last page."""
        return RunsPage(run_sync(self._page.next_page(self._ask)), self._ask)

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


class AsyncRunsPage:
    """One page of a list. `async for` covers its runs and those of all later pages."""

    def __init__(self, page: PageData, ask: AskForPage) -> None:
        self._page, self._ask = page, ask
        self.runs: tuple[Run, ...] = page.runs
        self.page_info: Json = page.page_info

    def __repr__(self) -> str:
        return f"AsyncRunsPage({len(self.runs)} runs, has_next_page={self.has_next_page()})"

    def has_next_page(self) -> bool:
        """Whether the server has more runs."""
        return self._page.has_next_page()

    async def get_next_page(self) -> AsyncRunsPage:
        """Raises AgentRunsError on the last page."""
        return AsyncRunsPage(await self._page.next_page(self._ask), self._ask)

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
