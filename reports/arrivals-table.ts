/** How requests arrived, a row a client and rate: the process that was asked, the one that the ledger shows, and how they differ. Pure. */
import type { AuditDocument, Trial } from '../src/audit/document.ts';
import type { ArrivalIdentity, Departure, DepartureKind } from '../src/measure/arrival-process/types.ts';
import { formatArrivals } from '../src/measure/workload.ts';
import { ms, percent, plain, rate } from './format.ts';

/** A departure in so many of a cell's trials; its words and evidence are of the first. */
export interface ArrivalDeparture {
  readonly kind: DepartureKind;
  readonly words: string;
  readonly trials: number;
  readonly evidence: string;
}

export interface ArrivalRow {
  readonly client: string;
  readonly rate_rps: number;
  readonly stated: string;
  /** In words; trials that differ are all named. */
  readonly found: string;
  readonly trials: number;
  /** Seen in at least half of the trials that had arrivals enough. */
  readonly departures: readonly ArrivalDeparture[];
}

const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);

const WORDS: Readonly<Record<DepartureKind, (size: number) => string>> = {
  drift: (size) => `every gap is ${signed(ms(size), size)} ms off`,
  rate: (size) => `rate ${signed(percent(size), size)} % off`,
  'random-gaps': (size) => `random gaps, CV² ${plain(size)}`,
  'regular-gaps': () => 'equal gaps',
  'other-cv2': (size) => `gaps of CV² ${plain(size)}`,
  ticks: (size) => `on a grid of ${ms(size)} ms`,
  'uneven-phases': (size) => `unevenly started senders, ${plain(size)}`,
  clumps: (size) => `${plain(size)} at a time`,
  'on-the-second': (size) => `${percent(size)} % at one instant of each second`,
  'renewed-each-second': () => 'as many in every second',
  ramp: (size) => `the last third at ${plain(size)} times the rate of the first`,
  bursts: (size) => `bursts, index of dispersion ${plain(size)}`,
  'closed-loop': (size) => `waits for answers, at most ${plain(size)} in flight`,
  stall: (size) => `pauses of ${ms(size)} ms`,
  jitter: (size) => `scatters by ${ms(size)} ms`,
  unnamed: (size) => `fails the test of its process (D ${plain(size)})`,
};

export const departureWords = ({ kind, size }: Pick<Departure, 'kind' | 'size'>): string => WORDS[kind](size);

function foundWords({ process, cv2, rate_rps }: ArrivalIdentity): string {
  if (process === 'too few') return 'too few to tell';
  const name = process === 'gamma' ? `gamma, CV² ${plain(cv2)}` : process === 'poisson' ? 'Poisson' : process;
  return `${name}, ${rate(rate_rps)}/s`;
}

function rowOf(trials: readonly Trial[]): ArrivalRow[] {
  const [first] = trials;
  const seen = trials.flatMap((trial): ArrivalIdentity[] =>
    trial.truth?.arrivals === undefined ? [] : [trial.truth.arrivals],
  );
  if (first === undefined || seen.length === 0) return [];
  const told = seen.filter(({ agrees }) => agrees !== null);
  const byKind = new Map<DepartureKind, Departure[]>();
  for (const one of told.flatMap(({ departures }) => departures))
    byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
  return [
    {
      client: first.client,
      rate_rps: first.workload.rateRps,
      stated: formatArrivals(first.workload.arrivals),
      found: [...new Set(seen.map(foundWords))].join('; '),
      trials: seen.length,
      departures: [...byKind.values()]
        .filter((same) => 2 * same.length >= told.length)
        .map((same) => ({
          kind: same[0]!.kind,
          words: departureWords(same[0]!),
          trials: same.length,
          evidence: same[0]!.evidence,
        })),
    },
  ];
}

/** In the order of the clients and rates; nothing without a ledger, or from results of versions that did not look. */
export const arrivalRows = ({ clients, plan, trials }: AuditDocument): ArrivalRow[] =>
  clients.flatMap(({ name }) =>
    plan.rates_rps.flatMap((rps) =>
      rowOf(trials.filter((trial) => trial.client === name && trial.workload.rateRps === rps)),
    ),
  );
