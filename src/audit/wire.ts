/** The second witness of a trial: its port captured while the client runs, and what that says beside the ledger. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientRecord } from '../../adapters/contract.ts';
import type { Definitions } from '../measure/definitions.ts';
import type { Ledger } from '../measure/ledger.ts';
import type { Metric } from '../measure/metrics.ts';
import { summarize } from '../measure/quantile.ts';
import { toMs } from '../measure/time.ts';
import { type LedgerAgainstWire, ledgerAgainstWire, spread, type WireRows } from '../measure/wire.ts';
import type { Launcher } from '../system/launcher.ts';
import { type CaptureCounts, startCapture } from '../system/packet-capture.ts';
import { joinedOffset, realtimeOffset, toMonotonic } from '../system/realtime-offset.ts';
import { readCapture, type WireCapture } from '../truth/wire/capture-reader.ts';
import { joinWire } from '../truth/wire/join-wire.ts';
import { isWhole, type WireRequest } from '../truth/wire/wire-request.ts';
import type { Trial, WireFigures } from './document.ts';
import type { Pairing } from './pairing.ts';

export const CAPTURE_FILE = 'wire.pcap';

export interface WireOptions {
  readonly launcher: Launcher;
  readonly url: string;
  /** The trial's folder. */
  readonly dir: string;
  readonly deadlineMs: number;
  /** Whether the capture file stays. */
  readonly keep: boolean;
}

/** A capture that was read. */
export interface Witness {
  readonly capture: WireCapture;
  readonly counts: CaptureCounts;
  readonly captureBytes: number;
  readonly uncertaintyNs: number;
}

export interface RunningWitness {
  /** Ends the capture and reads it. A file that cannot be read is no reason to lose the trial: it says why. */
  end(): Promise<Witness | { readonly failure: string }>;
  /** Ends it unread: the trial came to nothing. */
  abandon(): Promise<void>;
}

/** Starts capturing the port of `url`. @throws UserError where that does not work here. */
export async function beginWire({
  launcher,
  url,
  dir,
  deadlineMs,
  keep,
}: WireOptions): Promise<RunningWitness> {
  const { port: named, protocol } = new URL(url);
  const port = Number(named || (protocol === 'https:' ? 443 : 80));
  const file = join(dir, CAPTURE_FILE);
  const stderrFile = join(dir, 'tcpdump.stderr.txt');
  const running = await startCapture({ launcher, port, file, stderrFile, deadlineMs });
  const begin = realtimeOffset();
  return {
    async end() {
      const counts = await running.stop();
      const { ns, uncertaintyNs } = joinedOffset(begin, realtimeOffset());
      try {
        const { size } = await stat(file);
        const capture = await readCapture(file, port, toMonotonic(ns));
        return { capture, counts, captureBytes: size, uncertaintyNs };
      } catch (error) {
        // The folder is a temporary one until the trial is kept.
        const words = (error as Error).message.replaceAll(file, CAPTURE_FILE);
        return { failure: `the second witness says nothing: ${words}` };
      } finally {
        if (!keep) await rm(file, { force: true });
      }
    },
    async abandon() {
      await running.abandon();
      if (!keep) await rm(file, { force: true });
    },
  };
}

/** reported − wire of each joined record, by what the client's clock ends with. */
function clientMinusWire(
  { records, row }: Pick<Pairing, 'records' | 'row'>,
  wire: WireRows,
  { ttft, end }: Definitions,
): WireFigures['client_minus_wire'] {
  const { requestNs } = wire;
  const firstNs = ttft === 'headers' ? wire.headNs : wire.firstNs;
  const endNs = end === 'responseEnd' ? wire.endNs : wire.lastNs;
  const differences = (of: (record: ClientRecord) => number | null, to: Float64Array) =>
    spread(
      records.map((record, i) => {
        const r = row[i]!;
        return r < 0 || !record.ok ? Number.NaN : (of(record) ?? Number.NaN) * 1e6 - (to[r]! - requestNs[r]!);
      }),
    );
  const ttftMs = differences((record) => (ttft === 'none' ? null : record.ttftMs), firstNs);
  const e2eMs = differences((record) => record.e2eMs, endNs);
  return ttftMs.n + e2eMs.n === 0 ? null : { ttft_ms: ttftMs, e2e_ms: e2eMs };
}

function wireAlone(requests: readonly WireRequest[]): LedgerAgainstWire['wire'] {
  const whole = requests.filter(
    (request) => isWhole(request) && request.ending === 'seen' && !Number.isNaN(request.firstNs),
  );
  const summary = (of: (request: WireRequest) => number) =>
    summarize(
      whole.map((request) => toMs(of(request) - request.requestNs)),
      'no answer with tokens was captured',
    );
  return { ttft: summary((request) => request.firstNs), e2e: summary((request) => request.lastNs) };
}

const digits = (ms: number | null): string => (ms === null ? '–' : ms.toFixed(3));

/** What of the capture is not in its figures. */
function lackWords(capture: WireCapture, unfinished: number, dropped: number | null): string[] {
  const words: string[] = [];
  const others = Object.entries(capture.notUnderstood).map(([what, n]) => `${n} of ${what}`);
  if (others.length > 0)
    words.push(
      `of ${capture.connections} connections ${others.join(', ')} could not be read, and their requests are not in these figures`,
    );
  if (unfinished > 0)
    words.push(`${unfinished} requests whose answer was not captured to its end are left out`);
  if (capture.isTruncated) words.push('the capture file ends within a packet');
  if (dropped === null)
    words.push('tcpdump gave no account at its end: it may have ended before the trial did');
  return words;
}

function agreementOf(against: LedgerAgainstWire | null, hasLedger: boolean): string {
  if (!hasLedger) return 'there is no ledger to hold the wire against';
  if (against === null) return 'no request of the ledger was found on the wire';
  const { ttft_apart_ms: ttft, e2e_apart_ms: e2e } = against;
  return `ledger and wire agree within ${digits(ttft.p50_ms)} ms (p50) / ${digits(ttft.p99_ms)} ms (p99) on TTFT, ${digits(e2e.p50_ms)} / ${digits(e2e.p99_ms)} ms on E2E`;
}

export interface WireComparison {
  readonly figures: WireFigures;
  /** null without a ledger. */
  readonly rows: WireRows | null;
}

/** What a witness says beside the ledger (from row `first` on) and the client's own records. Pure. */
export function compareWire(
  { capture, counts, captureBytes, uncertaintyNs }: Witness,
  ledger: Ledger | null,
  first: number,
  pairing: Pairing | null,
  definitions: Definitions,
): WireComparison {
  const rows = ledger === null ? null : joinWire(ledger, capture.requests);
  const compared =
    ledger === null || rows === null ? null : ledgerAgainstWire(ledger, rows, first, uncertaintyNs);
  const against = compared === null || compared.ttft_apart_ms.n === 0 ? null : compared;
  const { dropped } = counts;
  const unfinished = capture.requests.filter(({ ending }) => ending === 'unseen').length;
  const words = [agreementOf(against, ledger !== null), ...lackWords(capture, unfinished, dropped)];
  const figures: WireFigures = {
    requests: capture.requests.length,
    joined: rows?.joined ?? null,
    joined_share: ledger === null || rows === null || ledger.rows === 0 ? null : rows.joined / ledger.rows,
    unfinished,
    is_truncated: capture.isTruncated,
    other_requests: capture.otherRequests,
    connections: capture.connections,
    not_understood: capture.notUnderstood,
    packets: capture.packets,
    dropped,
    loss_share: dropped === null ? null : dropped === 0 ? 0 : dropped / (capture.packets + dropped),
    unseen_bytes: capture.unseenBytes,
    capture_bytes: captureBytes,
    clock_uncertainty_us: uncertaintyNs / 1000,
    against,
    realized: against?.wire ?? wireAlone(capture.requests),
    client_minus_wire: pairing === null || rows === null ? null : clientMinusWire(pairing, rows, definitions),
    statement: words.join('; '),
  };
  return { figures, rows };
}

/** Whether a metric is timed from the request's arrival, so that what ledger and wire are apart is in it. */
export const isFromArrival = (metric: Metric): boolean => metric !== 'itl' && metric !== 'tpot';

/** By how much ledger and wire differ, ms: the larger of TTFT's and E2E's, for the floor. null where there is no telling. */
export function wireAgreementMs({ wire }: Pick<Trial, 'wire'>): { p50: number; p99: number } | null {
  if (!wire?.against) return null;
  const { ttft_apart_ms: ttft, e2e_apart_ms: e2e } = wire.against;
  const larger = (a: number | null, b: number | null) =>
    a === null || b === null ? (a ?? b) : Math.max(a, b);
  const p50 = larger(ttft.p50_ms, e2e.p50_ms);
  const p99 = larger(ttft.p99_ms, e2e.p99_ms);
  return p50 === null || p99 === null ? null : { p50, p99 };
}
