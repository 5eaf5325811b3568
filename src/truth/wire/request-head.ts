/** What of a request's head matters here. */

export interface RequestHead {
  /** It asks for a completion. */
  readonly isCompletion: boolean;
  readonly requestId: string | null;
  /** null: not said, or chunked. */
  readonly contentLength: number | null;
  readonly isChunked: boolean;
}

/** The header names that the reference target knows; the first in the head counts. One that the capture cut is none. */
const REQUEST_ID =
  /\r\n(?:x-request-id|x-correlation-id|request-id|x-client-request-id|correlation-id):[ \t]*([^\r\n]*?)[ \t]*\r\n/i;
const CHUNKED = /\r\ntransfer-encoding:[^\r\n]*chunked/i;
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n/i;
const COMPLETION = /^POST [^ ]*\/completions(?:\?[^ ]*)? /;

/** Whether a request of HTTP/1.x can begin so. */
export const beginsRequest = (text: string): boolean => /^[A-Z]{3,7} \S/.test(text);

/** Whether this is HTTP/2 with prior knowledge. */
export const beginsHttp2 = (text: string): boolean => text.startsWith('PRI * HTTP/2');

/** Reads a head, as far as it was captured. */
export function requestHead(head: string): RequestHead {
  const length = CONTENT_LENGTH.exec(head)?.[1];
  const isChunked = CHUNKED.test(head);
  return {
    isCompletion: COMPLETION.test(head),
    requestId: REQUEST_ID.exec(head)?.[1] ?? null,
    contentLength: length === undefined || isChunked ? null : Number(length),
    isChunked,
  };
}
