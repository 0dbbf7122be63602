import { isObject, type JsonObject } from '../../base/json.ts';
import type { Run } from '../../client/index.ts';

/**
 * A run as the types say that it is: another service, or a broken one, may have written null or anything else. Members of another kind are left out, so
 * that nobody who reports has to ask again. The state is kept as it is: the client sees to it.
 */
export function tidyRun(run: Run): Run {
  const said = run as unknown as JsonObject;
  const tidy: JsonObject = {
    ...said,
    title: textOr(said.title, ''),
    prompt: textOr(said.prompt, ''),
    status_message: tidyStatus(said.status_message),
    result: tidyResult(said.result),
    agent_config: tidyConfig(said.agent_config),
    agent_skill: isObject(said.agent_skill) ? said.agent_skill : undefined,
    artifacts: Array.isArray(said.artifacts) ? said.artifacts.filter(isArtifact) : undefined,
    request_usage: isObject(said.request_usage) ? said.request_usage : undefined,
    ...Object.fromEntries(texts.map(name => [name, textOr(said[name], undefined)])),
    ...Object.fromEntries(times.map(name => [name, said[name] === null ? null : textOr(said[name], undefined)])),
  };
  return Object.fromEntries(Object.entries(tidy).filter(([, value]) => value !== undefined)) as unknown as Run;
}

const texts = ['created_at', 'updated_at', 'environment_name', 'session_id', 'session_link', 'trigger_url'] as const;
const times = ['started_at', 'finished_at'] as const;

function textOr<Otherwise>(value: unknown, otherwise: Otherwise): string | Otherwise {
  return typeof value === 'string' ? value : otherwise;
}

function tidyStatus(status: unknown): JsonObject | undefined {
  if (!isObject(status)) return undefined;
  const codes = (['error_code', 'reason'] as const).flatMap(name => {
    const code = status[name];
    return typeof code === 'string' && code !== '' ? [[name, code]] : [];
  });
  if (typeof status.message !== 'string' && codes.length === 0) return undefined;
  return { message: textOr(status.message, ''), ...Object.fromEntries(codes) };
}

function tidyResult(result: unknown): JsonObject | undefined {
  if (!isObject(result)) return undefined;
  const { text, truncated, left_out_bytes: leftOut, structured } = result;
  const isThere = structured !== undefined && structured !== null;
  if (typeof text !== 'string' && !isThere) return undefined;
  return {
    text: textOr(text, ''),
    truncated: truncated === true,
    ...(Number.isSafeInteger(leftOut) && Number(leftOut) > 0 ? { left_out_bytes: leftOut } : {}),
    ...(isThere ? { structured } : {}),
  };
}

/** Its texts, the list of skills and the harness: what is shown of it. */
function tidyConfig(config: unknown): JsonObject | undefined {
  if (!isObject(config)) return undefined;
  const { skills, harness, ...rest } = config;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === 'string')),
    ...(Array.isArray(skills) ? { skills: skills.filter(skill => typeof skill === 'string') } : {}),
    ...(isObject(harness) ? { harness } : {}),
  };
}

function isArtifact(artifact: unknown): boolean {
  return isObject(artifact) && typeof artifact.artifact_type === 'string' && isObject(artifact.data);
}
