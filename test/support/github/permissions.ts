/** What each request needs. GitHub refuses a token that has none of the alternatives. */

export type Granted = Readonly<Record<string, 'read' | 'write'>>;

interface Need {
  /** Method and path, or the name of a GraphQL mutation. */
  readonly request: RegExp;
  /** Alternatives, in GitHub's spelling. */
  readonly needs: readonly string[];
  readonly source: string;
}

const table = 'https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps';

export const permissionTable: readonly Need[] = [
  {
    request: /^(POST|PUT) \/repos\/[^/]+\/[^/]+\/pulls\/\d+\/reviews\b/,
    needs: ['pull_requests=write'],
    source: table,
  },
  { request: /^PATCH \/repos\/[^/]+\/[^/]+\/pulls\/comments\/\d+$/, needs: ['pull_requests=write'], source: table },
  {
    request: /^(POST|PATCH) \/repos\/[^/]+\/[^/]+\/issues\/(\d+\/comments|comments\/\d+)$/,
    needs: ['issues=write', 'pull_requests=write'],
    source: table,
  },
  {
    request: /^POST \/repos\/[^/]+\/[^/]+\/issues\/\d+\/labels$/,
    needs: ['issues=write', 'pull_requests=write'],
    source: table,
  },
  {
    request: /^GET \/repos\/[^/]+\/[^/]+\/issues\/\d+(\/comments)?$/,
    needs: ['issues=read', 'pull_requests=read'],
    source: table,
  },
  {
    request: /^(POST|PATCH) \/repos\/[^/]+\/[^/]+\/git\/(blobs|trees|commits|refs)\b/,
    needs: ['contents=write'],
    source: table,
  },
  {
    request: /^GET \/repos\/[^/]+\/[^/]+\/(git|compare)\//,
    needs: ['contents=read'],
    source: table,
  },
  {
    request: /^(POST|PATCH) \/repos\/[^/]+\/[^/]+\/pulls(\/\d+(\/requested_reviewers)?)?$/,
    needs: ['pull_requests=write'],
    source: table,
  },
  { request: /^GET \/repos\/[^/]+\/[^/]+\/pulls(\/\d+|$)/, needs: ['pull_requests=read'], source: table },
  {
    request: /^mutation resolveReviewThread$/,
    needs: ['contents=write'],
    source: 'https://github.com/orgs/community/discussions/44650',
  },
];

/** The alternatives that a token lacks. Undefined if it may send the request. */
export function findLack(request: string, granted: Granted): readonly string[] | undefined {
  const needs = permissionTable.find(row => row.request.test(request))?.needs ?? [];
  const isMet = needs.some(need => {
    const [name = '', level] = need.split('=');
    return granted[name] === 'write' || granted[name] === level;
  });
  return needs.length === 0 || isMet ? undefined : needs;
}
