import type { DepartureKind } from '../../src/measure/arrival-process/types.ts';
import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { besides, processCv2 } from '../kit/load-departures.ts';
import { arrivalsMs } from '../kit/load-run.ts';
import { faulty, figure, other, right, say, undetermined } from '../kit/load-verdict.ts';

/** Departures that say what the gaps are; what is late, drifts or stalls has probes of its own. */
const OF_GAPS = ['random-gaps', 'other-cv2', 'clumps', 'ticks', 'uneven-phases', 'bursts', 'ramp'] as const;

/** Fewer arrivals say nothing. */
const LEAST = 30;

const isOfGaps = (kind: DepartureKind): boolean => (OF_GAPS as readonly DepartureKind[]).includes(kind);

export default {
  scope: 'load',
  title: 'equal gaps are asked for, at 10 and at 50/s',
  about:
    'A client that calls its arrivals constant and draws exponential gaps tests another load: bursts that queue, and pauses. The mean rate does not show it.',
  source: 'CV² of gaps: 0 where they are equal, 1 where they are exponential (docs/arrivals.md)',
  right: 'CV² of the gaps between arrivals ≈ 0',
  // 50 gaps show it of any CV² from 0.25 on (docs/arrivals.md).
  runs: [
    { name: '10/s', rateRps: 10, requests: 100, tokens: 4, arrivals: 'constant', latency: 'zero' },
    { name: '50/s', rateRps: 50, requests: 300, tokens: 4, arrivals: 'constant', latency: 'zero' },
  ],
  known: [
    {
      kind: 'random-gaps',
      what: 'sends gaps of a Poisson process where equal ones were asked',
      arithmetic:
        'CV² ≈ 1, and a rate that strays by chance: by 1/√100 = 10 % at 10/s, by 1/√300 = 5.8 % at 50/s',
      definition: true,
      reported: ['inference-perf loadgen/load_timer.py'],
    },
  ],
  refuses: ({ arrivals, openLoop }) =>
    !arrivals.includes('constant')
      ? 'it has no arrivals at equal gaps, and says so'
      : openLoop
        ? null
        : 'a closed loop: its users send when they are answered, so it has no schedule to keep',
  judge(runs): LoadVerdict {
    const seen = runs.map((run) => {
      const found = run.departures.find(({ kind }) => isOfGaps(kind));
      return { run, n: arrivalsMs(run).length, found };
    });
    const few = seen.find(({ n }) => n < LEAST);
    const figures = seen
      .filter(({ n }) => n >= LEAST)
      .map(({ run, found }) =>
        figure(
          `CV² of gaps at ${run.rateRps}/s`,
          '',
          0,
          found?.kind === 'random-gaps' ? found.size : processCv2(run),
          0.3,
          'ledger',
        ),
      );
    const odd = seen.filter(({ n, found }) => n >= LEAST && found !== undefined);
    const first = odd[0];
    if (first === undefined)
      return few === undefined
        ? right(`the gaps are equal${besides(runs, OF_GAPS)}`, figures)
        : undetermined(`only ${few.n} requests arrived at ${say(few.run.rateRps)}/s`, figures);
    const words = `constant was asked at ${odd
      .map(({ run, found }) => `${say(run.rateRps)}/s: ${found!.evidence}`)
      .join('; at ')}`;
    const { kind, size: value, unit } = first.found!;
    const size = { value, unit, figure: kind };
    if (odd.every(({ run, found }) => found!.kind === 'random-gaps' && run.sends === 'poisson'))
      return other('random-gaps', `${words}. It is stated of it that its constant is random.`, size, figures);
    return faulty(kind, words, size, figures);
  },
} satisfies LoadProbe;
