/** The reference target: puts it together, starts it, ends it. */
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Ledger, LedgerMeta } from '../../src/measure/ledger.ts';
import { UserError } from '../../src/system/user-error.ts';
import { checkLedgerFolder, writeLedger } from '../../src/truth/ledger-file.ts';
import { snapshot } from '../../src/truth/snapshot.ts';
import { badRequest, errorBody } from './api-error.ts';
import { Engine } from './engine.ts';
import { BACKLOG, httpServer, listenError, refuseMalformed } from './http-server.ts';
import { ledgerMeta } from './ledger-meta.ts';
import { DEFAULT_OPTIONS, type ReferenceOptions } from './options.ts';
import { registerRoutes } from './routes.ts';
import { warmUp } from './warm-up.ts';

/** A target that is running. */
export interface ReferenceTarget {
  /** Base URL, no trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly pacing: LedgerMeta['pacing'];
  /** The ledger so far. To be called when nothing is in flight. */
  ledger(): Ledger;
  /**
   * Ends it: connections are cut, what is under way stays `unfinished`, and the ledger is written to its file. Returns the
   * ledger. Throws a UserError where the file cannot be written.
   */
  stop(): Promise<Ledger>;
}

function makeEngine(options: ReferenceOptions): Engine {
  try {
    return new Engine(options);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** The Fastify instance, and a second listener on its routes for the warm-up. */
async function assemble(engine: Engine): Promise<{ app: FastifyInstance; spare: () => Server }> {
  let routes: RequestListener | undefined;
  const app = Fastify({
    serverFactory: (handler) => {
      routes = handler;
      return httpServer(engine, handler);
    },
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, _request, reply) => {
      reply.hijack();
      reply.raw
        .writeHead(400, { 'content-type': 'application/json' })
        .end(errorBody(badRequest(error.message)));
    },
  });
  registerRoutes(app, engine);
  await app.ready();
  return { app, spare: () => httpServer(engine, routes!) };
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Starts a target. Throws a UserError for what the user can mend: a latency model, an address, a port, a ledger's folder. */
export async function serveReference(given: Partial<ReferenceOptions> = {}): Promise<ReferenceTarget> {
  const options = { ...DEFAULT_OPTIONS, ...given };
  if (options.ledgerFile !== null) await checkLedgerFolder(options.ledgerFile);
  const engine = makeEngine(options);
  const { app, spare } = await assemble(engine);
  if (options.warmUpMs > 0) await warmUp(engine, spare(), options.warmUpMs);
  engine.clear();
  engine.arm();
  try {
    await app.listen({ host: options.host, port: options.port, backlog: BACKLOG });
  } catch (error) {
    engine.pacer.stop();
    throw listenError(error as NodeJS.ErrnoException, options.host, options.port);
  }
  const { port } = app.server.address() as AddressInfo;
  const ledger = (): Ledger =>
    snapshot(
      engine.recorder,
      { model: engine.model, seed: engine.seed },
      engine.frameOptions.tag,
      ledgerMeta(engine),
    );
  return {
    url: urlOf(options.host, port),
    port,
    pacing: engine.pacing,
    ledger,
    async stop() {
      engine.ended = true;
      engine.pacer.stop();
      const last = ledger();
      app.server.closeAllConnections();
      await app.close();
      if (options.ledgerFile !== null) await writeLedger(options.ledgerFile, last);
      return last;
    },
  };
}
