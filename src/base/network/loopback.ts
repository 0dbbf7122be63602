const ipv4Loopback = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/**
 * Whether a host name or address is this machine's (127.0.0.0/8, ::1, localhost). Does not use Node, because the
 * client calls it too.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1') return true;
  return ipv4Loopback.test(bare);
}
