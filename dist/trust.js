import {
  InputError,
  explainFileFault,
  readRegularFile
} from "./core.js";

// src/action/connect/trust.ts
import { X509Certificate } from "node:crypto";
import tls from "node:tls";
var maxBytes = 8 * 1024 * 1024;
var pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
function trustFile(path) {
  const own = readCertificates(path);
  const known = tls.getCACertificates("default");
  if (typeof tls.setDefaultCACertificates !== "function") {
    const secureContext = tls.createSecureContext({ ca: [...known, ...own] });
    return { certificates: own.length, secureContext, close: () => {
    } };
  }
  tls.setDefaultCACertificates([...known, ...own]);
  return { certificates: own.length, secureContext: void 0, close: () => tls.setDefaultCACertificates(known) };
}
function readCertificates(path) {
  const refuse = (why) => {
    throw new InputError(`\`ca_file\`: ${JSON.stringify(path)} ${why}`);
  };
  let text;
  try {
    text = readRegularFile(path, maxBytes).toString("latin1");
  } catch (error) {
    return refuse(`cannot be read: ${explainFileFault(error)}`);
  }
  const blocks = text.match(pemBlock) ?? [];
  if (blocks.length === 0)
    return refuse(
      "contains no PEM certificate (-----BEGIN CERTIFICATE-----); convert a DER certificate with `openssl x509 -inform der -outform pem`"
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
export {
  trustFile
};
