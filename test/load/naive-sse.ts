/**
 * The event-stream grammar read the slow way, from the whole text at once, as the standard words it
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation), and the chunks' meaning by JSON.parse.
 * What the scanner says of any cut of the same bytes must be the same.
 */
import { type ChunkMeaning, parseChunk } from '../../src/load/chunk-parse.ts';
import { EVENT } from '../../src/load/event-kind.ts';
import { SseScanner } from '../../src/load/sse-scanner.ts';

export interface Seen {
  readonly events: readonly (readonly [kind: number, completionTokens: number, promptTokens: number])[];
  readonly id: string | null;
}

/** What a stream means, up to and with `[DONE]`. */
export function naive(stream: Uint8Array): Seen {
  // TextDecoder takes one byte order mark off, as the standard asks.
  const lines = new TextDecoder().decode(stream).split(/\r\n|\n|\r/);
  // The last piece had no line end: not a line yet.
  lines.pop();
  const events: [number, number, number][] = [];
  let id: string | null = null;
  let data = '';
  let name = '';
  for (const line of lines) {
    if (line !== '') {
      const colon = line.indexOf(':');
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'data') data += `${value}\n`;
      else if (field === 'event') name = value;
      continue;
    }
    const isError = name === 'error';
    name = '';
    if (data === '') continue;
    const meaning: ChunkMeaning = parseChunk(data.slice(0, -1));
    data = '';
    const kind = isError ? (meaning.kind & ~EVENT.malformed) | EVENT.error : meaning.kind;
    if (id === null && meaning.id !== null && meaning.id !== '') id = meaning.id;
    events.push([kind, meaning.completionTokens, meaning.promptTokens]);
    if ((kind & EVENT.done) !== 0) break;
  }
  return { events, id };
}

/** What the scanner says of the stream, given in these segments. */
export function scan(segments: readonly Uint8Array[], scanner?: SseScanner): Seen {
  const events: [number, number, number][] = [];
  const own = scanner ?? new SseScanner({ onEvent: (...event) => events.push(event) });
  for (const segment of segments) own.push(segment);
  return {
    events,
    id: own.idLength > 0 ? Buffer.from(own.id.subarray(0, own.idLength)).toString('utf8') : null,
  };
}

/** Cuts bytes at these places (any numbers; taken modulo the length). */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((p) => p % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => bytes.slice(from, at[i] ?? bytes.length));
}

/** Every way of cutting in two, and byte by byte. */
export function* cuts(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield [bytes];
  for (let i = 0; i <= bytes.length; i++) yield [bytes.slice(0, i), bytes.slice(i)];
  yield Array.from(bytes, (_, i) => bytes.slice(i, i + 1));
}
