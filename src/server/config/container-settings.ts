/** Resolves how containers are run. */
import { resolve } from 'node:path';
import type { Environment } from '../environments/environment.ts';
import type { ContainerSettings } from '../executor/containers/container-engine.ts';
import type { ConfigFile } from './config-schema.ts';

export interface DockerConfig {
  /** Name or absolute path; undefined uses the first usual one. */
  readonly command: string | undefined;
  /** Image for runs whose environment names none. */
  readonly image: string | undefined;
  readonly settings: ContainerSettings;
  /** The whole environment of the command. Agents get none of it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Variables that `docker` and `podman` use for their engine, settings, registry credentials and network. */
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

/** `folder` is the base of a relative path with a slash. */
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

/** Whether any run of a server may use a container. */
export function usesContainers({
  environments,
  docker,
}: {
  readonly environments: readonly Pick<Environment, 'image'>[];
  readonly docker: Pick<DockerConfig, 'image'>;
}): boolean {
  return docker.image !== undefined || environments.some(({ image }) => image !== undefined);
}
