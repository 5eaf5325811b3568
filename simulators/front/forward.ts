/** Hands a request on to the target and its answer back, piece by piece as it comes. */
import { type Agent, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { FrontCounts } from './record.ts';

/** Headers of one connection (RFC 9110, 7.6.1); none of them may stand in HTTP/2 (RFC 9113, 8.2.2). */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers as the other side may have them: no pseudo-headers, none of the connection. */
export const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_CONNECTION.has(name)),
  );

/** Ends an answer so that nobody takes it for a whole one: its stream is reset, or its connection cut. */
function cut(res: Http2ServerResponse | ServerResponse): void {
  if ('stream' in res && res.stream !== undefined) res.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else (res as ServerResponse).destroy();
}

/** Forwards one exchange. HTTP/1.1 comes in Node's classes of HTTP/2, which are made to look alike. */
export function forward(
  upstream: URL,
  agent: Agent,
  counts: FrontCounts,
  req: Http2ServerRequest,
  res: Http2ServerResponse,
): void {
  const { host: _, ...headers } = passedOn(req.headers);
  const out = request(
    { agent, host: upstream.hostname, port: upstream.port, path: req.url, method: req.method, headers },
    (answer) => {
      res.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.on('data', (piece: Buffer) => {
        counts.writes++;
        res.write(piece);
      });
      answer.on('end', () => res.end());
      answer.on('error', () => {
        counts.broken++;
        cut(res);
      });
    },
  );
  out.setNoDelay(true);
  out.on('error', () => {
    // The answer has begun: it says so itself.
    if (res.headersSent) return;
    counts.broken++;
    if (!res.destroyed) {
      res.writeHead(502, { 'content-type': 'application/json' });
      res.end('{"error":{"message":"The front could not reach the target.","type":"server_error"}}');
    }
  });
  // The client is gone: the target is to see that, too.
  res.on('close', () => {
    if (!res.writableFinished) out.destroy();
  });
  req.pipe(out);
}
