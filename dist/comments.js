import {
  GitHubError
} from "./shared-github-error.js";
import {
  isObject
} from "./core.js";

// src/action/github/comments.ts
import { createHash } from "node:crypto";
var usualAuthor = "github-actions[bot]";
var maxCreates = 4;
var pageSize = 100;
var maxPages = 100;
function markerOf(key) {
  const safe = key.replace(/[^A-Za-z0-9._/]+/g, "-").replace(/-+/g, "-").replace(/^-|-$/g, "").slice(0, 80);
  const isSame = safe === key && safe !== "";
  const tail = isSame ? "" : `.${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
  return `<!-- agent-run:${safe}${tail} -->`;
}
async function upsertComment(github, {
  marker,
  body,
  author,
  creates = true,
  ...place
}) {
  if (!carries(body, marker)) throw new TypeError(`The body has no marker ${marker} in its first or last line`);
  for (let attempt = 0; ; attempt += 1) {
    const own = await findOwn(github, { ...place, marker, author });
    if (own !== void 0) return await edit(github, place, own, body);
    if (!creates) return void 0;
    try {
      const { data } = await github.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...addressOf(place),
        body
      });
      return { id: Number(data.id), link: data.html_url, author: data.user?.login, happened: "created" };
    } catch (error) {
      const mayRepeat = error instanceof GitHubError && error.mayBeDone && attempt + 1 < maxCreates;
      if (!mayRepeat || !await github.pause(attempt)) throw error;
    }
  }
}
async function edit(github, { owner, repo }, own, body) {
  const kept = { id: own.id, link: own.html_url, author: own.user?.login };
  if (own.body?.replaceAll("\r\n", "\n").trimEnd() === body.trimEnd()) return { ...kept, happened: "unchanged" };
  await github.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    owner,
    repo,
    comment_id: own.id,
    body
  });
  return { ...kept, happened: "edited" };
}
async function findOwn(github, { marker, author, ...place }) {
  let login = author?.toLowerCase();
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, headers } = await github.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      ...addressOf(place),
      per_page: pageSize,
      page
    });
    const listed = data;
    if (!Array.isArray(listed) || !listed.every(isObject))
      throw new GitHubError(`GitHub did not answer with a list of the comments of #${place.number}`, {});
    const marked = data.filter(({ body }) => carries(body ?? "", marker));
    if (marked.length > 0) login ??= (await readOwnLogin(github)).toLowerCase();
    const own = marked.find(({ user }) => user !== null && user.login.toLowerCase() === login);
    if (own !== void 0) return { ...own, id: Number(own.id) };
    const hasNext = headers.link === void 0 ? data.length >= pageSize : headers.link.includes('rel="next"');
    if (!hasNext || data.length === 0) return void 0;
  }
  const most = (maxPages * pageSize).toLocaleString("en");
  throw new GitHubError(
    `#${place.number} has more than ${most} comments (${maxPages} pages), and this step found no comment of its own among the first ones, so it writes none. Comment on a newer issue or set \`comment: off\``,
    {}
  );
}
async function readOwnLogin(github) {
  const asks = [
    async () => (await github.graphql("query { viewer { login } }")).viewer?.login,
    async () => (await github.request("GET /user")).data.login
  ];
  for (const ask of asks) {
    try {
      const login = await ask();
      if (typeof login === "string" && login !== "") return login;
    } catch (error) {
      if (error instanceof GitHubError && !error.isRefusal) throw error;
    }
  }
  return usualAuthor;
}
function carries(body, marker) {
  const lines = body.trim().split(/\r\n|\r|\n/);
  return lines[0]?.trim() === marker || lines.at(-1)?.trim() === marker;
}
function addressOf({ owner, repo, number }) {
  return { owner, repo, issue_number: number };
}
export {
  markerOf,
  upsertComment
};
