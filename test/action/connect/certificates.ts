/** Creates certificates in DER by hand, so that no test needs another program. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Identity {
  readonly name: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

interface Wanted {
  readonly name: string;
  /** The issuer. @default itself, as an authority */
  readonly authority?: Identity;
  /** Host names and IPv4 addresses. @default the name */
  readonly hosts?: readonly string[];
  /** Days from now. @default 1 */
  readonly endsInDays?: number;
}

const dayMs = 86_400_000;
const oids = {
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
  ecdsaWithSha256: '2a8648ce3d040302',
};

export function makeCertificate({ name, authority, hosts = [name], endsInDays = 1 }: Wanted): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(tag(0x06, hex(oids.ecdsaWithSha256)));
  const extension =
    authority === undefined
      ? sequence(tag(0x06, hex(oids.basicConstraints)), tag(0x01, hex('ff')), tag(0x04, sequence(tag(0x01, hex('ff')))))
      : sequence(tag(0x06, hex(oids.subjectAltName)), tag(0x04, sequence(...hosts.map(nameHost))));
  const body = sequence(
    tag(0xa0, tag(0x02, hex('02'))),
    tag(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    algorithm,
    distinguish(authority?.name ?? name),
    sequence(writeTime(Date.now() - 30 * dayMs), writeTime(Date.now() + endsInDays * dayMs)),
    distinguish(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', body, authority?.privateKey ?? privateKey);
  const der = sequence(body, algorithm, tag(0x03, hex('00'), signature));
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
  };
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function tag(kind: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([kind, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tag(0x30, ...parts);
}

function distinguish(name: string): Buffer {
  return sequence(tag(0x31, sequence(tag(0x06, hex(oids.commonName)), tag(0x0c, Buffer.from(name)))));
}

function nameHost(host: string): Buffer {
  return isIPv4(host) ? tag(0x87, Buffer.from(host.split('.').map(Number))) : tag(0x82, Buffer.from(host));
}

function writeTime(ms: number): Buffer {
  return tag(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}
