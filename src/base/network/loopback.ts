const ipv4Loopback = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Whether a host name or address stays on this machine (127.0.0.0/8, ::1, localhost). Works without Node, for the client asks too. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1') return true;
  return ipv4Loopback.test(bare);
}
