import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { messageOf } from '../../base/cause.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

/** The parts of an action's metadata that the runner needs. */
export interface ActionMetadata {
  /** By name, in the order of the file. */
  readonly inputs: ReadonlyMap<string, ActionInput>;
  /** Absolute paths of files that exist. */
  readonly main: string;
  readonly post: string | undefined;
  /** Whether there is a `pre`, which GitHub does not run for an action of the workspace. */
  readonly hasPre: boolean;
}

interface ActionInput {
  /** May contain `${{ }}` expressions. '' if there is none. */
  readonly default: string;
  readonly deprecationMessage: string | undefined;
}

/** An action that cannot be run here: no metadata, not a JavaScript action, or a missing file. */
export class ActionMetadataError extends Error {
  override readonly name = 'ActionMetadataError';
}

/** Reads `action.yml` or `action.yaml` of a folder. Throws ActionMetadataError. */
export function readActionMetadata(actionDir: string): ActionMetadata {
  const path = ['action.yml', 'action.yaml'].map(name => join(actionDir, name)).find(existsSync);
  if (path === undefined)
    throw new ActionMetadataError(`Can't find 'action.yml' or 'action.yaml' under '${actionDir}'`);
  const document = readYaml(path);
  const runs = isObject(document.runs) ? document.runs : {};
  const using = runs.using;
  if (typeof using !== 'string' || !/^node\d+$/i.test(using))
    throw new ActionMetadataError(`${path}: only JavaScript actions run here; runs.using is ${JSON.stringify(using)}`);
  const postIf = runs['post-if'] ?? 'always()';
  if (postIf !== 'always()')
    throw new ActionMetadataError(`${path}: post-if is ${JSON.stringify(postIf)}; only always() is understood here`);
  const main = findEntry({ actionDir, path, key: 'main', entry: runs.main });
  if (main === undefined) throw new ActionMetadataError(`${path}: runs.main is missing`);
  const post = findEntry({ actionDir, path, key: 'post', entry: runs.post });
  return { inputs: readInputs(document.inputs), main, post, hasPre: runs.pre !== undefined };
}

function readYaml(path: string): JsonObject {
  let document: unknown;
  try {
    document = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new ActionMetadataError(`${path}: ${messageOf(cause)}`, { cause });
  }
  if (!isObject(document)) throw new ActionMetadataError(`${path}: a mapping is expected`);
  return document;
}

function findEntry(request: {
  readonly actionDir: string;
  readonly path: string;
  readonly key: 'main' | 'post';
  readonly entry: unknown;
}): string | undefined {
  if (request.entry === undefined) return undefined;
  const file = resolve(request.actionDir, String(request.entry));
  if (!existsSync(file))
    throw new ActionMetadataError(`${request.path}: runs.${request.key} names ${file}, which does not exist`);
  return file;
}

function readInputs(inputs: unknown): ReadonlyMap<string, ActionInput> {
  const entries = isObject(inputs) ? Object.entries(inputs) : [];
  return new Map(entries.map(([name, input]) => [name, readInput(isObject(input) ? input : {})]));
}

function readInput(input: JsonObject): ActionInput {
  const message = input.deprecationMessage;
  return {
    default: String(input.default ?? ''),
    deprecationMessage: typeof message === 'string' ? message : undefined,
  };
}
