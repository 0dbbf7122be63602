import { messageOf } from '../../base/cause.ts';
import { closeDebuggerDoor } from '../../base/process/debugger-door.ts';
import { counted } from '../../base/text.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import {
  type AgentRunServer,
  createLog,
  createServer,
  type Listening,
  type Log,
  type LogLevel,
  listen,
  readServerConfig,
  type ServerConfig,
} from '../../server/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { leaveLocalServer } from '../local-server.ts';
import { noteError, type Shell } from '../terminal/command-shell.ts';
import { describeServing } from '../terminal/serve-text.ts';

interface Serving {
  readonly config: ServerConfig;
  readonly server: AgentRunServer;
  /** Settles when the server has started; stays pending if it could not. */
  readonly listening: Promise<Listening>;
  readonly log: Log;
}

/** How long the parts may take to close after an uncaught error. */
const crashMs = 10_000;

export async function serve(args: Arguments, shell: Shell): Promise<ExitCode> {
  closeDebuggerDoor();
  const port = args.number('port', isPort, 'a port from 0 to 65535');
  const log = openLog(shell);
  try {
    const ended = await openServer(
      readServerConfig({
        env: shell.env,
        cwd: shell.cwd,
        flags: {
          port,
          host: args.text('host'),
          data: args.text('data'),
          config: args.text('config'),
          tlsCert: args.text('tls-cert'),
          tlsKey: args.text('tls-key'),
          behindProxy: args.has('behind-proxy') ? true : undefined,
        },
      }),
      log,
      shell,
    );
    return await ended.code;
  } catch (error) {
    noteError(shell, error);
    return 2;
  }
}

/** Opens all parts or none: if one throws, those already open are closed. Returns the exit code to come. */
async function openServer(config: ServerConfig, log: Log, shell: Shell): Promise<{ readonly code: Promise<ExitCode> }> {
  const server = await createServer(config, { log });
  let listening: Listening | undefined;
  try {
    const started = Promise.withResolvers<Listening>();
    // Before the port opens, because a caller may stop the server as soon as it answers.
    const code = endOnSignal({ config, server, listening: started.promise, log }, shell);
    const opened = await listen(server, { ...config, ownsProcess: true });
    listening = opened;
    await server.start();
    const removeLocal = leaveLocalServer(config, { url: opened.url, key: server.localKey });
    shell.print(describeServing({ config, server, listening }));
    const close = async () => {
      removeLocal();
      await opened.close();
    };
    started.resolve({ ...opened, close });
    return { code };
  } catch (error) {
    await server
      .stop({ drainSeconds: 0, beforeClose: async () => await listening?.close() })
      .catch((fault: unknown) => {
        log('error', 'closing failed', { error: messageOf(fault) });
      });
    throw error;
  }
}

/** Handles the signals. Resolves with the exit code when everything is written and closed. */
function endOnSignal({ config, server, listening, log }: Serving, shell: Shell): Promise<ExitCode> {
  const { promise, resolve } = Promise.withResolvers<ExitCode>();
  let hasCrashed = false;
  let timesTold = 0;
  const stop = async (drainSeconds: number) => {
    try {
      // Waits for an interrupted start to finish, so that nothing is left half open.
      const { close } = await listening;
      await server.stop({ drainSeconds, beforeClose: () => close() });
      resolve(hasCrashed ? 1 : 0);
    } catch (error) {
      log('error', 'stopping failed', { error: messageOf(error) });
      resolve(1);
    }
  };
  shell.onSignal(['SIGINT', 'SIGTERM'], () => {
    timesTold += 1;
    if (timesTold > 2) shell.exit(1);
    const drainSeconds = timesTold === 1 ? config.limits.drain_seconds : 0;
    const inHand = counted(server.runsInHand, 'run');
    if (server.runsInHand === 0) shell.note('Stopping');
    else if (timesTold > 1) shell.note(`Ending ${inHand} now`);
    else shell.note(`Draining: waiting up to ${drainSeconds} s for ${inHand}. Press Ctrl-C again to end now.`);
    void stop(drainSeconds);
  });
  if (config.tls !== undefined) shell.onSignal(['SIGHUP'], () => void listening.then(opened => reloadTls(opened, log)));
  shell.onCrash(error => {
    if (hasCrashed) return shell.exit(1);
    hasCrashed = true;
    noteError(shell, error, `Unexpected error, stopping the server: ${messageOf(error)}`);
    setTimeout(() => shell.exit(1), crashMs).unref();
    void stop(0);
  });
  return promise;
}

function reloadTls(listening: Listening, log: Log): void {
  try {
    listening.reloadTls();
    log('info', 'reloaded certificate and key');
  } catch (error) {
    log('error', 'cannot reload certificate and key, keeping the old ones', { error: messageOf(error) });
  }
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The client shares AGENT_RUN_LOG and also knows `off`. */
function openLog(shell: Shell): Log {
  const word = shell.env.AGENT_RUN_LOG?.trim() || 'info';
  if (word === 'off') return () => {};
  const level = logLevels.find(known => known === word);
  if (level === undefined)
    throw new UsageError(
      `AGENT_RUN_LOG must be one of off, ${logLevels.join(', ')}, not ${JSON.stringify(word)}${didYouMean(word, logLevels)}`,
    );
  return createLog(line => shell.note(line), level);
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value <= 65_535;
}
