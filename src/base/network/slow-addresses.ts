import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/** Long enough for a link by satellite with one packet lost, short enough to reach the second address within undici's ten seconds. */
export const addressAttemptMs = 2500;

/**
 * Gives every address of a host this long to answer before the next one is tried. Node's own 250 ms make all of them fail on a slow link
 * (https://github.com/nodejs/node/issues/54359). Called once, by each program that makes connections.
 */
export function waitForSlowAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(addressAttemptMs);
}
