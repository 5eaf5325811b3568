/** The reference target: puts it together, starts it, ends it. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { LedgerMeta } from '../../src/measure/ledger.ts';
import { clockResolutionNs } from '../../src/system/clock.ts';
import { UserError } from '../../src/system/user-error.ts';
import { checkLedgerFolder, writeLedger } from '../../src/truth/ledger-file.ts';
import { snapshot } from '../../src/truth/snapshot.ts';
import { stampArrival } from './arrival.ts';
import { watchConnection } from './connection.ts';
import { Engine } from './engine.ts';
import { DEFAULT_OPTIONS, type ReferenceOptions } from './options.ts';
import { registerRoutes } from './routes.ts';
import { warmUp } from './warm-up.ts';

/** A target that is running. */
export interface ReferenceTarget {
  /** Base URL, no trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly pacing: 'spin' | 'block' | 'none';
  /** Ends it: no more requests, connections cut, ledger written. Says how many requests the ledger holds, and lost. */
  stop(): Promise<{ rows: number; lostRows: number; lostTokens: number }>;
  /** The ledger so far. To be called when nothing is in flight. */
  ledger(): ReturnType<typeof snapshot>;
}

/** The listening queue: a burst of new connections must not be refused by the kernel. */
const BACKLOG = 4096;

function httpServer(engine: Engine, listener: RequestListener): Server {
  // No timeouts at all: a client may pause for as long as its schedule says, on a connection that it keeps.
  const server = createServer(
    { noDelay: true, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 },
    (req, res) => {
      stampArrival(req, engine.now());
      listener(req, res);
    },
  );
  server.timeout = 0;
  server.on('connection', (socket) => watchConnection(socket, engine.counters));
  return server;
}

function listenError(error: NodeJS.ErrnoException, options: ReferenceOptions): Error {
  const where = `${options.host}:${options.port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError(
        `port ${options.port} on ${options.host} is in use; choose another with --port (0 takes a free one)`,
      );
    case 'EACCES':
      return new UserError(`no permission to listen on ${where}; choose a port above 1023 with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UserError(`${options.host} is not an address of this machine (${error.code}); see --host`);
    default:
      return error;
  }
}

function metaOf(engine: Engine): LedgerMeta {
  const { recorder, counters, options } = engine;
  let last = 0;
  for (let row = 0; row < recorder.rows; row++)
    last = Math.max(last, recorder.endNs[row] || recorder.arrivalNs[row]!);
  const windowNs = recorder.rows === 0 ? 0 : last - recorder.arrivalNs[0]!;
  return {
    version: 1,
    seed: options.seed,
    latency: engine.model.spec.text,
    pacing: engine.pacing,
    lostRows: recorder.lostRows,
    lostTokens: recorder.lostTokens,
    lostIds: recorder.lostIds,
    windowNs,
    ...engine.usage.read(windowNs),
    peakInFlight: counters.peakInFlight,
    connections: counters.connections,
    clockResolutionNs: clockResolutionNs(),
    pid: process.pid,
    nodeVersion: process.version,
  };
}

async function assemble(engine: Engine): Promise<{ app: FastifyInstance; server: () => Server }> {
  let listener: RequestListener | undefined;
  const app = Fastify({
    serverFactory: (handler) => {
      listener = handler;
      return httpServer(engine, handler);
    },
    routerOptions: { ignoreTrailingSlash: true },
  });
  registerRoutes(app, engine);
  await app.ready();
  return { app, server: () => httpServer(engine, listener!) };
}

/** Starts a target. Throws a UserError for what the user can mend: a latency model, an address, a port. */
export async function serveReference(given: Partial<ReferenceOptions> = {}): Promise<ReferenceTarget> {
  const options = { ...DEFAULT_OPTIONS, ...given };
  let engine: Engine;
  try {
    engine = new Engine(options);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  if (options.ledgerFile !== null) await checkLedgerFolder(options.ledgerFile);
  const { app, server } = await assemble(engine);
  if (options.warmUpMs > 0) await warmUp(engine, server(), options.warmUpMs);
  engine.clear();
  try {
    await app.listen({ host: options.host, port: options.port, backlog: BACKLOG });
  } catch (error) {
    engine.pacer.stop();
    throw listenError(error as NodeJS.ErrnoException, options);
  }
  const { port } = app.server.address() as AddressInfo;
  const take = (meta: LedgerMeta) =>
    snapshot(engine.recorder, { model: engine.model, seed: engine.seed }, engine.frameOptions.tag, meta);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    pacing: engine.pacing,
    ledger: () => take(metaOf(engine)),
    async stop() {
      engine.ended = true;
      const meta = metaOf(engine);
      engine.pacer.stop();
      app.server.closeAllConnections();
      await app.close();
      const ledger = take(meta);
      if (options.ledgerFile !== null) await writeLedger(options.ledgerFile, ledger);
      return { rows: ledger.rows, lostRows: meta.lostRows, lostTokens: meta.lostTokens };
    },
  };
}
