/** Checks what a server needs of its machine, apart from its harnesses. */
import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { explainFolder } from '../../base/process/folder-fault.ts';
import { ConfigError } from '../config/config-schema.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { findProgram } from '../executor/program-file.ts';
import { readProgramVersion } from '../harness/agents/program-version.ts';
import { describeLowMemory } from '../low-memory.ts';
import { findRunContainment } from '../run-containment.ts';
import type { Finding } from './finding.ts';

/** `needs` says what requires the tool; undefined if nothing does, so that a missing tool is a warning. */
export async function checkTool(name: 'git' | 'bash', searchPath: string, needs: string | undefined): Promise<Finding> {
  const file = findProgram(name, searchPath);
  if (file === undefined)
    return {
      subject: name,
      status: needs === undefined ? 'warn' : 'fail',
      text: `not found on the server's PATH${needs === undefined ? '' : `, but ${needs}`}`,
      remedy: `install ${name}`,
    };
  try {
    return { subject: name, status: 'ok', text: `${await readProgramVersion([file], { searchPath })}, ${file}` };
  } catch (error) {
    const why = messageOf(error);
    return { subject: name, status: 'fail', text: `${file}: ${why}`, remedy: `reinstall ${name}` };
  }
}

export async function checkContainment(config: Pick<ServerConfig, 'containment' | 'limits'>): Promise<Finding> {
  const subject = 'containment';
  try {
    const { kind, because } = await findRunContainment(config, () => {});
    if (because === undefined) return { subject, status: 'ok', text: kind };
    return {
      subject,
      status: 'warn',
      text: `${kind}, because PID namespaces are not available: ${because}`,
      remedy: 'no action is required; docs/server.md lists the requirements of PID namespaces',
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { subject, status: 'fail', text: error.message, remedy: 'change the setting, or install what it needs' };
  }
}

/** Checks certificate and key as at startup; undefined without TLS. */
export function checkTls({ tls }: Pick<ServerConfig, 'tls'>, now = Date.now()): Finding | undefined {
  if (tls === undefined) return undefined;
  const subject = 'TLS';
  const remedy = 'use a certificate and key that belong together, or name other files under `tls`';
  try {
    const { validTo } = readTlsFiles(tls);
    const text = `${tls.cert}, valid until ${validTo.toISOString()}`;
    if (validTo.getTime() > now) return { subject, status: 'ok', text };
    return {
      subject,
      status: 'warn',
      text: `${tls.cert} expired at ${validTo.toISOString()}, so clients refuse it`,
      remedy: 'replace it, then send the server SIGHUP',
    };
  } catch (error) {
    return { subject, status: 'fail', text: messageOf(error), remedy };
  }
}

/** Warns of a limit that is too low for agents; undefined if there is none. */
export function checkMemory(config: Parameters<typeof describeLowMemory>[0]): Finding | undefined {
  const low = describeLowMemory(config);
  return low && { subject: 'memory', status: 'warn', ...low };
}

/** Leaves nothing in the folder, and does not create a missing one. */
export async function checkDataFolder(folder: string): Promise<Finding> {
  const subject = 'data folder';
  const remedy = 'make it writable for this user, or choose another folder with --data';
  try {
    const info = await stat(folder).catch(() => undefined);
    if (info !== undefined) {
      await rm(await mkdtemp(join(folder, '.doctor-')), { recursive: true });
      return { subject, status: 'ok', text: folder };
    }
    // The dot makes a file in place of the folder fail with ENOTDIR.
    await access(`${await findAncestor(folder)}/.`, constants.W_OK | constants.X_OK);
    return { subject, status: 'ok', text: `${folder}, created at the first start` };
  } catch (error) {
    return { subject, status: 'fail', text: `${folder} cannot be used: ${explainFolder(error)}`, remedy };
  }
}

async function findAncestor(folder: string): Promise<string> {
  const above = dirname(folder);
  const info = await stat(above).catch(() => undefined);
  return info === undefined && above !== folder ? await findAncestor(above) : above;
}
