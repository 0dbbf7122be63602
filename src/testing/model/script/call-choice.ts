import { isObject, type JsonObject } from '../../../base/json.ts';
import { readPath } from '../apis/parts.ts';
import type { ModelRequest, OfferedTool } from '../model-request.ts';
import type { ReplyCall } from '../reply.ts';
import { fillRequired } from './schema-filling.ts';
import type { ScriptedCall } from './turn.ts';

const shells = /^(bash|shell|shell_command|exec_command|run_shell_command|execute_command|run_command)$/i;
const readers = /^(read|read_file)$/i;
const writers = /^(write|write_file|create_file)$/i;
const commands = ['command', 'cmd'];
const paths = ['file_path', 'filePath', 'path', 'absolute_path'];
const contents = ['content', 'contents', 'text'];

/** A script calls a tool that the request does not offer. */
export class CallChoiceError extends Error {
  override readonly name = 'CallChoiceError';
}

/** Finds the tool for a script's call in the request. Throws CallChoiceError with the offered tools. */
export function chooseCall(call: ScriptedCall, request: ModelRequest): ReplyCall {
  if ('shell' in call) return callShell(call.shell, request);
  if ('read' in call) {
    const reader = request.tools.find(({ name }) => readers.test(name));
    if (reader === undefined) return callShell(`cat ${quote(call.read)}`, request);
    return callTool(reader, { [nameField(reader, paths)]: call.read });
  }
  if ('write' in call) {
    const { path, content } = call.write;
    const writer = request.tools.find(({ name }) => writers.test(name));
    if (writer !== undefined)
      return callTool(writer, { [nameField(writer, paths)]: path, [nameField(writer, contents)]: content });
    return callShell(`mkdir -p "$(dirname ${quote(path)})" && printf %s ${quote(content)} > ${quote(path)}`, request);
  }
  if ('mcp' in call) return callTool(findMcpTool(call.mcp, request), call.mcp.input ?? {});
  const name = typeof call.name === 'function' ? call.name(request) : call.name;
  // Called even if it is not offered: models do that.
  const tool = request.tools.find(offered => offered.name === name) ?? { name, kind: 'function', schema: undefined };
  if (!('inputText' in call)) return createCall(tool, call.input);
  return { ...createCall(tool, call.inputText), inputText: call.inputText };
}

function callShell(command: string, request: ModelRequest): ReplyCall {
  const shell = request.tools.find(({ name }) => shells.test(name));
  if (shell === undefined) throw new CallChoiceError(`no shell tool among ${nameTools(request)}`);
  const field = nameField(shell, commands);
  const isList = readPath(shell.schema, 'properties', field, 'type') === 'array';
  return callTool(shell, { [field]: isList ? ['bash', '-c', command] : command });
}

function callTool(tool: OfferedTool, input: unknown): ReplyCall {
  return createCall(tool, isObject(input) ? fillRequired(tool.schema, input) : input);
}

function createCall({ name, namespace, kind }: OfferedTool, input: unknown): ReplyCall {
  const inputText = kind === 'custom' && typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}');
  return { name, namespace, kind, input, inputText };
}

/**
 * Programs write `mcp__server__tool`, `mcp_server_tool`, `server_tool`, or a namespace with the tool in it. Some
 * replace every special character with `_`.
 */
function findMcpTool(
  { server, tool }: { readonly server: string; readonly tool: string },
  request: ModelRequest,
): OfferedTool {
  const wanted = flatten(`${server}_${tool}`);
  const found = request.tools.find(({ namespace, name }) => {
    const full = flatten(namespace === undefined ? name : `${namespace}_${name}`);
    return full === wanted || full === `mcp_${wanted}`;
  });
  if (found === undefined)
    throw new CallChoiceError(`no tool ${tool} of the MCP server ${server} among ${nameTools(request)}`);
  return found;
}

function flatten(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

function nameField({ name, schema }: OfferedTool, known: readonly string[]): string {
  const properties = readPath(schema, 'properties');
  const fields: JsonObject = isObject(properties) ? properties : {};
  const field = known.find(candidate => Object.hasOwn(fields, candidate));
  if (field === undefined)
    throw new CallChoiceError(
      `${name} takes ${Object.keys(fields).join(', ') || 'nothing'}, but none of ${known.join(', ')}`,
    );
  return field;
}

function nameTools({ tools }: ModelRequest): string {
  return tools.length === 0
    ? 'no tools'
    : tools.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`)).join(', ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
