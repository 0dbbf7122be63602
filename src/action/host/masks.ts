/**
 * What is masked for a secret: itself, its lines, and the forms in which a server or a proxy may echo it. Nothing else, for a mask blots out
 * whatever looks like it, and the runner drops a job's output that holds a masked value.
 */
import { isSecretName } from '../../base/secret-variables.ts';

/**
 * What is shorter, and not the secret as a whole, is left: the brace of a JSON key or the short last line of a PEM file tells nothing, and as a
 * mask it would blot out half of the log.
 */
export const usefulLength = 8;

/** The values to mask, the longest first; none for blanks. */
export function masksOf(secret: string): readonly string[] {
  if (secret.trim() === '') return [];
  const lines = secret
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '');
  const useful = lines.filter(line => line.length >= usefulLength);
  // The runner masks each line of a value by itself: a whole with a useless line in it can only be given in parts.
  const whole = lines.length === 1 || useful.length === lines.length ? [secret] : [];
  const inHtml = lines.map(line => line.replace(/[&<>"]/g, character => entities[character] ?? ''));
  const encoded = [...encodedForms(secret), ...inHtml].filter(form => form.length >= usefulLength);
  return [...new Set([...whole, ...useful, ...encoded])].sort((a, b) => b.length - a.length);
}

/** Without the padding of base64, which is not always written; the rest of a padded form is found all the same. */
function encodedForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...encodedWithin(bytes),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toWellFormed()),
    // As forms write it: blanks as +, and more of the punctuation.
    new URLSearchParams({ '': secret }).toString().slice(1),
    // Within JSON.
    JSON.stringify(secret).slice(1, -1),
  ];
}

/**
 * The base64 of it within something longer, such as `user:secret`, wherever it stood there: four characters are made of three bytes, and the
 * first and the last of the secret's own may depend on its neighbours.
 */
function encodedWithin(secret: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap(offset => {
    const bytes = Buffer.concat([new Uint8Array(offset), secret]);
    const [start, end] = [Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3)];
    return [bytes.toString('base64').slice(start, end), bytes.toString('base64url').slice(start, end)];
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** How long a variable's value is that is taken for a secret whatever its name says. */
const secretLength = 16;

/** Whether a variable that an agent is given looks like a secret, and not like a flag or a model's name. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isSecretName(name)) return value.length >= usefulLength;
  return value.length >= secretLength && !/model/i.test(name);
}
