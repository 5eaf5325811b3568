/**
 * A small server inside the worker's own process, for warming the worker's code before the start: its compiled paths are hot, and the target has
 * seen nothing.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  readonly url: URL;
  close(): void;
}

/** The answer of a well-behaved server: `tokens` chunks, a usage, `[DONE]`. */
function answer(path: string, tokens: number, stream: boolean): Buffer[] {
  const chat = path.includes('chat');
  const head = {
    id: 'chatcmpl-0000000000000001',
    object: chat ? 'chat.completion.chunk' : 'text_completion',
    created: 1700000000,
    model: 'warm-up',
  };
  const usage = { prompt_tokens: 8, completion_tokens: tokens, total_tokens: tokens + 8 };
  const choice = (text: string, last: boolean) => ({
    index: 0,
    ...(chat ? { [stream ? 'delta' : 'message']: { content: text } } : { text }),
    finish_reason: last ? 'length' : null,
  });
  if (!stream)
    return [Buffer.from(JSON.stringify({ ...head, choices: [choice('tok '.repeat(tokens), true)], usage }))];
  const events = Array.from({ length: tokens }, (_, i) => ({
    ...head,
    choices: [choice(' tok', i === tokens - 1)],
  }));
  const lines = [...events, { ...head, choices: [], usage }].map(
    (event) => `data: ${JSON.stringify(event)}\n\n`,
  );
  return [...lines, 'data: [DONE]\n\n'].map((line) => Buffer.from(line));
}

/** Starts it on a free port of the loopback. Every other answer comes in one piece, the others event by event. */
export async function startLocalServer(path: string, tokens: number, stream: boolean): Promise<LocalServer> {
  const events = answer(path, Math.max(1, Math.min(tokens, 64)), stream);
  const whole = Buffer.concat(events);
  let served = 0;
  const server: Server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    if (served++ % 2 === 0) response.end(whole);
    else {
      for (const event of events) response.write(event);
      response.end();
    }
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
      server.closeAllConnections();
    },
  };
}
