/**
 * The controls: our own client as it is (nothing must be found), and with one fault of a known dose each (kind, sign and size must be
 * found). What size a dose must show as is arithmetic, given here; where the arithmetic needs what the target did, it is taken from the ledger.
 */

import { onTheSecond } from '../../load/faults/schedules.ts';
import { gapCv2 } from '../../measure/arrivals.ts';
import { meanOf } from '../../measure/diagnosis/estimate.ts';
import type { FaultKind } from '../../measure/diagnosis/fault.ts';
import { LEDGER_OUTCOMES, type Ledger } from '../../measure/ledger.ts';
import { createSchedule } from '../../measure/schedule.ts';
import { NANOS_PER_S, toMs } from '../../measure/time.ts';
import type { Workload } from '../../measure/workload.ts';
import { type ControlShape, OUTPUT_TOKENS, type ShapeName } from './shapes.ts';

/** What a control's size is computed from. */
export interface DoseContext {
  readonly shape: ControlShape;
  readonly workload: Workload;
  readonly ledger: Ledger;
}

export interface Control {
  /** The fault's name; `clean…` for none. */
  readonly name: string;
  /** As `tare load --fault` takes it; null: the client as it is. */
  readonly fault: string | null;
  /** Another client than ours, whose fault is its own. Tried where it is installed. */
  readonly client?: string;
  readonly shape: ShapeName;
  /** null: nothing may be found. */
  readonly expects: FaultKind | null;
  /** The size that the dose must show as, in the kind's unit, signed. */
  readonly size: (context: DoseContext) => number;
  /** The arithmetic, in words. */
  readonly arithmetic: string;
  /** What may be found beside it: it is what the fault consists in. */
  readonly also?: readonly FaultKind[];
}

const outcome = (name: (typeof LEDGER_OUTCOMES)[number]): number => LEDGER_OUTCOMES.indexOf(name);

const shareOf = (ledger: Ledger, names: readonly (typeof LEDGER_OUTCOMES)[number][]): number => {
  const codes = names.map(outcome);
  return ledger.outcome.filter((code) => codes.includes(code)).length / ledger.rows;
};

/** Mean time that a request holds its place under a cap, ms: arrival to end. */
const heldMs = (ledger: Ledger): number =>
  meanOf(Float64Array.from({ length: ledger.rows }, (_, r) => toMs(ledger.endNs[r]! - ledger.arrivalNs[r]!)));

/** CV² of the random gaps that the workload's seed draws: of a few hundred it strays from 1 by more than a tenth. */
function drawnCv2({ rateRps, requests, seed }: Workload): number {
  const schedule = createSchedule({ arrivals: { kind: 'poisson' }, rateRps, requests, seed });
  return gapCv2(Float64Array.from({ length: requests }, () => schedule.next()))!;
}

/** The share of `on-the-second`'s arrivals that fall on a whole second: the last one of each that the schedule fills. */
function pinnedShare({ arrivals, rateRps, requests, seed }: Workload): number {
  const schedule = onTheSecond({ arrivals, rateRps, requests, seed });
  const offsets = Array.from({ length: requests }, () => schedule.next() / NANOS_PER_S);
  return offsets.filter((s) => Math.abs(s - Math.round(s)) < 1e-6).length / requests;
}

const CAP = 8;

/** Under a cap c the i-th of n requests is sent i·S/c after the first instead of i/R, S the mean time that one holds its place. */
const capWaitMs = ({ ledger, workload }: DoseContext): number =>
  ((ledger.rows - 1) / 2) * (heldMs(ledger) / CAP - 1000 / workload.rateRps);

const clean = (name: string, shape: ShapeName): Control => ({
  name,
  fault: null,
  shape,
  expects: null,
  size: () => 0,
  arithmetic: 'nothing may be found',
});

export const CONTROLS: readonly Control[] = [
  clean('clean', 'stream'),
  clean('clean again', 'stream'),
  clean('clean, tokens together', 'together'),
  clean('clean, Poisson', 'random'),
  {
    name: 'late-send',
    fault: 'late-send:5ms',
    shape: 'stream',
    expects: 'late-send',
    size: () => 5,
    arithmetic: 'the dose, 5 ms',
  },
  {
    name: 'late-read',
    fault: 'late-read:4ms',
    shape: 'stream',
    expects: 'late-read',
    size: () => 4,
    arithmetic: 'the dose, 4 ms',
  },
  {
    name: 'omission',
    fault: 'omission:200ms',
    shape: 'stream',
    expects: 'coordinated-omission',
    size: () => -20,
    arithmetic: 'stalled d = 200 ms of every T = 1 s: d²/(2T) = 20 ms a request',
  },
  {
    name: 'role-first',
    fault: 'role-first',
    shape: 'stream',
    expects: 'first-event-as-token',
    size: ({ shape }) => -shape.ttftMs,
    arithmetic: 'role at 0 ms, first token at 40 ms',
  },
  {
    name: 'end-at-done',
    fault: 'end-at-done',
    shape: 'stream',
    expects: 'end-after-last-token',
    size: ({ shape }) => shape.tailMs,
    arithmetic: 'the end comes 20 ms after the last token',
  },
  {
    name: 'chunk-itl',
    fault: 'chunk-itl:2',
    shape: 'stream',
    expects: 'itl-per-chunk',
    size: () => 2,
    arithmetic: 'two tokens a chunk: gaps twice as long',
  },
  {
    name: 'ttft-in-itl',
    fault: 'ttft-in-itl',
    shape: 'stream',
    expects: 'ttft-in-itl',
    size: ({ shape }) => (shape.ttftMs - shape.itlMs) / OUTPUT_TOKENS,
    arithmetic: '(TTFT − ITL)/n = 35/16 ms in the mean ITL',
  },
  {
    name: 'count-plus',
    fault: 'count-plus:1',
    shape: 'stream',
    expects: 'token-count',
    size: () => 1,
    arithmetic: 'the dose, one token',
  },
  {
    name: 'burn',
    fault: 'burn:200us',
    shape: 'together',
    expects: 'cost-per-token',
    size: () => 200,
    arithmetic: 'the dose, 200 µs',
  },
  {
    name: 'coarse-clock',
    fault: 'coarse-clock:10ms',
    shape: 'stream',
    expects: 'coarse-clock',
    size: () => 10,
    arithmetic: 'the dose, 10 ms',
  },
  {
    name: 'clock-scale',
    fault: 'clock-scale:5%',
    shape: 'stream',
    expects: 'clock-scale',
    size: () => 0.05,
    arithmetic: 'the dose, 5 %',
  },
  {
    name: 'drop-failures',
    fault: 'drop-failures',
    shape: 'stream',
    expects: 'failures-dropped',
    size: ({ ledger }) => -shareOf(ledger, ['refused', 'faultInjected']),
    arithmetic: 'the share that failed at the target, about 10 %',
  },
  {
    name: 'error-as-success',
    fault: 'error-as-success',
    shape: 'stream',
    expects: 'errors-as-success',
    size: ({ ledger }) => shareOf(ledger, ['faultInjected']),
    arithmetic: 'the share that was broken off in mid-stream, about 5 %',
  },
  {
    name: 'lost-requests',
    fault: 'lost-requests:10%',
    shape: 'stream',
    expects: 'requests-not-sent',
    size: ({ ledger, workload }) => ledger.rows / workload.requests - 1,
    arithmetic: 'requests that arrived / planned − 1, about −10 %',
  },
  {
    name: 'duplicate',
    fault: 'duplicate:10%',
    shape: 'stream',
    expects: 'requests-doubled',
    size: ({ ledger, workload }) => ledger.rows / workload.requests - 1,
    arithmetic: 'requests that arrived / planned − 1, about 10 %',
  },
  {
    name: 'fresh-connections',
    fault: 'fresh-connections',
    shape: 'stream',
    expects: 'fresh-connections',
    size: () => 1,
    arithmetic: 'one connection a request',
  },
  {
    name: 'pool-cap',
    fault: `pool-cap:${CAP}`,
    shape: 'stream',
    expects: 'in-flight-cap',
    size: () => CAP,
    arithmetic: 'the dose, 8 under way where 12 are wanted',
  },
  {
    name: 'cap-wait-omitted',
    fault: `cap-wait-omitted:${CAP}`,
    shape: 'stream',
    expects: 'cap-wait-omitted',
    size: (context) => -capWaitMs(context),
    arithmetic: '(n − 1)/2 · (S/c − 1/R), S the mean time under way by the ledger',
    also: ['in-flight-cap'],
  },
  {
    name: 'sleep-drift',
    fault: 'sleep-drift:0.5ms',
    shape: 'stream',
    expects: 'sleep-drift',
    size: () => 0.5,
    arithmetic: 'the dose, 0.5 ms a gap',
  },
  {
    name: 'tick',
    fault: 'tick:50ms',
    shape: 'stream',
    expects: 'coarse-timer',
    size: () => 50,
    arithmetic: 'the dose, 50 ms',
  },
  {
    name: 'random-gaps',
    fault: 'random-gaps',
    shape: 'stream',
    expects: 'random-gaps',
    size: ({ workload }) => drawnCv2(workload),
    arithmetic: 'CV² of the gaps that were drawn, 1 in the long run',
  },
  {
    name: 'same-seed',
    fault: 'same-seed:2',
    shape: 'random',
    expects: 'sends-together',
    size: () => 2,
    arithmetic: 'two workers, two requests at once',
  },
  {
    name: 'on-the-second',
    fault: 'on-the-second',
    shape: 'slow',
    expects: 'on-the-second',
    size: ({ workload }) => pinnedShare(workload),
    arithmetic: 'those of the drawn schedule that fall on a whole second, one a second',
  },
  {
    name: 'autocannon -R',
    fault: null,
    client: 'autocannon',
    shape: 'few',
    expects: 'samples-made-up',
    size: ({ shape }) => -shape.ttftMs / 2,
    arithmetic: 'each answer of 100 ms counts as 100, 99, … 1 ms too: its median is half',
  },
];
