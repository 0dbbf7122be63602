/**
 * Keeps programs of the same user out of this process: at SIGUSR1 Node would open its debugger on a port of loopback, by which whoever reaches it
 * has everything that this process knows and says. To be called before any such program is started; nothing takes it back.
 */
export function closeDebuggerDoor(): void {
  // Node listens to the signal itself only as long as nobody else does. Windows has none.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {});
}
