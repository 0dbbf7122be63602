import { type ContainerEngine, ContainerFault, callEngine, describeComplaint } from './container-engine.ts';

export interface EngineReport {
  readonly kind: 'docker' | 'podman';
  /** `Docker version 28.2.2, build …`. */
  readonly version: string;
  /** Flags that run a program in a container as this server's user, so that the user owns its files. */
  readonly userFlags: readonly string[];
}

/** Checks that an engine works. Throws ContainerFault with its message if it does not. */
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
  // In rootless docker, root inside a container is the server's user.
  return { kind, version, userFlags: /"name=rootless/.test(stdout) ? ['--user', '0:0'] : user };
}

export async function probeEngine(engine: ContainerEngine): Promise<readonly string[]> {
  return (await askEngine(engine)).userFlags;
}
