/** What a runner sends to a step that it wants to stop: an interrupt, 7.5 s later a termination, Ctrl-Break on Windows; SIGHUP when it is a terminal that closes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** How often the step looks whether its runner is still there. */
const parentLookMs = 1000;
/** A runner sends a second signal after so long. */
const insistMs = 7500;

export interface StopSignals {
  /** Calls the listener once, also for a signal that came before. Returns how to stop listening: signals then end the process. */
  onStop(listener: () => void): () => void;
}

/** Listens from now on. A runner that is gone is as good as its signal: nobody would ever send one. A second signal ends the process at once and with its own exit code, as without us. */
export function listenForStop(times = { insistMs }): StopSignals {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  // Without a handler of ours Node does with the next one what it does by default.
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    heard();
    // Whatever the step waits for then, nobody else would end it.
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), times.insistMs).unref();
  }, parentLookMs);
  look.unref();
  const stopListening = () => {
    clearInterval(look);
    for (const signal of signals) process.off(signal, heard);
  };
  const heard = () => {
    stopListening();
    resolve();
  };
  for (const signal of signals) process.on(signal, heard);
  return {
    onStop(listener) {
      let isWanted = true;
      void stopped.then(() => {
        if (isWanted) listener();
      });
      return () => {
        isWanted = false;
        stopListening();
      };
    },
  };
}
