/**
 * The base64 of a text within something longer, such as `user:secret`, wherever it stood there: one for each of the three places of its first
 * byte. Four characters are made of three bytes, and the first and the last of its own may depend on its neighbours, so those are left out.
 * Throws for a text with a character that is no byte.
 */
export function base64Within(bytes: string): readonly string[] {
  return [0, 1, 2].map(offset =>
    btoa('\0'.repeat(offset) + bytes).slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3)),
  );
}
