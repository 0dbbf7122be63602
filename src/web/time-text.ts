const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `350 ms`, `4.2 s`, `3 min 20 s`, `2 d 4 h`. */
export function printSpan(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`;
  let seconds = Math.floor(ms / 1000);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

/** The time since a moment, in its largest unit: `3 min ago`. */
export function printAgo(ms: number): string {
  if (ms < 2000) return 'just now';
  const [unit, size] = units.find(([, seconds]) => ms >= seconds * 1000) ?? ['s', 1];
  return `${Math.floor(ms / 1000 / size)} ${unit} ago`;
}

/** `2030-01-31 12:03:04 UTC` for a time on the wire. */
export function printMoment(time: string): string {
  return `${time.slice(0, 10)} ${printClockTime(time)} UTC`;
}

/** `12:03:04` for a time on the wire, which is UTC. */
export function printClockTime(time: string): string {
  return time.slice(11, 19);
}
