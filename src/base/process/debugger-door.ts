/**
 * Stops Node from opening its debugger on SIGUSR1. The debugger's loopback port would give every program of the user
 * full access to this process. Call this before starting any such program; it cannot be undone.
 */
export function closeDebuggerDoor(): void {
  // Node's own handler runs only without other listeners. Windows does not have the signal.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {});
}
