import { usesContainers } from '../config/container-settings.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { ContainerFault, callEngine, findContainerEngine } from '../executor/containers/container-engine.ts';
import { askEngine } from '../executor/containers/engine-probe.ts';
import { describeUnreachable } from '../harness/agents/in-container.ts';
import type { Finding } from './finding.ts';

const subject = 'containers';

/** Checks for a working engine and lists images that runs would wait for. Nothing if no run uses a container. */
export async function* checkContainers(
  config: Pick<ServerConfig, 'docker' | 'environments' | 'harnesses'>,
): AsyncGenerator<Finding> {
  if (!usesContainers(config)) return;
  yield* checkEndpoints(config);
  const engine = findContainerEngine(config.docker);
  if (typeof engine === 'string') {
    const [text = '', remedy = 'install it, or change the setting'] = engine.split('; ');
    yield { subject, status: 'fail', text, remedy };
    return;
  }
  try {
    const { version } = await askEngine(engine);
    yield { subject, status: 'ok', text: `${version}, ${engine.file}` };
  } catch (error) {
    if (!(error instanceof ContainerFault)) throw error;
    yield {
      subject,
      status: 'fail',
      text: error.message,
      remedy: "start the engine, and give the server's user access to it",
    };
    return;
  }
  const named = [config.docker.image, ...config.environments.map(({ image }) => image)];
  for (const image of new Set(named.filter(each => each !== undefined))) {
    const isHere = (await callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image])).code === 0;
    yield isHere
      ? { subject: `image ${image}`, status: 'ok', text: 'is available' }
      : {
          subject: `image ${image}`,
          status: 'warn',
          text: 'has not been pulled yet; the first run that needs it waits for the pull',
          remedy: `pull it now: ${engine.file} pull ${image}`,
        };
  }
}

/** Checks whether agents can reach their models from a container. A create request for one that cannot is refused. */
function* checkEndpoints({
  docker,
  environments,
  harnesses: { agents = {} },
}: Pick<ServerConfig, 'docker' | 'environments' | 'harnesses'>): Generator<Finding> {
  const faults = Object.entries(agents).map(([name, { endpoint }]) => {
    const unreachable = describeUnreachable(endpoint.root, docker.settings.network);
    return unreachable && `the model endpoint of ${name}: ${unreachable}`;
  });
  const [first] = faults;
  if (first === undefined || faults.includes(undefined)) return;
  const names = environments.flatMap(({ name, image }) => (image === undefined ? [] : [name]));
  const where =
    docker.image === undefined
      ? `the ${names.length === 1 ? 'environment' : 'environments'} ${names.join(', ')}`
      : 'this server';
  const [why = first, remedy = 'change the setting'] = first.split('; ');
  yield {
    subject: 'agents in containers',
    status: 'warn',
    text: `no agent can run in the containers of ${where}: ${why}`,
    remedy,
  };
}
