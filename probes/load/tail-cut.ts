import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { countOf, printed, sentOf } from '../kit/load-run.ts';
import { faulty, figure, isOff, other, right, undetermined } from '../kit/load-verdict.ts';

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
    const slack = Math.max(1, 0.04 * sent);
    // A client may count what it leaves out of its latencies.
    const inSummaries = (['ttft', 'e2e'] as const).flatMap((metric) => {
      const n = run!.reported?.metrics[metric].n ?? null;
      return n === null || printed(run!, metric, 'mean') === null
        ? []
        : [{ name: `values in its ${metric.toUpperCase()}`, n }];
    });
    const figures = [
      figure('answers waited for', 'requests', sent, answered, 0, 'ledger'),
      figure('completed', 'requests', sent, completed, slack, 'printed'),
      ...inSummaries.map(({ name, n }) => figure(name, 'requests', sent, n, slack, 'printed')),
    ];
    const counted = Math.min(...figures.slice(1).map(({ got }) => got ?? sent));
    const missing = Math.max(cut, sent - counted);
    if (missing <= slack)
      return right(
        `${answered} of ${sent} answers were waited for${counted === sent ? '' : `, and ${counted} are in its figures`}`,
        figures,
      );
    const size = { value: -missing / sent, unit: 'share', figure: 'requests' };
    const how =
      cut > 0
        ? `it closed ${cut} of ${sent} requests that were under way when its time was up`
        : `${answered} of ${sent} requests were answered, and ${figures
            .slice(1)
            .filter(isOff)
            .map(({ name, got }) => `${name}: ${got}`)
            .join(', ')}`;
    return told >= 0.9 * missing
      ? other('tail-cut', `${how}, and says that ${told} did not end`, size, figures)
      : faulty(
          'tail-cut',
          `${how}, and ${told === 0 ? 'it says of none that it did not end' : `it says of ${told} that they did not end`}`,
          size,
          figures,
        );
  },
} satisfies LoadProbe;
