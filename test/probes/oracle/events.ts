/** The events of a body, by eventsource-parser, each with the instant of the piece that its empty line came in. */
import { createParser } from 'eventsource-parser';
import type { BodyPiece, Response } from './response.ts';

export interface OracleEvent {
  readonly atMs: number;
  readonly name: string | undefined;
  readonly data: string;
}

/**
 * eventsource-parser takes a CR at the end of a piece for a line end only when it has seen the next piece. The grammar has CR alone
 * for a line end (9.2.5), and CRLF means the same: such a piece gets its LF at once, and one that follows at the next piece’s start is
 * left out.
 */
function* withLineEndsAtOnce(pieces: readonly BodyPiece[]): Generator<{ atMs: number; text: string }> {
  const decoder = new TextDecoder();
  let afterCr = false;
  for (const { atMs, bytes } of pieces) {
    let text = decoder.decode(bytes, { stream: true });
    if (text === '') continue;
    if (afterCr && text.startsWith('\n')) text = text.slice(1);
    afterCr = text.endsWith('\r');
    yield { atMs, text: afterCr ? `${text}\n` : text };
  }
}

/** Events in order. A body that is called JSON is one event, when it is whole; any other is read as the stream that was asked for. */
export function eventsOf({ contentType, pieces, complete }: Response): OracleEvent[] {
  if (contentType.toLowerCase().startsWith('application/json')) {
    if (!complete || pieces.length === 0) return [];
    const data = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('utf8');
    return [{ atMs: pieces.at(-1)!.atMs, name: undefined, data }];
  }
  const events: OracleEvent[] = [];
  let nowMs = 0;
  const parser = createParser({
    onEvent: ({ data, event }) => void events.push({ atMs: nowMs, name: event, data }),
  });
  for (const { atMs, text } of withLineEndsAtOnce(pieces)) {
    nowMs = atMs;
    parser.feed(text);
  }
  return events;
}
