import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { explainCode } from '../../base/cause.ts';

interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly validTo: Date;
}

/** Throws with a sentence that names the file. OpenSSL's errors name neither the file nor the fault. */
export function readTlsFiles({ cert, key }: { readonly cert: string; readonly key: string }): TlsFiles {
  const pem = { cert: readPem(cert, 'certificate'), key: readPem(key, 'key') };
  const certificate = parsePem(cert, 'a certificate', () => new X509Certificate(pem.cert));
  const privateKey = parsePem(key, 'a private key without a passphrase', () => createPrivateKey(pem.key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(`the key ${key} does not belong to the certificate ${cert}; use a matching pair`);
  return { ...pem, validTo: certificate.validToDate };
}

function readPem(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the TLS ${what} ${file} cannot be read: ${explainCode(error, reasons)}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user is not allowed to read it',
  EISDIR: 'it is a folder',
};

function parsePem<T extends X509Certificate | KeyObject>(file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${file} is not ${what} in PEM format; use a file that starts with -----BEGIN`, { cause: error });
  }
}
