/**
 * What is masked for a secret: itself, its lines, and the forms in which a server or a proxy may echo it. Nothing else, for a mask blots out
 * whatever looks like it, and the runner drops a job's output that holds a masked value.
 */
import { base64Within } from '../../base/base64-within.ts';
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
    ...base64Within(bytes.toString('latin1')).flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toWellFormed()),
    // As forms write it: blanks as +, and more of the punctuation.
    new URLSearchParams({ '': secret }).toString().slice(1),
    // Within JSON.
    JSON.stringify(secret).slice(1, -1),
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** How long a variable's value is that is taken for a secret whatever its name says. */
const secretLength = 16;

/** Whether a variable that an agent is given looks like a secret, and not like a flag or a model's name. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isSecretName(name)) return value.length >= usefulLength;
  // What the runner says to every step is in each link to the job.
  return value.length >= secretLength && !/model/i.test(name) && !/^(?:GITHUB|RUNNER)_/.test(name);
}
