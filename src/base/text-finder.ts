/**
 * Finds many texts in one pass (Aho and Corasick): however they are made and however many there are, a character costs a few steps, while a pattern or
 * `indexOf` begins anew at each place. The texts are a tree, a node for each of their beginnings; a node's fallback is the longest end of its beginning
 * that is a node too, so whoever walks the tree always stands at the longest beginning with which what was read so far ends.
 */
export interface TextFinder {
  /**
   * Goes on from a node through a text, from an index on, and tells of each place where one of the texts ends the longest one that does. Returns the node
   * that it comes to. One begins at 0, where nothing is begun.
   */
  walk(node: number, text: string, from: number, onFound: (end: number, length: number) => void): number;
  /** Length of the longest beginning that ends at a node and may become a longer text; 0 for none. */
  begun(node: number): number;
}

/** Time and memory go by the length of all texts together. Empty ones are left out. */
export function createTextFinder(texts: readonly string[]): TextFinder {
  // In order, the texts with one beginning stand side by side, and so do the children of a node.
  const sorted = [...new Set(texts)].filter(text => text !== '').sort();
  const size = sorted.reduce((sum, text) => sum + text.length, 1);
  const { codes, children, fallbacks, depths, ended } = createNodes(size);
  /** The children of 0 by their character, for most of a text begins nothing. */
  const roots = new Int32Array(0x1_00_00);
  const find = (node: number, code: number): number => {
    let low = children[node] ?? 0;
    let high = (children[node + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = codes[middle] ?? 0;
      if (found === code) return middle;
      if (found < code) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  };
  const step = (from: number, code: number): number => {
    for (let node = from; node > 0; node = fallbacks[node] ?? 0) {
      const child = find(node, code);
      if (child > 0) return child;
    }
    return roots[code] ?? 0;
  };

  /** The texts with a node's beginning are those from `firsts` up to `ends`. */
  const [firsts, ends] = [new Int32Array(size), new Int32Array(size)];
  ends[0] = sorted.length;
  children[0] = 1;
  let count = 1;
  for (let node = 0; node < count; node += 1) {
    const depth = depths[node] ?? 0;
    const end = ends[node] ?? 0;
    let first = firsts[node] ?? 0;
    // A text that is a beginning of others stands before them.
    if (sorted[first]?.length === depth && node > 0) {
      ended[node] = depth;
      first += 1;
    } else ended[node] = ended[fallbacks[node] ?? 0] ?? 0;
    for (; first < end; count += 1) {
      const code = sorted[first]?.charCodeAt(depth) ?? 0;
      codes[count] = code;
      depths[count] = depth + 1;
      firsts[count] = first;
      if (node === 0) roots[code] = count;
      while (first < end && sorted[first]?.charCodeAt(depth) === code) first += 1;
      ends[count] = first;
    }
    children[node + 1] = count;
    for (let child = children[node] ?? 0; child < count && node > 0; child += 1)
      fallbacks[child] = step(fallbacks[node] ?? 0, codes[child] ?? 0);
  }
  const walk: TextFinder['walk'] = (from, text, start, onFound) => {
    let node = from;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      node = node === 0 ? (roots[code] ?? 0) : step(node, code);
      if (node !== 0 && ended[node] !== 0) onFound(at + 1, ended[node] ?? 0);
    }
    return node;
  };
  const begun = (at: number): number => {
    let node = at;
    while (node > 0 && children[node] === children[node + 1]) node = fallbacks[node] ?? 0;
    return depths[node] ?? 0;
  };
  return { walk, begun };
}

function createNodes(size: number) {
  return {
    /** The last character of its beginning. */
    codes: new Uint16Array(size),
    /** Where its children begin; they end where those of the next one begin. */
    children: new Int32Array(size + 1),
    fallbacks: new Int32Array(size),
    depths: new Int32Array(size),
    ended: new Int32Array(size),
  };
}
