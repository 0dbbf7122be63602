import { withoutEscapes } from '../../../../../border/terminal-text.ts';

const headMax = 16_000;
const tailMax = 16_000;

/** Keeps the beginning and the end of a text of any length: the one says what was asked, the other how it went. */
export class CappedText {
  #head = '';
  #tail = '';
  #left = 0;

  push(text: string): void {
    const room = headMax - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    // Not on every chunk, because cutting costs as much as the text is long.
    if (this.#tail.length > 4 * tailMax) this.#cut();
  }

  /** Without colors and NUL. Says how much was left out. */
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
