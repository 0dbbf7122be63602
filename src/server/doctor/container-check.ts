import type { ServerConfig } from '../config.ts';
import { usesContainers } from '../container-settings.ts';
import { ContainerFault, callEngine, findContainerEngine } from '../executor/container-engine.ts';
import { askEngine } from '../executor/engine-probe.ts';
import type { Finding } from './finding.ts';

const subject = 'containers';

/** Whether there is an engine that works, and which images runs would have to wait for. Nothing where no run is in a container. */
export async function* checkContainers(config: Pick<ServerConfig, 'docker' | 'environments'>): AsyncGenerator<Finding> {
  if (!usesContainers(config)) return;
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
      remedy: 'start the engine, and let the user of the server use it',
    };
    return;
  }
  const named = [config.docker.image, ...config.environments.map(({ image }) => image)];
  for (const image of new Set(named.filter(each => each !== undefined))) {
    const isHere = (await callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image])).code === 0;
    yield isHere
      ? { subject: `image ${image}`, status: 'ok', text: 'is here' }
      : {
          subject: `image ${image}`,
          status: 'warn',
          text: 'is not here yet; the first run that needs it waits until it is pulled',
          remedy: `pull it now: ${engine.file} pull ${image}`,
        };
  }
}
