/** Which variables hold secrets, by what they are called and by what stands in them. Nobody says so of a variable; a wrong guess hides a word or shows a key. */

/** Shorter ones are words such as `true` or `ollama`, which would be cut out of plain text. */
export const secretLengthMin = 8;

const secretName = /key|token|secret|passw|credential|auth(?!or)|(^|_)pat$/i;
/** Ends of names under which something about a secret stands: AUTH_MODE, TOKEN_URL, KEY_FILE. */
const aboutSecret =
  /_(mode|type|kind|method|scheme|provider|env|environment|stage|level|format|version|realm|scopes?|audience|issuer|algorithm|region|file|path|dir|folder|ur[il]|host|port|name|user|username|email|enabled|required|timeout|ttl|limit|count|size)$/i;
/** Ends of names of what is long, random and open. */
const openName = /(^|_)(sha\d*|commit|digest|hash|checksum|revision)$/i;

/** Whether a variable is named as secrets are. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/**
 * The secrets in the values of variables: of one that is named as secrets are its value; of any other a value that is long and random, the password in an
 * address, and the random parts of an address. Of a value with several lines each line is one as well.
 */
export function findSecrets(variables: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(variables).flatMap(([name, value]) =>
    isNamedSecret(name, value) ? linesOf(value) : openName.test(name) ? [] : findRandom(value.trim()),
  );
  return [...new Set(found)].filter(secret => secret.length >= secretLengthMin);
}

function isNamedSecret(name: string, value: string): boolean {
  return isSecretName(name) && !aboutSecret.test(name) && (/passw|secret/i.test(name) || !/^\d{1,15}$/.test(value));
}

/** A log has lines, and a key in a file such as PEM is shown line by line. */
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
