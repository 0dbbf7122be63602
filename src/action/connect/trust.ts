/** Certificates that the step trusts in addition to the platform's: `ca_file`. Verification cannot be turned off. */
import { X509Certificate } from 'node:crypto';
import { realpathSync } from 'node:fs';
import tls from 'node:tls';
import { readPlainFileSync } from '../../border/files.ts';
import { explainFileFault } from '../inputs/file-inputs.ts';
import { InputError } from '../inputs/values.ts';

export interface Trust {
  readonly certificates: number;
  readonly secureContext: tls.SecureContext;
}

/** The CA bundle of a whole system has less than 1 MB, including comments. */
const maxBytes = 8 * 1024 * 1024;
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws InputError if the file has no usable certificate. */
export function trustFile(path: string): Trust {
  const own = readCertificates(path);
  const secureContext = tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ...own] });
  return { certificates: own.length, secureContext };
}

function readCertificates(path: string): readonly string[] {
  const refuse = (why: string): never => {
    throw new InputError(`\`ca_file\`: ${JSON.stringify(path)} ${why}`);
  };
  let text: string;
  try {
    text = readPlainFileSync(realpathSync(path), maxBytes).toString('latin1');
  } catch (error) {
    return refuse(`cannot be read: ${explainFileFault(error)}`);
  }
  const blocks = text.match(pemBlock) ?? [];
  if (blocks.length === 0)
    return refuse(
      'contains no PEM certificate (-----BEGIN CERTIFICATE-----); convert a DER certificate with `openssl x509 -inform der -outform pem`',
    );
  blocks.forEach((block, at) => {
    try {
      new X509Certificate(block);
    } catch {
      refuse(`is damaged: certificate ${at + 1} of ${blocks.length} cannot be read; download the file again`);
    }
  });
  return blocks;
}
