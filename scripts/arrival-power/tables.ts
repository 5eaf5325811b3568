/** The power of src/measure/arrival-process, measured on simulated clients: rows for docs/arrivals.md. */
import { identifyArrivals } from '../../src/measure/arrival-process/identify.ts';
import { poissonTests } from '../../src/measure/arrival-process/poisson-tests.ts';
import type { DepartureKind } from '../../src/measure/arrival-process/types.ts';
import { type Arrivals, formatArrivals } from '../../src/measure/workload.ts';
import { AD_CRITICAL, andersonDarling } from './anderson-darling.ts';
import {
  type Case,
  capped,
  FAULTS,
  type Fault,
  type Machine,
  NOISY,
  onMachine,
  QUIET,
  schedule,
} from './simulate.ts';

export const SIZES = [50, 200, 1000] as const;

interface Row {
  readonly kind: DepartureKind;
  readonly stated: Arrivals;
  readonly rateRps: number;
  readonly fault: keyof typeof FAULTS;
  readonly dose: number;
  /** The size that it should be found with; the dose where absent. */
  readonly size?: number;
}

const constant: Arrivals = { kind: 'constant' };
const poisson: Arrivals = { kind: 'poisson' };
const gamma: Arrivals = { kind: 'gamma', cv2: 4 };

export const ROWS: readonly Row[] = [
  { kind: 'drift', stated: constant, rateRps: 10, fault: 'drift', dose: 0.449 },
  { kind: 'drift', stated: constant, rateRps: 100, fault: 'drift', dose: 0.1 },
  { kind: 'drift', stated: constant, rateRps: 100, fault: 'drift', dose: 0.449 },
  { kind: 'drift', stated: constant, rateRps: 1000, fault: 'drift', dose: 0.449 },
  { kind: 'rate', stated: constant, rateRps: 100, fault: 'rate', dose: -0.5 },
  { kind: 'rate', stated: poisson, rateRps: 100, fault: 'rate', dose: -0.1 },
  { kind: 'rate', stated: poisson, rateRps: 100, fault: 'rate', dose: -0.2 },
  { kind: 'rate', stated: poisson, rateRps: 100, fault: 'rate', dose: -0.5 },
  { kind: 'random-gaps', stated: constant, rateRps: 50, fault: 'cv2', dose: 0.25 },
  { kind: 'random-gaps', stated: constant, rateRps: 50, fault: 'cv2', dose: 1 },
  { kind: 'random-gaps', stated: constant, rateRps: 1000, fault: 'cv2', dose: 1 },
  { kind: 'regular-gaps', stated: poisson, rateRps: 50, fault: 'cv2', dose: 0 },
  { kind: 'regular-gaps', stated: poisson, rateRps: 1000, fault: 'cv2', dose: 0 },
  { kind: 'other-cv2', stated: poisson, rateRps: 50, fault: 'cv2', dose: 0.5 },
  { kind: 'other-cv2', stated: poisson, rateRps: 50, fault: 'cv2', dose: 2 },
  { kind: 'other-cv2', stated: poisson, rateRps: 50, fault: 'cv2', dose: 4 },
  { kind: 'ticks', stated: constant, rateRps: 50, fault: 'ticks', dose: 15.6 },
  { kind: 'ticks', stated: constant, rateRps: 200, fault: 'ticks', dose: 50 },
  { kind: 'ticks', stated: poisson, rateRps: 50, fault: 'ticks', dose: 10 },
  { kind: 'ticks', stated: poisson, rateRps: 50, fault: 'ticks', dose: 100 },
  { kind: 'ticks', stated: gamma, rateRps: 50, fault: 'ticks', dose: 15.6 },
  { kind: 'clumps', stated: poisson, rateRps: 50, fault: 'clumps', dose: 2 },
  { kind: 'clumps', stated: poisson, rateRps: 50, fault: 'clumps', dose: 4 },
  { kind: 'clumps', stated: poisson, rateRps: 200, fault: 'clumps', dose: 2 },
  { kind: 'uneven-phases', stated: constant, rateRps: 50, fault: 'phases', dose: 4 },
  { kind: 'uneven-phases', stated: constant, rateRps: 100, fault: 'phases', dose: 8 },
  { kind: 'on-the-second', stated: poisson, rateRps: 10, fault: 'second', dose: 0.1 },
  { kind: 'on-the-second', stated: poisson, rateRps: 50, fault: 'second', dose: 0.02 },
  { kind: 'on-the-second', stated: poisson, rateRps: 50, fault: 'pinned', dose: 0.1 },
  { kind: 'renewed-each-second', stated: poisson, rateRps: 50, fault: 'second', dose: 0, size: 0 },
  { kind: 'ramp', stated: constant, rateRps: 100, fault: 'ramp', dose: 1.5 },
  { kind: 'ramp', stated: poisson, rateRps: 100, fault: 'ramp', dose: 1.5 },
  { kind: 'ramp', stated: poisson, rateRps: 100, fault: 'ramp', dose: 2 },
  { kind: 'bursts', stated: poisson, rateRps: 100, fault: 'bursts', dose: 4, size: Number.NaN },
  { kind: 'stall', stated: constant, rateRps: 100, fault: 'stall', dose: 50 },
  { kind: 'stall', stated: constant, rateRps: 100, fault: 'stall', dose: 200 },
  { kind: 'stall', stated: poisson, rateRps: 100, fault: 'stall', dose: 100 },
  { kind: 'jitter', stated: constant, rateRps: 50, fault: 'jitter', dose: 5 },
];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const figure = (value: number): string => String(Number(value.toPrecision(3)));
const found = (spec: Case, fault: Fault, dose: number, machine: Machine) =>
  identifyArrivals(onMachine(fault(spec, dose), machine, spec.seed), {
    arrivals: spec.stated,
    rateRps: spec.rateRps,
  });

/** Share of runs in which a departure was named, by dose and number of arrivals, on the noisy machine. */
export function powerTable(runs: number): string {
  const rows = ROWS.map(({ kind, stated, rateRps, fault, dose, size }) => {
    let sizes: number[] = [];
    const shares = SIZES.map((requests) => {
      sizes = [];
      for (let seed = 1; seed <= runs; seed++) {
        const { departures } = found({ stated, rateRps, requests, seed }, FAULTS[fault], dose, NOISY);
        const named = departures.find((one) => one.kind === kind);
        if (named !== undefined) sizes.push(named.size);
      }
      return percent(sizes.length / runs);
    });
    sizes.sort((a, b) => a - b);
    const at = (p: number) => (sizes.length === 0 ? '–' : figure(sizes[Math.round(p * (sizes.length - 1))]!));
    const expected = size === undefined ? figure(dose) : Number.isNaN(size) ? '–' : figure(size);
    return [
      kind,
      `${formatArrivals(stated)}, ${rateRps}/s`,
      `${fault} ${dose}`,
      ...shares,
      expected,
      `${at(0.5)} [${at(0.05)}, ${at(0.95)}]`,
    ];
  });
  return table(
    [
      'departure',
      'stated',
      'dose',
      ...SIZES.map((n) => `n = ${n}`),
      'size',
      'found at 1,000: median [5 %, 95 %]',
    ],
    rows,
  );
}

/** Closed loops: a pool smaller than the load needs. */
export function closedLoopTable(runs: number): string {
  const rows = (
    [
      [constant, 100, 4, 100],
      [poisson, 100, 4, 100],
      [poisson, 50, 8, 200],
      [constant, 100, 1000, 120],
    ] as const
  ).map(([stated, rateRps, cap, serviceMs]) => {
    const shares = SIZES.map((requests) => {
      let hits = 0;
      for (let seed = 1; seed <= runs; seed++) {
        const { arrivalsNs, endsNs } = capped(
          { stated, rateRps, requests, seed },
          cap,
          () => serviceMs,
          QUIET,
        );
        const { departures } = identifyArrivals(arrivalsNs, { arrivals: stated, rateRps }, endsNs);
        const loop = departures.find((one) => one.kind === 'closed-loop');
        if (loop !== undefined && (cap === 1000 || loop.size === cap)) hits++;
      }
      return percent(hits / runs);
    });
    const load = (rateRps * serviceMs) / 1000;
    return [
      `${formatArrivals(stated)}, ${rateRps}/s`,
      `${serviceMs} ms`,
      cap === 1000 ? 'none (must not be named)' : `${cap} for a load of ${load}`,
      ...shares,
    ];
  });
  return table(['stated', 'answers take', 'cap', ...SIZES.map((n) => `n = ${n}`)], rows);
}

/** Share of healthy clients that are accused of anything. */
export function falseAlarmTable(runs: number): string {
  const rows: string[][] = [];
  for (const [name, machine] of [
    ['quiet', QUIET],
    ['noisy', NOISY],
  ] as const)
    for (const stated of [constant, poisson, { kind: 'gamma', cv2: 0.25 } as const, gamma])
      rows.push([
        name,
        formatArrivals(stated),
        ...SIZES.map((requests) => {
          let accused = 0;
          let all = 0;
          for (const rateRps of [10, 50, 200, 1000])
            for (let seed = 1; seed <= runs; seed++, all++)
              if (found({ stated, rateRps, requests, seed }, FAULTS.none, 0, machine).departures.length > 0)
                accused++;
          return `${accused} of ${all}`;
        }),
      ]);
  return table(['machine', 'stated and sent', ...SIZES.map((n) => `n = ${n}`)], rows);
}

/** Share that each test of Poisson refuses at its 5 % level: exact instants, and whole milliseconds. */
export function poissonTestTable(runs: number): string {
  const cases: [string, (seed: number) => number[]][] = [
    ['Poisson, 200/s (its level)', (seed) => schedule(poisson, 200, 200, seed)],
    ['Poisson, 200/s, rounded to 1 ms', (seed) => schedule(poisson, 200, 200, seed).map(Math.round)],
    ['Poisson, 50/s, rounded to 1 ms', (seed) => schedule(poisson, 50, 200, seed).map(Math.round)],
    ['gamma, CV² 0.5', (seed) => schedule({ kind: 'gamma', cv2: 0.5 }, 200, 200, seed)],
    ['gamma, CV² 2', (seed) => schedule({ kind: 'gamma', cv2: 2 }, 200, 200, seed)],
    [
      'Poisson whose rate doubles',
      (seed) => FAULTS.ramp({ stated: poisson, rateRps: 200, requests: 200, seed }, 2),
    ],
  ];
  const rows = cases.map(([name, draw]) => {
    let uniform = 0;
    let lewis = 0;
    let darling = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const at = Float64Array.from(draw(seed));
      const tests = poissonTests(at)!;
      if (tests.uniform_p < 0.05) uniform++;
      if (tests.lewis_p < 0.05) lewis++;
      if (!(andersonDarling(at.slice(1).map((t, i) => t - at[i]!)) < AD_CRITICAL)) darling++;
    }
    return [name, percent(uniform / runs), percent(lewis / runs), percent(darling / runs)];
  });
  return table(['arrivals, n = 200', 'conditional-uniform KS', 'Lewis KS', 'Anderson–Darling on gaps'], rows);
}
