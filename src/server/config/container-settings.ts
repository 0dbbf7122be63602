/** How containers are run, resolved from the configuration. */
import { resolve } from 'node:path';
import type { Environment } from '../environments/environment.ts';
import type { ContainerSettings } from '../executor/containers/container-engine.ts';
import type { ConfigFile } from './config-schema.ts';

/** What the configuration says of containers. */
export interface DockerConfig {
  /** Name or absolute path; undefined: the first usual one. */
  readonly command: string | undefined;
  /** Image for runs whose environment names none. */
  readonly image: string | undefined;
  readonly settings: ContainerSettings;
  /** The whole environment of the command. No agent gets any of it. */
  readonly env: Readonly<Record<string, string>>;
}

/** What `docker` and `podman` go by to find their engine, their settings, their credentials for registries, and a way out. */
const clientVariables = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LANG'],
  ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH', 'DOCKER_API_VERSION'],
  ...['CONTAINER_HOST', 'CONTAINER_SSHKEY', 'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'REGISTRY_AUTH_FILE'],
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'],
  ...[
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'http_proxy',
    'NO_PROXY',
    'no_proxy',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ],
];

/** `folder` is where a path with a slash begins. */
export function readDockerConfig(
  { docker = {} }: Pick<ConfigFile, 'docker'>,
  { env, folder }: { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string },
): DockerConfig {
  const { command, image, network, memory_mb: memoryMb, processes, cpus } = docker;
  return {
    command: command?.includes('/') === true ? resolve(folder, command) : command,
    image,
    settings: { network, memoryMb, processes, cpus },
    env: Object.fromEntries(clientVariables.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
}

/** Whether some run of a server may be in a container. */
export function usesContainers({
  environments,
  docker,
}: {
  readonly environments: readonly Pick<Environment, 'image'>[];
  readonly docker: Pick<DockerConfig, 'image'>;
}): boolean {
  return docker.image !== undefined || environments.some(({ image }) => image !== undefined);
}
