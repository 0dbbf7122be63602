import { withoutEscapes } from '../../../../../border/terminal-text.ts';

const headMax = 16_000;
const tailMax = 16_000;

/** Text of any length, of which the beginning and the end are kept: what was asked stands in the one, how it went in the other. */
export class CappedText {
  #head = '';
  #tail = '';
  #left = 0;

  push(text: string): void {
    const room = headMax - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    // Not each time: cutting costs as much as there is.
    if (this.#tail.length > 4 * tailMax) this.#cut();
  }

  /** Without colours and NUL; says what was left out. */
  get text(): string {
    this.#cut();
    const gap = this.#left === 0 ? '' : `\n[${this.#left} characters were left out here]\n`;
    return withoutEscapes(`${this.#head}${gap}${this.#tail}`).replaceAll('\0', '\uFFFD').toWellFormed();
  }

  #cut(): void {
    const over = this.#tail.length - tailMax;
    if (over <= 0) return;
    this.#left += over;
    this.#tail = this.#tail.slice(over);
  }
}

export function capText(text: string): string {
  const capped = new CappedText();
  capped.push(text);
  return capped.text;
}
