/** Answers that leave at once: what clients ask for besides completions, and refusals. */
import { STATUS_CODES } from 'node:http';
import { type ApiError, errorBody } from '../reference/api-error.ts';
import { METRICS_TYPE, metricsText } from '../reference/metrics-text.ts';
import { HEALTHY, modelList, notServed, tokenize } from '../reference/small-answers.ts';
import type { ProbeEngine } from './engine.ts';
import type { Message } from './request-parser.ts';

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly allow?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const json = (body: object): Reply => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(body) });

export const refusal = (error: ApiError): Reply => ({
  status: error.status,
  type: 'application/json',
  body: errorBody(error),
});

/** The bytes of a reply; the answer to HEAD has no body, but says how long it would be. */
export function replyBytes(reply: Reply, keepAlive: boolean, headOnly = false): Buffer {
  const head = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    `content-type: ${reply.type}`,
    `content-length: ${Buffer.byteLength(reply.body)}`,
    ...(reply.allow === undefined ? [] : [`allow: ${reply.allow}`]),
    `connection: ${keepAlive ? 'keep-alive' : 'close'}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${headOnly ? '' : reply.body}`);
}

/** How the target stands, for whoever waits for it to fall idle. */
const stats = (engine: ProbeEngine): object => ({
  requests: engine.requests,
  in_flight: engine.counters.inFlight,
  complete: engine.counters.complete,
  refused: engine.counters.refused,
  client_closed: engine.counters.clientClosed,
  peak_in_flight: engine.counters.peakInFlight,
  connections: engine.counters.connections,
  pacing: engine.options.pacing,
  rss_bytes: process.memoryUsage.rss(),
});

/** The reply to a request that is for no completion. */
export function smallReply(engine: ProbeEngine, { method, path, body }: Message): Reply {
  const { model } = engine.options;
  switch (`${method === 'HEAD' ? 'GET' : method} ${path}`) {
    case 'GET /v1/models':
      return json(modelList(model, engine.created));
    case 'GET /health':
      return json(HEALTHY);
    case 'GET /metrics':
      return { status: 200, type: METRICS_TYPE, body: metricsText(engine.counters, 0) };
    case 'GET /tare/stats':
      return json(stats(engine));
    case 'POST /tokenize': {
      const result = tokenize(model, body);
      return result.ok ? json(result.answer) : refusal(result.error);
    }
  }
  engine.counters.unserved.note(method, path);
  const { error, allow } = notServed(method, path);
  return { ...refusal(error), ...(allow === null ? {} : { allow }) };
}
