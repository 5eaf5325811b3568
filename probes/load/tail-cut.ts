import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { countOf, sentOf } from '../kit/load-run.ts';
import { faulty, figure, other, right, undetermined } from '../kit/load-verdict.ts';

/** Requests behind its E2E or TTFT; null where it does not say. */
const whichN = ({ reported }: LoadRun): number | null =>
  reported?.metrics.e2e.n ?? reported?.metrics.ttft.n ?? null;

export default {
  scope: 'load',
  title: 'answers take 2.5 s, the last send is at 2.9 s',
  about:
    'When the time is up, twenty requests are still under way. A client that closes them then keeps the fast ones only: what is slow at the end of a run leaves its figures, and under overload the slow ones are most.',
  source:
    'arithmetic: 24 requests at 8/s; at 3 s those sent before 0.5 s have ended, 4 of 24 (5 with the one at 0.5)',
  right: 'all 24 answers are waited for and counted, or those that were cut are said to be',
  runs: [
    { name: '24 at 8/s', rateRps: 8, requests: 24, tokens: 4, arrivals: 'constant', latency: 'ttft=2500ms' },
  ],
  mayFail: true,
  known: [
    {
      kind: 'tail-cut',
      what: 'closes what is under way when the time is up, and leaves it out',
      arithmetic: '4 of 24 counted (−83 %)',
    },
  ],
  judge([run]): LoadVerdict {
    const sent = sentOf(run!);
    const cut = countOf(run!, 'clientClosed');
    const answered = countOf(run!, 'complete');
    const completed = run!.reported?.completed ?? null;
    const told = (run!.reported?.failed ?? 0) + (run!.reported?.dropped ?? 0);
    if (sent === 0) return undetermined('no request arrived');
    const figures = [
      figure('answers waited for', 'requests', sent, answered, 0, 'ledger'),
      figure('completed', 'requests', sent, completed, Math.max(1, 0.04 * sent), 'printed'),
    ];
    const n = run!.reported === null ? null : whichN(run!);
    const missing = Math.max(cut, completed === null ? 0 : sent - completed, n === null ? 0 : sent - n);
    if (missing <= Math.max(1, 0.04 * sent)) return right(`all ${sent} answers were waited for`, figures);
    const size = { value: -missing / sent, unit: 'share', figure: 'requests' };
    const how =
      cut > 0
        ? `it closed ${cut} of ${sent} requests that were under way when its time was up`
        : `${answered} of ${sent} requests were answered, and its figures are of ${n ?? completed}`;
    return told >= 0.9 * missing
      ? other('tail-cut', `${how}, and says that ${told} did not end`, size, figures)
      : faulty('tail-cut', `${how}, and they are in none of its counts`, size, figures);
  },
} satisfies LoadProbe;
