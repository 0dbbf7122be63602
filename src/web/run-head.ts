import { html } from 'hono/html';
import { printUsage } from '../base/wording/usage-total.ts';
import { revealControls, terminalText } from '../border/terminal-text.ts';
import type { ServedRun, StatusMessage } from '../contract/run.ts';
import { findErrorCode } from '../contract/tables/error-codes.ts';
import { apiPrefix, routePath } from '../contract/tables/routes.ts';
import { printRunText } from '../contract/tables/run-text.ts';
import { skillsOf } from '../contract/tables/skill-spec.ts';
import { isFinal } from '../contract/tables/state.ts';
import type { Html } from './html-document.ts';
import { renderLink } from './link.ts';
import { renderLeft } from './run-left.ts';
import { renderStateBadge, stateMeaning, stateWord } from './state-badge.ts';
import { printAgo, printMoment, printSpan } from './time-text.ts';

interface RunHeadData {
  readonly nowMs: number;
  /** The token that opened the page and opens its files. */
  readonly token: string;
}

/** The parts of the page that change while the run works. The script replaces the content of each by its id. */
export function renderRunHead(run: ServedRun, { nowMs, token }: RunHeadData): Html {
  return html`<div id="state" aria-live="polite" data-title="${runTitle(run)} · agent-run">${renderState(run)}</div>
<dl id="facts" class="facts">${renderFacts(run, nowMs)}</dl>
<section id="result" aria-label="Result">${renderResult(run)}</section>
<section id="left" aria-label="Artifacts">${renderLeft(run, token)}</section>
`;
}

/** `Failed: Tidy the tests`, for the browser tab. */
export function runTitle({ state, title }: ServedRun): string {
  return `${stateWord(state)}: ${revealControls(title)}`;
}

function renderState({ run_id, state, status_message: status, cancel_requested_at }: ServedRun): Html {
  const cancelling = cancel_requested_at !== undefined && !isFinal(state);
  const isTold = isFinal(state) || (status !== undefined && state !== 'BLOCKED');
  const aside = cancelling ? 'being canceled' : isTold ? '' : stateMeaning(state);
  return html`<p>${renderStateBadge(state)} <span class="quiet">${aside}</span></p>${status && renderStatus(status)}${
    state === 'BLOCKED' &&
    html`<p class="quiet">Answer with <code>npx agent-run followup ${revealControls(run_id)} MESSAGE</code></p>`
  }`;
}

function renderStatus({ message, error_code, reason = error_code, retryable }: StatusMessage): Html {
  return html`<p class="message" dir="auto">${terminalText(message)}</p>${
    reason !== undefined &&
    html`<p class="quiet">${renderErrorCode(reason)}${retryable && ': retrying can succeed'}</p>`
  }`;
}

function renderErrorCode(code: string): Html {
  const row = findErrorCode(code);
  return row === undefined
    ? html`<code>${revealControls(code)}</code>`
    : html`<a href="../errors/${row.code}"><code>${row.code}</code></a>`;
}

function renderFacts(run: ServedRun, nowMs: number): readonly Html[] {
  const { started_at, finished_at, trigger_url, metadata = {} } = run;
  const created = Date.parse(run.created_at);
  const started = started_at === null ? undefined : Date.parse(started_at);
  const isOpen = finished_at === null;
  // The server's clock may have been set between the two times.
  const workedSeconds = /^PT([\d.]+)S$/.exec(run.run_time ?? '')?.[1];
  return [
    renderFact(
      'Created',
      html`${renderMoment(run.created_at)} <span class="quiet">${printAgo(nowMs - created)}</span>`,
    ),
    started_at !== null &&
      started !== undefined &&
      renderFact(
        'Started',
        html`${renderMoment(started_at)} <span class="quiet">${
          isOpen ? `${printSpan(nowMs - started)} ago` : `waited ${printSpan(started - created)}`
        }</span>`,
      ),
    finished_at !== null &&
      renderFact(
        'Finished',
        html`${renderMoment(finished_at)} <span class="quiet">${workedSeconds !== undefined && `took ${printSpan(Number(workedSeconds) * 1000)}`}</span>`,
      ),
    run.attempt > 1 && renderFact('Attempt', run.attempt),
    run.conversation_id !== run.run_id &&
      renderFact('Conversation', html`<code>${revealControls(run.conversation_id)}</code>`),
    renderFact('Source', html`<code>${revealControls(run.source)}</code>`),
    trigger_url !== undefined && renderFact('Triggered by', renderLink(trigger_url)),
    ...renderConfig(run),
    ...renderUsage(run.request_usage ?? {}),
    ...Object.entries(metadata).map(([name, value]) =>
      renderFact(html`<code>${revealControls(name)}</code>`, revealControls(value)),
    ),
  ].filter(fact => fact !== false);
}

function renderFact(name: Html | string, value: Html | string | number): Html {
  return html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
}

/** What the run was asked to do. MCP servers appear only by name, because everyone with the link sees this page. */
function renderConfig(run: ServedRun): readonly (Html | false)[] {
  const { agent_config: config, agent_skill: skill, repository, ref, sha } = run;
  const { name, harness, idle_timeout_minutes: idleMinutes } = config;
  const [spec = skill?.name, ...moreSkills] = skillsOf({ config });
  // A run without its own name has its skill's.
  const isNamed = name !== undefined && ![`:${name}`, `/${name}/SKILL.md`].some(end => spec?.endsWith(end));
  const path = skill?.full_path;
  const shown = {
    Name: isNamed ? name : undefined,
    Skill: spec,
    'Skill file': path === undefined || spec?.endsWith(`:${path}`) ? undefined : path,
    'More skills': moreSkills.join(', '),
    // The server may no longer have the environment with this uid.
    Environment: run.environment_name ?? config.environment_id,
    Repository: repository,
    Ref: ref,
    Commit: sha,
    Harness: harness?.name ?? harness?.type,
    Model: config.model_id,
    'MCP servers': Object.keys(config.mcp_servers ?? {}).join(', '),
    'Idle timeout': idleMinutes === undefined ? undefined : `${idleMinutes} min`,
  };
  return [
    ...Object.entries(shown).map(
      ([label, value = '']) => value !== '' && renderFact(label, html`<code>${revealControls(value)}</code>`),
    ),
    // Often a whole paragraph.
    skill?.description !== undefined &&
      html`<div class="broad"><dt>Skill description</dt><dd><bdi>${revealControls(skill.description)}</bdi></dd></div>`,
  ];
}

function renderUsage(usage: Readonly<Record<string, unknown>>): readonly Html[] {
  const text = printUsage(usage);
  return text === '' ? [] : [html`<div class="broad"><dt>Usage</dt><dd><bdi>${revealControls(text)}</bdi></dd></div>`];
}

function renderMoment(time: string): Html {
  return html`<time datetime="${time}">${printMoment(time)}</time>`;
}

function renderResult({ run_id, result }: ServedRun): Html | '' {
  if (result === undefined) return '';
  const address = `${apiPrefix}${routePath('readResult', { runId: run_id })}`;
  const said = printRunText({ text: result.text, leftOutBytes: result.left_out_bytes ?? 0 });
  return html`<h2>Result</h2>
<pre class="result" dir="auto" tabindex="0">${terminalText(said)}</pre>${
    result.truncated &&
    html`<p class="quiet">This is only the beginning. <code>GET ${address}</code> returns ${result.left_out_bytes === undefined ? 'all of it' : 'all that was kept'}.</p>`
  }`;
}
