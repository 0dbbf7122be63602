const json = 'application/json';
const stream = 'text/event-stream';

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

/**
 * True if an `Accept` header (RFC 9110, 12.5.1) prefers server-sent events to JSON. The higher weight wins. For equal
 * weights, a named type beats a range, and the first of two named types wins. A header that accepts neither gets
 * JSON, which most callers can read.
 */
export function prefersStream(accept: string | undefined): boolean {
  const ranges = readRanges(accept ?? '*/*');
  const wanted = { json: weigh(json, ranges), stream: weigh(stream, ranges) };
  if (wanted.stream === 0) return false;
  if (wanted.stream !== wanted.json) return wanted.stream > wanted.json;
  return ranges.find(({ type }) => type === stream || type === json)?.type === stream;
}

/** The weight of the most specific matching range; 0 if none matches. */
function weigh(type: string, ranges: readonly MediaRange[]): number {
  const wider = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
  for (const name of wider) {
    const range = ranges.find(each => each.type === name);
    if (range !== undefined) return range.weight;
  }
  return 0;
}

function readRanges(accept: string): readonly MediaRange[] {
  return accept.split(',').map(text => {
    const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
    const weight = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    return { type, weight: weight !== undefined && /^[01](\.\d*)?$/.test(weight) ? Math.min(Number(weight), 1) : 1 };
  });
}
