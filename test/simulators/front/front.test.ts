/** The front, by Node's own clients: what is negotiated, whom they trust, and that pieces pass one by one. */

import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../simulators/front/certificate.ts';
import { passedOn } from '../../../simulators/front/forward.ts';
import { serveFront } from '../../../simulators/front/server.ts';

let target: Server;
let upstream: string;
let dir: string;
/** What the target saw of a request. */
const seen: { headers: Record<string, unknown>; body: string; method: string; url: string }[] = [];
/** Ends the answer that was begun. */
let go: () => void = () => {};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-front-'));
  target = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    seen.push({ headers: req.headers, body, method: req.method!, url: req.url! });
    if (req.url === '/breaks') {
      res.writeHead(200);
      res.write('half');
      setImmediate(() => res.destroy());
      return;
    }
    res.writeHead(201, { 'content-type': 'text/event-stream', 'x-own': 'yes', connection: 'keep-alive' });
    res.write('data: 1\n\n');
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    res.end('data: 2\n\n');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(async () => {
  target.closeAllConnections();
  target.close();
  await rm(dir, { recursive: true, force: true });
});

/** Over HTTP/1.1: status, headers and each piece of the body as it came. */
function over1(url: string, ca: string, path = '/v1/x?y=1') {
  return new Promise<{ status: number; headers: Record<string, unknown>; pieces: string[] }>(
    (resolve, reject) => {
      const pieces: string[] = [];
      const req = httpsRequest(
        `${url}${path}`,
        { ca, method: 'POST', headers: { 'x-request-id': 'a-1' } },
        (res) => {
          res.on('data', (piece: Buffer) => {
            pieces.push(piece.toString());
            // The target writes the rest only when this has arrived: a front that gathers would wait for ever.
            go();
          });
          res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, pieces }));
          res.on('error', reject);
        },
      );
      req.on('error', reject);
      req.end('{"stream":true}');
    },
  );
}

/** The same over HTTP/2. */
function over2(url: string, ca: string, path = '/v1/x?y=1') {
  return new Promise<{ status: number; pieces: string[] }>((resolve, reject) => {
    const session = connect(url, { ca });
    session.on('error', reject);
    const pieces: string[] = [];
    let status = 0;
    const stream = session.request({ ':method': 'POST', ':path': path, 'x-request-id': 'a-2' });
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece.toString());
      go();
    });
    stream.on('error', reject);
    stream.on('end', () => {
      session.close();
      resolve({ status, pieces });
    });
    stream.end('{"stream":true}');
  });
}

describe('serveFront', () => {
  it('speaks HTTP/1.1 in TLS, piece by piece, and says so', async () => {
    const front = await serveFront(upstream, 'tls', dir);
    try {
      const ca = await readFile(front.caFile, 'utf8');
      const got = await over1(front.url, ca);
      expect(got).toMatchObject({ status: 201, pieces: ['data: 1\n\n', 'data: 2\n\n'] });
      expect(got.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-own': 'yes' });
      expect(seen.at(-1)).toMatchObject({
        method: 'POST',
        url: '/v1/x?y=1',
        body: '{"stream":true}',
        headers: { 'x-request-id': 'a-1' },
      });
      expect(front.record()).toMatchObject({
        protocol: 'tls',
        requests: { '1.1': 1 },
        writes: 2,
        broken: 0,
      });
      // A client that offers only HTTP/2 is not served.
      await expect(over2(front.url, ca)).rejects.toThrow();
      expect(Object.keys(front.record().requests)).toEqual(['1.1']);
    } finally {
      await front.stop();
    }
  });

  it('speaks HTTP/2 with who can, HTTP/1.1 with who cannot, and tells them apart', async () => {
    const front = await serveFront(upstream, 'http2', dir);
    try {
      const ca = await readFile(front.caFile, 'utf8');
      expect(await over2(front.url, ca)).toEqual({ status: 201, pieces: ['data: 1\n\n', 'data: 2\n\n'] });
      expect(seen.at(-1)!.headers).toMatchObject({ 'x-request-id': 'a-2' });
      expect(Object.keys(seen.at(-1)!.headers).filter((name) => name.startsWith(':'))).toEqual([]);
      expect((await over1(front.url, ca)).status).toBe(201);
      const { connections, requests } = front.record();
      expect(requests).toEqual({ '2.0': 1, '1.1': 1 });
      expect(connections['TLSv1.3 h2']).toBe(1);
      expect(Object.keys(connections)).toHaveLength(2);
    } finally {
      await front.stop();
    }
  });

  it('is trusted by whoever is told so by the environment, and by nobody else; it keeps no key', async () => {
    const front = await serveFront(upstream, 'tls', dir);
    try {
      const code = `fetch(process.argv[1]).then(async (r) => { for await (const _ of r.body) { console.log(r.status); process.exit(0); } }, (e) => { console.log(e.cause.code); process.exit(7); })`;
      const ask = (env: Record<string, string>) =>
        execa(process.execPath, ['-e', code, `${front.url}/v1/models`], { env, reject: false });
      const trusting = await ask({ NODE_EXTRA_CA_CERTS: front.caFile });
      expect([trusting.exitCode, trusting.stdout]).toEqual([0, '201']);
      go();
      const other = await ask({ NODE_EXTRA_CA_CERTS: '' });
      expect(other.exitCode).toBe(7);
      expect(other.stdout).toMatch(/SELF_SIGNED|UNABLE_TO/);
      expect(await readdir(dir)).toEqual(['ca.pem']);
      expect(await readFile(front.caFile, 'utf8')).not.toContain('PRIVATE');
    } finally {
      await front.stop();
    }
  });

  it('does not make a whole answer of one that breaks off', async () => {
    const front = await serveFront(upstream, 'http2', dir);
    try {
      const ca = await readFile(front.caFile, 'utf8');
      await expect(over2(front.url, ca, '/breaks')).rejects.toThrow();
      await expect(over1(front.url, ca, '/breaks')).rejects.toThrow();
      expect(front.record().broken).toBe(2);
    } finally {
      await front.stop();
    }
  });

  it('says 502 where there is no target', async () => {
    const front = await serveFront('http://127.0.0.1:9', 'tls', dir);
    try {
      const got = await over1(front.url, await readFile(front.caFile, 'utf8'));
      expect(got.status).toBe(502);
      expect(front.record().broken).toBe(1);
    } finally {
      await front.stop();
    }
  });
});

describe('passedOn', () => {
  it('leaves out what belongs to one connection', () => {
    expect(
      passedOn({
        ':path': '/x',
        connection: 'close',
        'transfer-encoding': 'chunked',
        te: 'trailers',
        'x-a': '1',
      }),
    ).toEqual({ 'x-a': '1' });
  });
});

describe('makeCertificate', () => {
  it('makes a server certificate that strict verifiers take: key identifiers, addresses, no authority of its own', async () => {
    const { cert, caFile } = await makeCertificate(dir);
    const [server, ca] = [new X509Certificate(cert), new X509Certificate(await readFile(caFile))];
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect([server.ca, ca.ca]).toEqual([false, true]);
    expect(server.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(Date.parse(server.validTo) - Date.now()).toBeLessThan(25 * 3600_000);
    // subjectKeyIdentifier of both, authorityKeyIdentifier of the server's: the object ids in DER.
    const has = (one: X509Certificate, oid: string) => one.raw.toString('hex').includes(oid);
    expect([has(ca, '551d0e'), has(server, '551d0e'), has(server, '551d23')]).toEqual([true, true, true]);
  });
});
