/** A certificate for loopback, made when it is needed and good for a day: nobody has its key but the front. */
// Before the library, which asks for it.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

/** What the front serves with, and what a client is to trust. PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The authority that signed it, as a file: for SSL_CERT_FILE and the like. */
  readonly caFile: string;
}

const DAY_MS = 24 * 3600_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

// No engine is named: the library takes the global WebCrypto, which Node has from 20 on.
const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** A private key as PEM. */
async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

/**
 * Makes an authority and a certificate of it for 127.0.0.1, ::1 and localhost; the authority's is written to `ca.pem` in `dir`, no key is
 * written anywhere. Two certificates, since some libraries take none that signs itself for a server's (webpki: CaUsedAsEndEntity); both with
 * key identifiers, without which Python 3.13 (VERIFY_X509_STRICT) takes neither.
 */
export async function makeCertificate(dir: string): Promise<Certificate> {
  const [authority, server] = [await newKeys(), await newKeys()];
  // A clock that was just set back must not make it invalid.
  const life = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
  const usage = x509.KeyUsageFlags;
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...life,
    name: 'CN=Tare for one run',
    keys: authority,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const cert = await x509.X509CertificateGenerator.create({
    ...life,
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(usage.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(server.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const caFile = join(dir, 'ca.pem');
  await writeFile(caFile, `${ca.toString('pem')}\n`);
  return { key: await pemOf(server.privateKey), cert: cert.toString('pem'), caFile };
}
