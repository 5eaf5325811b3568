/** Judging how requests arrived: the departures that an audit finds, as verdicts. */
import { identifyArrivals } from '../../src/measure/arrival-process/identify.ts';
import type { DepartureKind } from '../../src/measure/arrival-process/types.ts';
import type { LoadFigure, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { arrivalsMs } from './load-run.ts';
import { faulty, right } from './load-verdict.ts';

/** CV² of the process that a run's arrivals are of: without stalls and jitter of the machine, which the plain one is full of. */
export function processCv2(run: LoadRun): number | null {
  const at = arrivalsMs(run).map((ms) => ms * 1e6);
  return identifyArrivals(at, { arrivals: { kind: run.asked ?? 'constant' }, rateRps: run.rateRps }).cv2;
}

/** What else departs from what was asked, which other probes judge; empty where nothing does. */
export function besides(runs: readonly LoadRun[], judged: readonly DepartureKind[]): string {
  const others = new Set(
    runs
      .flatMap(({ departures }) => departures.map(({ kind }) => kind))
      .filter((kind) => !judged.includes(kind)),
  );
  return others.size === 0 ? '' : ` (what other probes are about: ${[...others].join(', ')})`;
}

/** The departures of these kinds as a fault, of each run the first; right without one. */
export function judgeDepartures(
  runs: readonly LoadRun[],
  kinds: readonly DepartureKind[],
  isRight: string,
  figures: readonly LoadFigure[],
): LoadVerdict {
  const found = runs.flatMap((run) => {
    const one = run.departures.find(({ kind }) => kinds.includes(kind));
    return one === undefined ? [] : [{ ...one, rateRps: run.rateRps }];
  });
  const [first] = found;
  if (first === undefined) return right(`${isRight}${besides(runs, kinds)}`, figures);
  const { kind, size, unit } = first;
  const words = found.map(({ rateRps, evidence }) => `at ${rateRps}/s ${evidence}`).join('; ');
  return faulty(kind, words, { value: size, unit, figure: kind }, figures);
}

/** Why Poisson arrivals cannot be asked of a client; null: they can. */
export const lacksPoisson = (client: { readonly arrivals: readonly string[]; readonly openLoop: boolean }) =>
  !client.openLoop
    ? 'a closed loop: its users send when they are answered'
    : client.arrivals.includes('poisson')
      ? null
      : 'it has no Poisson arrivals, and says so';
