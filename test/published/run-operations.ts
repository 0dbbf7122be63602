/** Starting runs, following them, and what they leave. */
import { address, anything, flag, integer, list, map, object, text, time, uuid, word } from './json-schema.ts';
import type { PublishedOperation } from './operations.ts';
import type { Shapes } from './shapes.ts';
import type { PublishedClient } from './words.ts';

const ok = { status: 200 } as const;

export function listRunOperations(client: PublishedClient, { run, state, config, metadata, mode }: Shapes) {
  const create = {
    ...ok,
    method: 'POST',
    body: object(
      {},
      {
        prompt: text,
        title: text,
        skill: text,
        config,
        team: flag,
        mode,
        interactive: flag,
        attachments: list(object({ file_name: text, mime_type: text, data: text }), { maxItems: 5 }),
        images: list(object({ data: text, mime_type: word('ImageType', client) }), { maxItems: 5 }),
        conversation_id: text,
        parent_run_id: text,
        agent_identity_uid: text,
        on_behalf_of: text,
        metadata,
      },
    ),
    answer: object({ run_id: uuid, task_id: uuid, state }, { at_capacity: flag }),
  } as const;
  const step = object(
    { id: text },
    {
      description: text,
      summary: text,
      started_at: time,
      completed_at: time,
      messages: list(object({ role: word('MessageRole', client) })),
      steps: list(anything),
    },
  );
  const conversation = object({ conversation_id: text, steps: list(step) });
  const timelineEvent = object(
    { event_uuid: text, run_id: text, event_type: word('TimelineEventType', client), occurred_at: time },
    { execution_id: integer, payload: anything },
  );
  const handoffFile = object({ attachment_id: text, filename: text, download_url: address }, { mime_type: text });
  const query = {
    limit: { ...integer, minimum: 1, maximum: 500 },
    cursor: text,
    sort_by: word('RunOrder', client),
    sort_order: word('SortOrder', client),
    state: list(state),
    name: text,
    model_id: text,
    creator: text,
    executor: text,
    source: word('RunSourceType', client),
    execution_location: word('ExecutionLocation', client),
    created_after: time,
    created_before: time,
    updated_after: time,
    environment_id: text,
    skill_spec: text,
    skill: text,
    schedule_id: text,
    ancestor_run_id: text,
    metadata: map(text),
    artifact_type: word('ArtifactType', client),
    q: text,
    automation_id: text,
    factory_uid: text,
  };
  const pageInfo = object({ has_next_page: flag }, { next_cursor: text });
  return [
    { ...create, path: '/agent/run' },
    { ...create, path: '/agent/runs' },
    { ...ok, method: 'GET', path: '/agent/runs', query, answer: object({ runs: list(run), page_info: pageInfo }) },
    { ...ok, method: 'GET', path: '/agent/runs/{runId}', answer: run },
    { ...ok, method: 'POST', path: '/agent/runs/{runId}/cancel', answer: uuid },
    {
      ...ok,
      method: 'POST',
      path: '/agent/runs/{runId}/followups',
      body: object({}, { message: text, mode }),
      answer: object({}),
    },
    {
      ...ok,
      method: 'GET',
      path: '/agent/runs/{runId}/handoff/attachments',
      answer: object({ attachments: list(handoffFile) }),
    },
    { ...ok, method: 'GET', path: '/agent/runs/{runId}/timeline', answer: object({ events: list(timelineEvent) }) },
    { ...ok, method: 'GET', path: '/agent/runs/{runId}/conversation', answer: conversation },
    { status: 302, method: 'GET', path: '/agent/runs/{runId}/transcript' },
    { ...ok, method: 'POST', path: '/agent/runs/{runId}/scores' },
    {
      ...ok,
      method: 'GET',
      path: '/agent/run-by-external-reference',
      query: { url: { ...text, maxLength: 2048 } },
      answer: object({ run_id: text }),
    },
    { ...ok, method: 'GET', path: '/agent/conversations/{conversationId}', answer: conversation },
    { status: 302, method: 'GET', path: '/agent/conversations/{conversationId}/transcript' },
    {
      ...ok,
      isOpen: true,
      method: 'GET',
      path: '/agent/conversations/{conversationId}/redirect',
      answer: object({}, { session_id: text }),
    },
    {
      ...ok,
      isOpen: true,
      method: 'GET',
      path: '/agent/sessions/{sessionUuid}/redirect',
      answer: object({}, { conversation_id: text }),
    },
  ] as const satisfies readonly PublishedOperation[];
}
