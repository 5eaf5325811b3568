/** The probe target: puts it together, starts it, ends it. */
import type { AddressInfo } from 'node:net';
import { nowNs } from '../../src/system/clock.ts';
import { checkLedgerFolder } from '../../src/truth/ledger-file.ts';
import { type ProbeLedger, writeProbeLedger } from '../../src/truth/probe-ledger.ts';
import { BACKLOG, listenError } from '../reference/http-server.ts';
import { DEFAULT_OPTIONS, type PacingChoice } from '../reference/options.ts';
import { choosePacing, makeAlarm } from '../reference/pacing.ts';
import { randomTag } from '../reference/random-tag.ts';
import { socketServer } from './attach.ts';
import { ProbeEngine } from './engine.ts';
import type { Script } from './slots.ts';
import { warmUp } from './warm-up.ts';

export interface ProbeTargetOptions {
  /** In the order in which requests get them; a probe may stand there several times. At least one. */
  readonly scripts: readonly Script[];
  /** So many of the first requests get the plain base profile. */
  readonly plainFirst?: number;
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Name of the one model. */
  readonly model?: string;
  readonly pacing?: PacingChoice;
  /** Where the ledger goes at the end; null: nowhere. */
  readonly ledgerFile?: string | null;
  /** About how long it warms up before it is ready, ms; 0: not at all. */
  readonly warmUpMs?: number;
}

/** A target that is running. */
export interface ProbeTarget {
  /** Base URL, no trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly pacing: 'spin' | 'block';
  /** The ledger so far. */
  ledger(): ProbeLedger;
  /**
   * Ends it: connections are cut, what is under way stays `unfinished`, and the ledger is written to its file. Returns the
   * ledger. Throws a UserError where the file cannot be written.
   */
  stop(): Promise<ProbeLedger>;
}

/** Starts a target. Throws a UserError for what the user can mend: an address, a port, a ledger's folder. */
export async function serveProbe(options: ProbeTargetOptions): Promise<ProbeTarget> {
  const { host = DEFAULT_OPTIONS.host, port = 0, ledgerFile = null } = options;
  if (ledgerFile !== null) await checkLedgerFolder(ledgerFile);
  const pacing = choosePacing(options.pacing ?? 'auto');
  const settings = {
    scripts: options.scripts,
    plainFirst: options.plainFirst ?? 0,
    model: { ...DEFAULT_OPTIONS.model, name: options.model ?? DEFAULT_OPTIONS.model.name },
    pacing,
    maxBodyBytes: DEFAULT_OPTIONS.maxBodyBytes,
    tag: randomTag(),
    now: nowNs,
  };
  const { warmUpMs = 0 } = options;
  if (warmUpMs > 0) await warmUp({ ...settings, alarm: makeAlarm(pacing, nowNs) }, warmUpMs);
  const engine = new ProbeEngine({ ...settings, alarm: makeAlarm(pacing, nowNs) });
  const { server, stop } = socketServer(engine);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      engine.pacer.stop();
      reject(listenError(error, host, port));
    });
    server.listen({ host, port, backlog: BACKLOG }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    pacing,
    ledger: () => engine.ledger(),
    async stop() {
      engine.ended = true;
      engine.pacer.stop();
      await stop();
      const ledger = engine.ledger();
      if (ledgerFile !== null) await writeProbeLedger(ledgerFile, ledger);
      return ledger;
    },
  };
}
