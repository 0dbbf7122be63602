import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * Long enough for a satellite link with one lost packet, short enough to try a second address within undici's ten
 * seconds.
 */
export const addressAttemptMs = 2500;

/**
 * Gives each address of a host this long to answer before the next one is tried. With Node's default of 250 ms, all
 * of them fail on a slow link (https://github.com/nodejs/node/issues/54359). Each program that makes connections
 * calls this once.
 */
export function waitForSlowAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(addressAttemptMs);
}
