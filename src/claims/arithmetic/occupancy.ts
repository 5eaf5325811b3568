/**
 * How full the slots were over the window, from first token and gaps: throughput × (TTFT + (N − 1) · ITL) / N / concurrency. Little's law with
 * the latency put together from its parts, exact for replies of one length with one token an event.
 */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim } from '../claim.ts';
import { occupancyCompared } from './occupancy-compared.ts';
import { type Occupancy, occupancyOf } from './occupancy-of.ts';
import { fitOf, middle, rangeOf } from './range.ts';
import { assumptions, headlinesOn, overWholeRun, statedMeans } from './rows.ts';
import { ends, given, inputOf, orNothing, percent, result } from './words.ts';

/** Below this the start and the end of the run weigh in the figures. */
const FULL = 0.97;

function ofRow(claim: Claim, { row, figures, share, working }: Occupancy): CheckResult {
  const [throughput, ttft, gap] = figures;
  const range = share('rounded');
  const ids = figures.map(({ id }) => id);
  const parts = {
    rows: [row.id],
    figures: ids,
    inputs: [
      ...figures.map(inputOf),
      given(`concurrency, ${row.id}`, row.concurrency!),
      given(`output tokens, ${row.id}`, row.outputTokens!),
    ],
    working: [...assumptions(figures), working],
  };
  const title = `Occupancy over the window, row ${row.id}`;
  const above = fitOf((digits) => share(digits).low <= 1 + 1e-9);
  if (above !== 'fits') {
    // A TPOT of E2E / N holds the first token too: the decode alone has to be too long for the slots.
    const perSecond = rangeOf(throughput!.quantity, 'cut').low;
    const decode = (rangeOf(gap!.quantity, 'cut').low / 1000) * (1 - 1 / row.outputTokens!.value);
    const certain =
      above === 'never' &&
      perSecond * decode > row.concurrency!.value &&
      gap!.metric === 'tpot' &&
      row.outputLength === 'fixed' &&
      statedMeans([ttft!, gap!]) &&
      claim.measurement.tokenSource === 'usage' &&
      claim.measurement.t0 === 'sent' &&
      overWholeRun(claim);
    return result(
      'occupancy',
      title,
      certain ? 'contradicts' : 'limits',
      `The figures need ${ends(range, percent)} of the slots stated.`,
      {
        ...parts,
        headlines: headlinesOn(claim, ids),
        explanations: [
          'TTFT runs from when a request was due or queued, and holds the wait for a slot',
          'the gaps are between events that carry several tokens each',
          'the throughput is that of a part of the run, or the replies are shorter than stated',
        ],
        questions: [
          'From when does the clock of a request run?',
          'Are gaps counted a token or an event, and over which window is the throughput?',
        ],
      },
    );
  }
  if (range.high < FULL) {
    return result(
      'occupancy',
      title,
      'limits',
      `The slots were ${percent(middle(range))} full over the window: it holds the start and the end of the run, or fewer requests were in flight than stated.`,
      {
        ...parts,
        headlines: headlinesOn(claim, ids),
        explanations: [
          'ramp and drain are inside the window: a longer run would print more throughput',
          'the client kept fewer requests in flight than stated',
          'the gaps are given an event, or their mean leaves some out',
        ],
        questions: ['Which part of the run are the figures over, and how many requests were sent?'],
      },
    );
  }
  return result(
    'occupancy',
    title,
    'agrees',
    `The slots were ${percent(middle(range))} full: throughput, TTFT and gaps fit each other.`,
    parts,
  );
}

export const occupancy: ArithmeticCheck = {
  id: 'occupancy',
  about:
    'Throughput × (TTFT + (N − 1) · ITL) / N / concurrency says how full the slots were over the window. Below 100 %, ramp and drain are inside; two systems that were measured at different occupancies differ by the window as well.',
  run(claim) {
    const found = claim.rows.flatMap((row) => occupancyOf(row) ?? []);
    return orNothing(
      [...found.map((one) => ofRow(claim, one)), ...occupancyCompared(claim, found)],
      'occupancy',
      'Occupancy over the window',
      'No row gives output throughput, TTFT, ITL, concurrency and the length of replies (fixed, or their mean).',
    );
  },
};
