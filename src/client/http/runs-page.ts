import type { RunPage } from '../../contract/page.ts';
import type { Run } from '../../contract/run.ts';
import { AgentRunsError } from '../errors/errors.ts';
import type { Answer } from './answer.ts';
import { ApiPromise } from './api-promise.ts';
import { parseRun } from './shape.ts';

/** Requests the page that a cursor names. */
type AskForPage = (cursor: string) => Promise<Answer>;

/** One page of a list. Iterating covers its runs and those of all later pages. */
export class RunsPage implements AsyncIterable<Run> {
  readonly runs: readonly Run[];
  readonly page_info: RunPage['page_info'];
  readonly #nextCursor: string | undefined;
  readonly #ask: AskForPage;
  /**
   * The cursors followed so far, with their page numbers. They stop a server that repeats a cursor from making an
   * endless list.
   */
  readonly #followed: Map<string, number>;
  readonly #number: number;

  constructor(page: RunPage, ask: AskForPage, followed = new Map<string, number>(), number = 0) {
    this.runs = page.runs.map(parseRun);
    this.page_info = page.page_info;
    this.#ask = ask;
    this.#followed = followed;
    this.#number = number;
    this.#nextCursor = page.page_info?.has_next_page === true ? page.page_info.next_cursor || undefined : undefined;
  }

  /**
   * False on an empty page, and if the cursor is missing or was already followed, regardless of the server's
   * `has_next_page`.
   */
  hasNextPage(): boolean {
    const cursor = this.#nextCursor;
    if (this.runs.length === 0 || cursor === undefined) return false;
    return (this.#followed.get(cursor) ?? this.#number) >= this.#number;
  }

  /** Throws AgentRunsError on the last page. */
  async getNextPage(): Promise<RunsPage> {
    const cursor = this.#nextCursor;
    if (cursor === undefined || !this.hasNextPage())
      throw new AgentRunsError('there is no next page; check hasNextPage() first');
    const answer = await this.#ask(cursor);
    this.#followed.set(cursor, this.#number);
    return new RunsPage(answer.data as RunPage, this.#ask, this.#followed, this.#number + 1);
  }

  /** This page and all after it. */
  async *iterPages(): AsyncGenerator<RunsPage, void, undefined> {
    let page: RunsPage = this;
    yield page;
    while (page.hasNextPage()) {
      page = await page.getNextPage();
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Run, void, undefined> {
    for await (const page of this.iterPages()) yield* page.runs;
  }
}

/** A list. Await it for the first page; iterate it for every run. */
export class RunList extends ApiPromise<RunsPage> implements AsyncIterable<Run> {
  constructor(first: Promise<Answer>, ask: AskForPage) {
    super(first, answer => new RunsPage(answer.data as RunPage, ask));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Run, void, undefined> {
    yield* await this;
  }
}
