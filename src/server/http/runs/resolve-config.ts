import type * as z from 'zod';
import type { AgentConfig } from '../../../contract/config.ts';
import type { createRunSchema } from '../../../contract/create.ts';
import { parseSkillSpec, type SkillSpec, skillName, skillsOf } from '../../../contract/tables/skill-spec.ts';
import { refuseCheckout } from '../../environments/checkout.ts';
import { type Environment, findEnvironment, findRepository } from '../../environments/environment.ts';
import type { HttpParts } from '../app.ts';
import { RequestError } from '../problem-response.ts';

export type Body = z.output<typeof createRunSchema>;

/** Time for some of the pending requests to finish. */
const retrySeconds = 5;

/** Members of the contract that this server does not support. Ignoring them would start a different run. */
const notHonoured: readonly {
  readonly path: string;
  /** The only supported value, if there is one. */
  readonly accepted?: string;
  readonly isAsked: (body: Body) => boolean;
}[] = [
  { path: 'mode', isAsked: body => body.mode !== undefined && body.mode !== 'normal' },
  { path: 'attachments', isAsked: body => (body.attachments ?? []).length > 0 },
  { path: 'images', isAsked: body => (body.images ?? []).length > 0 },
  { path: 'parent_run_id', isAsked: body => body.parent_run_id !== undefined },
  { path: 'agent_identity_uid', isAsked: body => body.agent_identity_uid !== undefined },
  { path: 'on_behalf_of', isAsked: body => body.on_behalf_of !== undefined },
  { path: 'config.computer_use_enabled', isAsked: body => body.config?.computer_use_enabled === true },
  {
    path: 'config.worker_host',
    accepted: 'warp',
    isAsked: body => (body.config?.worker_host ?? 'warp') !== 'warp',
  },
  { path: 'config.harness_auth_secrets', isAsked: body => body.config?.harness_auth_secrets !== undefined },
  { path: 'config.memory_stores', isAsked: body => (body.config?.memory_stores ?? []).length > 0 },
  { path: 'config.inference_providers', isAsked: body => body.config?.inference_providers !== undefined },
  {
    // Anyone with the run's link can view it, and every run has a link.
    path: 'config.session_sharing.public_access',
    accepted: 'VIEWER',
    isAsked: body => (body.config?.session_sharing?.public_access ?? 'VIEWER') !== 'VIEWER',
  },
  { path: 'config.credential_strategy', isAsked: body => (body.config?.credential_strategy ?? null) !== null },
  { path: 'config.computer_use_model_id', isAsked: body => body.config?.computer_use_model_id !== undefined },
  { path: 'config.harness.auth_secret_name', isAsked: body => body.config?.harness?.auth_secret_name !== undefined },
  { path: 'config.harness.reasoning_level', isAsked: body => body.config?.harness?.reasoning_level !== undefined },
  { path: 'config.runner_id', isAsked: body => body.config?.runner_id !== undefined },
];

/**
 * Resolves the configuration of a run: one skill, a name, a harness of this server, its environment's uid. Throws
 * RequestError: 422 for unsupported values, 404 for an unknown skill or environment, 503 with too many requests at
 * once. The signal aborts when the caller has left.
 */
export async function resolveConfig(
  body: Body,
  {
    harnesses,
    environments,
    refuseSkill,
    completeConfig,
    limits,
    signal,
  }: Pick<HttpParts, 'harnesses' | 'environments' | 'refuseSkill' | 'completeConfig' | 'limits'> & {
    readonly signal: AbortSignal;
  },
): Promise<{ config: AgentConfig; skillLabel: string | undefined }> {
  const asked = notHonoured
    .filter(({ isAsked }) => isAsked(body))
    .map(({ path, accepted }) => (accepted === undefined ? path : `${path} (only ${accepted} is accepted)`));
  if (asked.length > 0)
    throw new RequestError('operation_not_supported', `this server does not support ${asked.join(', ')}; remove it`);
  const { skills: _skills, skill_spec: _skill, environment_id, harness, ...given } = body.config ?? {};
  const environment = environment_id === undefined ? undefined : chooseEnvironment(environment_id, environments);
  const checkoutFault = environment && refuseCheckout(environment, body);
  if (checkoutFault !== undefined) throw new RequestError('operation_not_supported', checkoutFault);
  const specs = skillsOf(body).map(parseSkillSpec);
  for (const asked of specs) {
    // The environment's repository is not cloned yet, so its skills are unknown.
    if (environment !== undefined && bringsSkill(environment, asked)) continue;
    const refusal = await refuseSkill(asked);
    if (refusal !== undefined) throw new RequestError('resource_not_found', refusal);
  }
  const harnessName = chooseHarness(harness, harnesses);
  const canResume = harnesses.canResume(harnessName);
  const keptMax = canResume ? limits.keep_conversation_minutes : 0;
  if ((given.idle_timeout_minutes ?? 0) > keptMax)
    throw new RequestError(
      'operation_not_supported',
      canResume && keptMax > 0
        ? `config.idle_timeout_minutes: must be at most ${keptMax} on this server (limits.keep_conversation_minutes), not ${given.idle_timeout_minutes}`
        : `config.idle_timeout_minutes: ${canResume ? 'this server does not keep conversations' : `the harness ${harnessName} cannot continue a conversation`}; remove it`,
    );
  const [spec] = specs;
  const skillLabel = spec && skillName(spec);
  const name = given.name ?? skillLabel;
  const completed = await completeConfig(
    {
      ...given,
      ...(name === undefined ? {} : { name }),
      ...(environment === undefined ? {} : { environment_id: environment.uid }),
      ...(spec === undefined ? {} : { skill_spec: spec.text }),
      ...(specs.length > 1 ? { skills: specs.map(({ text }) => text) } : {}),
      harness: { type: harnessName },
    },
    signal,
  );
  if ('refused' in completed) {
    const headers = completed.refused === 'resource_unavailable' ? { 'Retry-After': String(retrySeconds) } : {};
    throw new RequestError(completed.refused, completed.message, { headers });
  }
  if (body.interactive === true && !harnesses.canResume(harnessName))
    throw new RequestError(
      'operation_not_supported',
      `interactive: the harness ${harnessName} has no agent that can continue after an answer; remove it, or choose a harness with an agent`,
    );
  if (body.interactive === true && limits.keep_conversation_minutes === 0)
    throw new RequestError(
      'operation_not_supported',
      'interactive: this server does not keep conversations, so an answer could not continue one; remove it, or set limits.keep_conversation_minutes on the server above 0',
    );
  return { config: completed.config, skillLabel };
}

/** Moves the model to its one place in the body. */
export function settleModel(body: Body): Body {
  const { model_id: model, ...rest } = body.config?.harness ?? {};
  if (model === undefined) return body;
  // An empty object would name the default harness.
  const harness = Object.keys(rest).length === 0 ? undefined : rest;
  return { ...body, config: { ...body.config, model_id: model, harness } };
}

export function chooseEnvironment(asked: string, environments: HttpParts['environments']): Environment {
  const environment = findEnvironment(environments, asked);
  if (environment !== undefined) return environment;
  const known =
    environments.length === 0 ? 'it has no environments' : `it has ${environments.map(({ name }) => name).join(', ')}`;
  throw new RequestError(
    'resource_not_found',
    `config.environment_id: this server has no environment ${JSON.stringify(asked)}; ${known}`,
  );
}

function bringsSkill(environment: Environment, { owner, repo }: SkillSpec): boolean {
  return findRepository(environment, `${owner}/${repo}`) !== undefined;
}

/**
 * Returns the harness name of a request. It may be in `name`, in `type`, or follow from a published type if the
 * program has only one harness. `oz` means the default. Throws RequestError 422.
 */
export function chooseHarness(
  asked: AgentConfig['harness'],
  { names, default: usual, publishedType }: HttpParts['harnesses'],
): string {
  const refuse = (path: string, fault: string): never => {
    throw new RequestError('operation_not_supported', `config.harness.${path}: ${fault}; it has ${names.join(', ')}`);
  };
  if (usual === undefined)
    throw new RequestError(
      'operation_not_supported',
      'this server has no harness, so it cannot run anything; add one under `harnesses` in its configuration',
    );
  const { type, name } = asked ?? {};
  if (name !== undefined) {
    if (!names.includes(name)) refuse('name', `this server has no harness ${JSON.stringify(name)}`);
    if (type !== undefined && type !== name && type !== publishedType(name))
      refuse('name', `the harness ${name} does not have the type ${JSON.stringify(type)}; remove one of the two`);
    return name;
  }
  if (type === undefined || type === 'oz') return usual;
  if (names.includes(type)) return type;
  const [only, ...others] = names.filter(known => publishedType(known) === type);
  if (others.length > 0)
    refuse('type', `this server has several harnesses for ${type}; choose one with config.harness.name`);
  return only ?? refuse('type', `this server has no harness ${JSON.stringify(type)}`);
}
