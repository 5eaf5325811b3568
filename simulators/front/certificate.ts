/** A certificate for loopback, made when it is needed and good for a day: nobody has its key but the front. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** What the front serves with, and what a client is to trust. PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The authority that signed it, as a file: for SSL_CERT_FILE and the like. */
  readonly caFile: string;
}

const DAY_MS = 24 * 3600_000;
const common = (value: string) => [{ name: 'commonName', value }];

/**
 * Makes an authority and a certificate of it for 127.0.0.1, ::1 and localhost; the authority's is written to `ca.pem` in `dir`, no key is
 * written anywhere. Two certificates, since some libraries take none that signs itself for a server's (webpki: CaUsedAsEndEntity).
 */
export async function makeCertificate(dir: string): Promise<Certificate> {
  const notBeforeDate = new Date(Date.now() - DAY_MS);
  const shared = {
    keyType: 'ec' as const,
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + 2 * DAY_MS),
  };
  const ca = await generate(common('Tare, for one run'), {
    ...shared,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate(common('localhost'), {
    ...shared,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  const caFile = join(dir, 'ca.pem');
  await writeFile(caFile, ca.cert);
  return { key: server.private, cert: server.cert, caFile };
}
