import { type ContainerEngine, ContainerFault, callEngine, describeComplaint } from './container-engine.ts';

/** What an engine says of itself. */
export interface EngineReport {
  readonly kind: 'docker' | 'podman';
  /** `Docker version 28.2.2, build …`. */
  readonly version: string;
  /** Flags with which a program in a container is the user of this server, so that its files are. */
  readonly userFlags: readonly string[];
}

/** Asks an engine whether it works. Throws ContainerFault with what it says when it does not. */
export async function askEngine(
  engine: ContainerEngine,
  { uid = process.getuid?.(), gid = process.getgid?.() }: { readonly uid?: number; readonly gid?: number } = {},
): Promise<EngineReport> {
  const asked = await callEngine(engine, ['--version']);
  if (asked.code !== 0) throw new ContainerFault(`${engine.file} does not start: ${describeComplaint(asked.stderr)}`);
  const [version = ''] = asked.stdout.split('\n');
  const kind = /podman/i.test(version) ? 'podman' : 'docker';
  const format = kind === 'podman' ? '{{.Host.Security.Rootless}}' : '{{json .SecurityOptions}}';
  const { code, stdout, stderr } = await callEngine(engine, ['info', '--format', format]);
  if (code !== 0) throw new ContainerFault(`${kind} cannot be used: ${describeComplaint(stderr)}`);
  if (/"name=userns/.test(stdout))
    throw new ContainerFault(
      'docker remaps user ids in containers (userns-remap), so containers cannot write to the folders of runs; turn it off',
    );
  const user = uid === undefined ? [] : ['--user', `${uid}:${gid ?? uid}`];
  if (kind === 'podman') {
    const proxies = '--http-proxy=false';
    return {
      kind,
      version,
      userFlags: [proxies, ...(stdout.trim() === 'true' ? ['--userns', 'keep-id'] : []), ...user],
    };
  }
  // In a rootless docker the user of the server is root.
  return { kind, version, userFlags: /"name=rootless/.test(stdout) ? ['--user', '0:0'] : user };
}

export async function probeEngine(engine: ContainerEngine): Promise<readonly string[]> {
  return (await askEngine(engine)).userFlags;
}
