/**
 * Guesses which variables hold secrets, by name and value. Nothing declares them. A wrong guess redacts a word or
 * reveals a key.
 */

/** Shorter values are words such as `true` or `ollama`, which plain text may contain. */
export const secretLengthMin = 8;

const secretName = /key|token|secret|passw|credential|auth(?!or)|(^|_)pat$/i;
/** Ends of names for facts about a secret: AUTH_MODE, TOKEN_URL, KEY_FILE. */
const secretMetadata =
  /_(mode|type|kind|method|scheme|provider|env|environment|stage|level|format|version|realm|scopes?|audience|issuer|algorithm|region|file|path|dir|folder|ur[il]|host|port|name|user|username|email|enabled|required|timeout|ttl|limit|count|size)$/i;
/** Ends of names for long, random values that are public. */
const publicName = /(^|_)(sha\d*|commit|digest|hash|checksum|revision)$/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/**
 * The secrets in the values of variables. A secret name makes the whole value a secret. For other names these are
 * secrets: a long, random value, and the password and random parts of an address. A named secret with several lines
 * also counts line by line.
 */
export function findSecrets(variables: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(variables).flatMap(([name, value]) =>
    isNamedSecret(name, value) ? linesOf(value) : publicName.test(name) ? [] : findRandom(value.trim()),
  );
  return [...new Set(found)].filter(secret => secret.length >= secretLengthMin);
}

function isNamedSecret(name: string, value: string): boolean {
  return isSecretName(name) && !secretMetadata.test(name) && (/passw|secret/i.test(name) || !/^\d{1,15}$/.test(value));
}

/** Logs show lines, so a key such as a PEM file appears line by line. */
function linesOf(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).map(line => line.trim());
  return [value.trim(), ...lines.filter(line => !/^-----.*-----$/.test(line))];
}

function findRandom(value: string): readonly string[] {
  const address = URL.parse(value);
  if (address !== null && value.includes('://'))
    return [address.password, decode(address.password), ...piecesOf(value).filter(isRandom)];
  const isWord = value.length >= 20 && /^(?![~.]?\/|sha\d+[:-])[\w+/=.~:-]+$/.test(value);
  return isWord && piecesOf(value).some(isRandom) ? [value] : [];
}

function piecesOf(value: string): readonly string[] {
  return value.split(/[^A-Za-z0-9]+/);
}

function isRandom(piece: string): boolean {
  return piece.length >= 16 && /[A-Za-z]/.test(piece) && /\d.*\d/.test(piece);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
