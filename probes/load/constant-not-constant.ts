import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { processCv2 } from '../kit/load-departures.ts';
import { arrivalsMs } from '../kit/load-run.ts';
import { faulty, figure, other, right, say, undetermined, worstOf } from '../kit/load-verdict.ts';

/** Departures that say what the gaps are; what is late, drifts or stalls has probes of its own. */
const OF_GAPS = ['random-gaps', 'other-cv2', 'clumps', 'ticks', 'uneven-phases', 'bursts', 'ramp'];

export default {
  scope: 'load',
  title: 'equal gaps are asked for, at 10 and at 50/s',
  about:
    'A client that calls its arrivals constant and draws exponential gaps tests another load: bursts that queue, and pauses. The mean rate does not show it.',
  source: 'CV² of gaps: 0 where they are equal, 1 where they are exponential (docs/arrivals.md)',
  right: 'CV² of the gaps between arrivals ≈ 0',
  runs: [
    { name: '10/s', rateRps: 10, requests: 100, tokens: 4, arrivals: 'constant', latency: 'zero' },
    { name: '50/s', rateRps: 50, requests: 300, tokens: 4, arrivals: 'constant', latency: 'zero' },
  ],
  known: [
    {
      kind: 'random-gaps',
      what: 'sends gaps of a Poisson process where equal ones were asked',
      arithmetic: 'CV² ≈ 1, and a rate that strays by 1/√300 = 5.8 % by chance',
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
  judge: (runs) => worstOf(runs.map(judgeOne)),
} satisfies LoadProbe;

function judgeOne(run: LoadRun): LoadVerdict {
  const at = arrivalsMs(run);
  if (at.length < 30) return undetermined(`only ${at.length} requests arrived`);
  const found = run.departures.find(({ kind }) => OF_GAPS.includes(kind));
  const cv2 = found?.kind === 'random-gaps' ? found.size : processCv2(run);
  const figures = [figure('CV² of gaps', '', 0, cv2, 0.3, 'ledger')];
  if (found === undefined) return right('the gaps are equal', figures);
  const words = `constant was asked at ${say(run.rateRps)}/s: ${found.evidence}`;
  const size = { value: found.size, unit: found.unit, figure: found.kind };
  if (found.kind === 'random-gaps' && run.sends === 'poisson')
    return other('random-gaps', `${words}. It is stated of it that its constant is random.`, size, figures);
  return faulty(found.kind, words, size, figures);
}
