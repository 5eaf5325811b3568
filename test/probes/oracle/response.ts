/** Reads an answer's bytes with Node's own HTTP client, over a socket in memory: no waiting, each write’s instant is kept. */
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Answer } from '../../../src/measure/probe/answer.ts';

/** A piece of the body, with the instant of the write that it came in. */
export interface BodyPiece {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface Response {
  /** null: there is no HTTP answer. */
  readonly status: number | null;
  readonly contentType: string;
  readonly pieces: readonly BodyPiece[];
  /** The whole body is there, by HTTP’s rules. */
  readonly complete: boolean;
  /** What the HTTP client complained of. */
  readonly complaint: string | null;
}

/** What of the body is text so far, after each piece: for codings whose output cannot be told piece by piece. */
function decoded(pieces: readonly BodyPiece[], coding: string): BodyPiece[] {
  const unpack = coding === 'gzip' ? gunzipSync : inflateSync;
  let packed = Buffer.alloc(0);
  let length = 0;
  return pieces.map(({ atMs, bytes }) => {
    packed = Buffer.concat([packed, bytes]);
    const text = unpack(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    const fresh = text.subarray(length);
    length = text.length;
    return { atMs, bytes: fresh };
  });
}

export async function readResponse(answer: Answer): Promise<Response> {
  let nowMs = 0;
  let message: IncomingMessage | null = null;
  let complaint: string | null = null;
  const pieces: BodyPiece[] = [];
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const call = request({ method: 'POST', host: 'probe', createConnection: () => socket });
  call.on('error', (error) => {
    complaint ??= error.message;
  });
  call.on('response', (incoming) => {
    message = incoming;
    incoming.on('error', (error) => {
      complaint ??= error.message;
    });
    incoming.on('data', (bytes: Buffer) => void pieces.push({ atMs: nowMs, bytes: Buffer.from(bytes) }));
  });
  call.end();
  await turn();
  for (const write of answer.writes) {
    nowMs = write.atMs;
    if (!socket.destroyed) socket.push(write.bytes);
    await turn();
  }
  if (answer.ending.kind !== 'keep') nowMs = answer.ending.atMs;
  if (answer.ending.kind === 'close') socket.push(null);
  if (answer.ending.kind === 'reset') socket.destroy(new Error('the connection was reset'));
  await turn();
  await turn();
  const head = message as IncomingMessage | null;
  const complete = head?.complete ?? false;
  socket.destroy();
  const coding = head?.headers['content-encoding'] ?? 'identity';
  return {
    status: head?.statusCode ?? null,
    contentType: head?.headers['content-type'] ?? '',
    pieces: coding === 'gzip' || coding === 'deflate' ? decoded(pieces, coding) : pieces,
    complete,
    complaint,
  };
}
