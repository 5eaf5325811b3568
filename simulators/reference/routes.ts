/** The target's HTTP surface, as Fastify routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, badRequest, bodyTooLarge, errorBody } from './api-error.ts';
import { arrivalOf } from './arrival.ts';
import { connectionOf } from './connection.ts';
import type { Engine } from './engine.ts';
import { Exchange } from './exchange.ts';
import { METRICS_TYPE, metricsText } from './metrics-text.ts';
import type { Kind } from './plan.ts';
import { HEALTHY, modelList, notServed, tokenize } from './small-answers.ts';

const EXCHANGE = Symbol('exchange');
type Carrier = IncomingMessage & { [EXCHANGE]: Exchange };

// Shared by all requests: a pair of closures for each would be garbage a million times over.
function onData(this: IncomingMessage, part: Buffer): void {
  (this as Carrier)[EXCHANGE].take(part);
}
function onEnd(this: IncomingMessage): void {
  (this as Carrier)[EXCHANGE].begin();
}

/** Takes a completion request over from Fastify. */
function exchange(engine: Engine, kind: Kind, req: IncomingMessage, res: ServerResponse): void {
  (req as Carrier)[EXCHANGE] = new Exchange(engine, req, res, kind, connectionOf(req.socket), arrivalOf(req));
  engine.usage.begin();
  req.on('data', onData);
  req.on('end', onEnd);
}

const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply.code(error.status).type('application/json').send(errorBody(error));

/** How the target stands, for whoever waits for it to fall idle. */
const stats = (engine: Engine): object => ({
  requests: engine.recorder.seen,
  in_flight: engine.counters.inFlight,
  complete: engine.counters.complete,
  refused: engine.counters.refused,
  client_closed: engine.counters.clientClosed,
  fault_injected: engine.counters.faultInjected,
  peak_in_flight: engine.counters.peakInFlight,
  connections: engine.counters.connections,
  output_tokens: engine.counters.outputTokens,
  lost_rows: engine.recorder.lostRows,
  lost_tokens: engine.recorder.lostTokens,
  pacing: engine.pacing,
  ...(engine.slots === null
    ? {}
    : {
        slots: engine.slots.limits.slots,
        slots_in_use: engine.slots.inUse,
        waiting: engine.slots.waiting,
        peak_waiting: engine.slots.peakWaiting,
      }),
  ledger_used_bytes: engine.recorder.usedBytes,
  rss_bytes: process.memoryUsage.rss(),
  heap_used_bytes: process.memoryUsage().heapUsed,
});

/** Registers every route. */
export function registerRoutes(app: FastifyInstance, engine: Engine): void {
  const { model, maxBodyBytes } = engine.options;
  const created = Math.floor(Date.now() / 1000);
  // Completion bodies are read by their exchange, whatever type they are said to be.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const complete = (kind: Kind) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    exchange(engine, kind, request.raw, reply.raw);
  };
  app.post('/v1/chat/completions', complete('chat'));
  app.post('/v1/completions', complete('text'));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/tokenize', (request, reply) => {
      const result = tokenize(model, request.body as Buffer | undefined);
      return result.ok ? reply.send(result.answer) : sendError(reply, result.error);
    });
  });
  app.get('/v1/models', () => modelList(model, created));
  app.get('/health', () => HEALTHY);
  app.get('/metrics', (_request, reply) =>
    reply.type(METRICS_TYPE).send(metricsText(engine.counters, engine.recorder.lostRows, engine.slots)),
  );
  app.get('/tare/stats', () => stats(engine));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    engine.counters.unserved.note(request.method, path);
    const { error, allow } = notServed(request.method, path);
    return sendError(allow === null ? reply : reply.header('allow', allow), error);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status === 413) return sendError(reply, bodyTooLarge(maxBodyBytes));
    return sendError(reply, { ...badRequest(error.message), status });
  });
}
