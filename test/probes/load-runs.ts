/** Runs under load made by hand: requests at given instants, as a target would have kept them. */
import { identifyArrivals } from '../../src/measure/arrival-process/identify.ts';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import type { MetricTable, Summary } from '../../src/measure/metrics.ts';
import type { LoadRun } from '../../src/measure/probe/probe.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { ledgerOf, type Row } from '../measure/ledger-builder.ts';

export interface Made {
  readonly rateRps: number;
  readonly rows: readonly Row[];
  readonly requests?: number;
  readonly definitions?: Partial<Definitions>;
  /** Printed E2E and TTFT of each request, ms; null: it prints nothing at all. */
  readonly e2e?: readonly number[];
  readonly ttft?: readonly number[];
  readonly reported?: Partial<NonNullable<LoadRun['reported']>> | null;
  readonly change?: Partial<LoadRun>;
}

const none = (): Summary => summarize([], 'not made');

/** A run with the departures that an audit finds in such arrivals. */
export function loadRun(made: Made): LoadRun {
  const { rows, rateRps } = made;
  const ledger = ledgerOf(rows);
  const requests = made.requests ?? rows.length;
  const metrics: MetricTable = {
    ttft: summarize(made.ttft ?? [], 'not made'),
    itl: none(),
    tpot: none(),
    ntpot: none(),
    e2e: summarize(made.e2e ?? [], 'not made'),
  };
  const kind = made.change?.asked ?? 'constant';
  return {
    rateRps,
    requests,
    durationS: requests / rateRps,
    ledger,
    first: 0,
    definitions: { ...STANDARD, ...made.definitions },
    reported:
      made.reported === null
        ? null
        : {
            metrics,
            achievedRps: null,
            durationS: null,
            completed: rows.length,
            failed: 0,
            dropped: null,
            ...made.reported,
          },
    exitCode: 0,
    departures: identifyArrivals(ledger.arrivalNs, { arrivals: { kind }, rateRps }, ledger.endNs).departures,
    faults: [],
    ...made.change,
  };
}

/** Requests at these instants, ms, answered in one write after `serviceMs`. */
export const answered = (instants: readonly number[], serviceMs: number): Row[] =>
  instants.map((at) => ({ at, tokens: [serviceMs], coalesced: 4 }));

/** n instants, `gapMs` apart. */
export const evenly = (n: number, gapMs: number): number[] => Array.from({ length: n }, (_, i) => i * gapMs);

/** When requests due every `gapMs` are sent by a client that has at most `cap` of them under way. */
export function capped(n: number, gapMs: number, serviceMs: number, cap: number): number[] {
  const sent: number[] = [];
  for (let i = 0; i < n; i++) sent.push(Math.max(i * gapMs, i < cap ? 0 : sent[i - cap]! + serviceMs));
  return sent;
}
