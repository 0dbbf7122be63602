/** A runner sends an interrupt, then a termination 7.5 s later. SIGHUP comes from a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Interval between checks that the runner still exists. */
const parentLookMs = 1000;
/** The runner sends a second signal after this time. */
const insistMs = 7500;

export interface StopSignals {
  /** Calls the listener once, also for an earlier signal. The returned function removes our handlers. */
  onStop(listener: () => void): () => void;
}

/**
 * Listens from now on. A vanished runner counts as a signal, because no signal would ever follow. A second signal
 * ends the process at once with the signal's own exit code.
 */
export function listenForStop(times = { insistMs }): StopSignals {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  // Without our handler, Node handles the next signal by default.
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    heard();
    // Nothing else would end a step that still waits for something.
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
