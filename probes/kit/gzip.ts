/** gzip (RFC 1952) flushed piece by piece, so that each event can be read as soon as it has come. */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { bytesOf, joined, type Piece } from './stream.ts';

/** Magic, deflate, no flags, no time, no extra flags, an unknown system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty final block: RFC 1951 §3.2.6. */
const FINAL_BLOCK = Uint8Array.of(0x03, 0x00);

/** Each piece ends in a sync flush, so that pieces compressed apart make one stream. */
const flushed = (bytes: Uint8Array): Uint8Array =>
  deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

function trailer(all: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, crc32(all), true);
  view.setUint32(4, all.length, true);
  return bytes;
}

/** The pieces of one gzip stream. */
export function gzipped(pieces: readonly Piece[]): Piece[] {
  const end = joined(FINAL_BLOCK, trailer(joined(...pieces.map(({ body }) => body))));
  return pieces.map(({ atMs, body }, i) => ({
    atMs,
    body: joined(i === 0 ? HEADER : '', flushed(bytesOf(body)), i === pieces.length - 1 ? end : ''),
  }));
}

/** Whether an Accept-Encoding field allows gzip: RFC 9110 §12.5.3. */
export function allowsGzip(field: string | undefined): boolean {
  if (field === undefined) return false;
  const weights = new Map<string, number>();
  for (const part of field.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => text.startsWith('q='));
    weights.set(coding, q === undefined ? 1 : Number(q.slice(2)));
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
