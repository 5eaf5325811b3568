/**
 * A small server inside the worker's own process, for warming the worker's code before the start: its compiled paths are hot, and the target has
 * seen nothing. It answers every request alike, so that next to nothing of the time goes to the server.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface LocalServer {
  readonly url: URL;
  close(): void;
}

/** The answer of a well-behaved server, in pieces: `tokens` chunks, a usage, `[DONE]`. */
function events(path: string, tokens: number, stream: boolean): string[] {
  const chat = path.includes('chat');
  const head = {
    id: 'chatcmpl-0000000000000001',
    object: chat ? 'chat.completion.chunk' : 'text_completion',
    created: 1700000000,
    model: 'warm-up',
  };
  const usage = { prompt_tokens: 8, completion_tokens: tokens, total_tokens: tokens + 8 };
  const choice = (text: string, last: boolean, first = false) => ({
    index: 0,
    ...(chat
      ? { [stream ? 'delta' : 'message']: { ...(first ? { role: 'assistant' } : {}), content: text } }
      : { text }),
    logprobs: null,
    finish_reason: last ? 'length' : null,
  });
  if (!stream) return [JSON.stringify({ ...head, choices: [choice('tok '.repeat(tokens), true)], usage })];
  const chunks = Array.from({ length: tokens }, (_, i) => ({
    ...head,
    choices: [choice(' tok', i === tokens - 1, i === 0)],
  }));
  const lines = [...chunks, { ...head, choices: [], usage }].map(
    (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  );
  return [...lines, 'data: [DONE]\n\n'];
}

/** The events as an HTTP answer, an HTTP chunk each; the head with the first. */
function answer(path: string, tokens: number, stream: boolean): Buffer[] {
  const parts = events(path, tokens, stream).map(
    (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`,
  );
  parts[0] =
    `HTTP/1.1 200 OK\r\ncontent-type: ${stream ? 'text/event-stream' : 'application/json'}\r\n` +
    `connection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n${parts[0]}`;
  parts.push('0\r\n\r\n');
  return parts.map((part) => Buffer.from(part));
}

/** One answer in so many comes event by event, the others in one piece. */
const IN_PIECES = 8;

/**
 * Starts it on a free port of the loopback. It takes requests of one length only, one at a time on a connection: `bodyLength` bytes of
 * body, and heads that are as long as the connection's first.
 */
export async function startLocalServer(
  path: string,
  tokens: number,
  stream: boolean,
  bodyLength: number,
): Promise<LocalServer> {
  const parts = answer(path, Math.max(1, Math.min(tokens, 64)), stream);
  const whole = Buffer.concat(parts);
  const sockets = new Set<Socket>();
  let served = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let size = 0;
    let received = 0;
    let head = '';
    socket.on('error', () => {});
    socket.on('data', (segment) => {
      received += segment.length;
      if (size === 0) {
        head += segment.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        size = end + 4 + bodyLength;
      }
      if (received < size) return;
      received = 0;
      if (++served % IN_PIECES !== 0) socket.write(whole);
      else for (const part of parts) socket.write(part);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
