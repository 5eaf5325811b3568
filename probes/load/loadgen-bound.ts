import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { isRandom, printed, sendRateOf, sentOf, servedMs } from '../kit/load-run.ts';
import { faulty, figure, right, say } from '../kit/load-verdict.ts';

/** Past the knee it sends less than this share, or its median of TTFT is so far above the server’s. */
const HOLDS = 0.98;
const LAG_MS = 5;

const runAt = (rateRps: number) =>
  ({
    name: `${rateRps}/s`,
    rateRps,
    requests: rateRps,
    tokens: 16,
    arrivals: 'constant',
    latency: 'zero',
  }) as const;

interface Seen {
  readonly run: LoadRun;
  readonly sent: number;
  readonly lagMs: number | null;
  readonly past: boolean;
  /** What of its own output says so; null: nothing. */
  readonly says: string | null;
}

/** Requests/s by the ledger, with those that never arrived counted as missing. */
function shareSent(run: LoadRun): number {
  const rate = (sendRateOf(run) ?? 0) / run.rateRps;
  return Math.min(rate, sentOf(run) / run.requests);
}

/** Words that say of a run that it could not be kept. */
const KEPT_NOT =
  /\b(could not keep|cannot keep|did not keep|fell behind|behind (?:its|the) schedule|saturated|overloaded|not trusted|cannot be trusted|should not be trusted|own warning, (?:sends-behind|completions-behind|schedule-lag|busy-loop|core-shared))\b/i;

/** A note that gives the delay behind the schedule: it says what happened where that is the greater part of the lag. */
function delayIn(note: string): number | null {
  const mean = /\bafter their schedule: mean ([\d.,]+)/.exec(note);
  return mean === null ? null : Number(mean[1]!.replaceAll(',', ''));
}

/** What the client’s own output says of a run that is past its knee; null: nothing. */
function said(run: LoadRun, sent: number, lagMs: number | null): string | null {
  const { reported, notes = [] } = run;
  if ((reported?.dropped ?? 0) > 0) return `says that it dropped ${reported!.dropped}`;
  const note = notes.find(
    (one) => KEPT_NOT.test(one) || (delayIn(one) ?? 0) >= Math.max(LAG_MS, 0.5 * (lagMs ?? 0)),
  );
  if (note !== undefined) return `says: ${note}`;
  const rate = reported?.achievedRps ?? null;
  return sent < HOLDS && rate !== null && rate < HOLDS * run.rateRps
    ? `prints ${say(rate)} requests/s`
    : null;
}

function look(run: LoadRun): Seen {
  const sent = shareSent(run);
  const p50 = printed(run, 'ttft', 'p50');
  const truth = summarize(servedMs(run, 'ttft'), '').p50_ms;
  const lagMs = p50 === null || truth === null ? null : p50 - truth;
  const least = HOLDS - (isRandom(run) ? 3 / Math.sqrt(run.requests) : 0);
  const past = sent < least || (lagMs ?? 0) > LAG_MS;
  return { run, sent, lagMs, past, says: past ? said(run, sent, lagMs) : null };
}

const isPast = (run: LoadRun): boolean => look(run).past;

export default {
  scope: 'load',
  title: 'zero latency, the rate goes up until the client cannot',
  about:
    'The server answers at once, so all that is printed is the client’s. Past the rate that its event loop can serve it sends late and reads late, and a TTFT that is its own queue looks like the server’s.',
  source:
    'arithmetic: injected TTFT is 0, so a printed median beyond some milliseconds is the client’s; the ledger has what was sent',
  right: 'it holds the rate at no lag, or says that it does not',
  runs: [runAt(250), runAt(1000), runAt(4000)],
  isSettled: (runs) => runs.some(isPast),
  known: [
    {
      kind: 'loop-lag-as-ttft',
      what: 'prints the lag of its own event loop as TTFT',
      arithmetic: 'TTFT p50 of milliseconds to seconds where 0 is right; it grows with the run',
      reported: ['inference-perf#648'],
    },
    {
      kind: 'shortfall-not-said',
      what: 'sends less than was asked, and nothing that it prints says so',
      arithmetic: 'sent < 98 % of the rate; no rate, no dropped requests, exit code 0',
    },
  ],
  refuses: ({ openLoop }) => (openLoop ? null : 'a closed loop: it sends what its users can'),
  judge(runs): LoadVerdict {
    const seen = runs.map(look);
    const figures = seen.flatMap(({ run, lagMs }) => [
      figure(
        `sends at ${run.rateRps}/s`,
        'requests/s',
        run.rateRps,
        sendRateOf(run),
        run.rateRps * (isRandom(run) ? 3 / Math.sqrt(run.requests) : 0.02),
        'ledger',
      ),
      figure(`TTFT p50 beyond the server’s at ${run.rateRps}/s`, 'ms', 0, lagMs, LAG_MS, 'printed'),
    ]);
    const past = seen.find((one) => one.past);
    const held = seen.findLast((one) => !one.past);
    const holds =
      held === undefined ? 'it holds no rate that was tried' : `it holds ${say(held.run.rateRps)}/s`;
    if (past === undefined) return right(`${holds}, the highest that was tried`, figures);
    const { run, sent, lagMs, says } = past;
    const short = `at ${say(run.rateRps)}/s it sends ${say(100 * sent)} %`;
    const marked = says !== null && !says.startsWith('prints');
    if ((lagMs ?? 0) > LAG_MS && !marked)
      return faulty(
        'loop-lag-as-ttft',
        `${holds}; ${short} and prints a TTFT that is ${say(lagMs!)} ms of its own lag in the median${says === null ? ', and nothing says so' : ` (it ${says})`}`,
        { value: lagMs!, unit: 'ms', figure: 'TTFT p50' },
        figures,
      );
    if (says === null)
      return faulty(
        'shortfall-not-said',
        `${holds}; ${short}, and nothing that it prints says so`,
        { value: sent - 1, unit: 'share', figure: 'sends' },
        figures,
      );
    return right(
      `${holds}; ${short}${lagMs === null ? '' : ` at a TTFT lag of ${say(lagMs)} ms`}, and it ${says}`,
      figures,
    );
  },
} satisfies LoadProbe;
