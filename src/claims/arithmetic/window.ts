/** How long was sent, against how long a request takes; what a burst and a short closed loop hold. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { composed } from './latency-identity.ts';
import { middle } from './range.ts';
import { bySystem, headlinesOn, meanOf, replyLength, totalOf } from './rows.ts';
import { ends, given, inputOf, listed, num, orNothing, result, time } from './words.ts';

/** Sending for fewer latencies than this, or filling every slot fewer times, start and end are more than a fifth of the run. */
const ROUNDS = 10;
/** Without a latency to hold it against: a run shorter than this is asked about. */
const SHORT_S = 60;

/** Time of a request from start to end, ms: as printed, or of its parts. */
function latencyOf(row: ClaimRow): { readonly ms: number; readonly figures: readonly ClaimFigure[] } | null {
  const e2e = meanOf(row, 'e2e');
  if (e2e !== null) return { ms: e2e.quantity.value, figures: [e2e] };
  const [ttft, gap] = [meanOf(row, 'ttft'), meanOf(row, 'itl') ?? meanOf(row, 'tpot')];
  if (ttft === null || gap === null || replyLength(row) === null) return null;
  return { ms: middle(composed(row, ttft, gap, 'rounded')), figures: [ttft, gap] };
}

/** Time of sending, s: as stated, or requests / rate. */
export function sendingTime(row: ClaimRow): { readonly s: number; readonly working: string } | null {
  if (
    row.rateRps !== null &&
    row.requests !== null &&
    Number.isFinite(row.rateRps.value) &&
    row.rateRps.value > 0
  ) {
    const s = row.requests.value / row.rateRps.value;
    return { s, working: `${row.requests.text} requests / ${row.rateRps.text} = ${num(s)} s of sending` };
  }
  if (row.durationS === null) return null;
  return { s: row.durationS.value, working: `${row.durationS.text} of sending, as stated` };
}

const idsOf = (row: ClaimRow) => row.figures.map(({ id }) => id);
const loadOf = (row: ClaimRow) => [
  ...(row.requests === null ? [] : [given(`requests, ${row.id}`, row.requests)]),
  ...(row.rateRps === null ? [] : [given(`rate, ${row.id}`, row.rateRps)]),
  ...(row.concurrency === null ? [] : [given(`concurrency, ${row.id}`, row.concurrency)]),
  ...(row.durationS === null ? [] : [given(`duration, ${row.id}`, row.durationS)]),
];

const SHORT_RUN = [
  'the run ends before arrivals and completions balance: start, end and single requests weigh in every figure',
];
const SHORT_QUESTION = 'What are the figures of a run of several minutes, without its start and end?';

function openLoop(claim: Claim, row: ClaimRow): CheckResult | null {
  const [sending, latency] = [sendingTime(row), latencyOf(row)];
  if (row.rateRps === null || sending === null || latency === null) return null;
  const title = `Time of sending, row ${row.id}`;
  const ids = idsOf(row);
  const rounds = (sending.s * 1000) / latency.ms;
  const parts = {
    rows: [row.id],
    inputs: [...loadOf(row), ...latency.figures.map(inputOf)],
    working: [
      sending.working,
      `${num(sending.s)} s / ${time(latency.ms)} a request = ${num(rounds)} latencies`,
    ],
  };
  if (rounds >= ROUNDS) {
    return result(
      'window',
      title,
      'agrees',
      `Sending lasted ${num(rounds)} times as long as a request, which confirms no figure.`,
      parts,
    );
  }
  return result(
    'window',
    title,
    'limits',
    `Sending lasted ${num(sending.s)} s, only ${num(rounds)} times as long as a request took: no steady state is shown.`,
    {
      ...parts,
      figures: ids,
      headlines: headlinesOn(claim, ids),
      explanations: SHORT_RUN,
      questions: [SHORT_QUESTION],
    },
  );
}

/** Rows without a latency to hold their time of sending against, one result a system. */
function shortRuns(claim: Claim): CheckResult[] {
  return [...bySystem(claim.rows)].flatMap(([system, rows]) => {
    const short = rows.flatMap((row) => {
      const sending = row.rateRps === null || latencyOf(row) !== null ? null : sendingTime(row);
      return sending === null || sending.s >= SHORT_S ? [] : [{ row, ...sending }];
    });
    if (short.length === 0) return [];
    const ids = short.flatMap(({ row }) => idsOf(row));
    const lengths = short.map(({ s }) => s);
    const range = ends({ low: Math.min(...lengths), high: Math.max(...lengths) });
    return [
      result(
        'window',
        short.length === 1 ? `Time of sending, row ${short[0]!.row.id}` : `Time of sending, ${system}`,
        'limits',
        `All requests of a level were sent within ${range} s: the figures are of runs as short as that, and no steady state is shown.`,
        {
          rows: short.map(({ row }) => row.id),
          figures: ids,
          headlines: headlinesOn(claim, ids),
          inputs: short.flatMap(({ row }) => loadOf(row)),
          working: short.map(({ row, working }) => (short.length === 1 ? working : `${row.id}: ${working}`)),
          explanations: SHORT_RUN,
          questions: [SHORT_QUESTION],
        },
      ),
    ];
  });
}

function burst(claim: Claim, row: ClaimRow): CheckResult | null {
  if (row.rateRps === null || Number.isFinite(row.rateRps.value)) return null;
  const ids = idsOf(row);
  const tokens = totalOf(row, 'output_throughput');
  const length = replyLength(row);
  const requests = totalOf(row, 'request_throughput');
  const perSecond =
    tokens !== null && length !== null
      ? tokens.quantity.value / middle(length)
      : (requests?.quantity.value ?? null);
  const n = row.requests?.value ?? null;
  return result(
    'window',
    `All at once, row ${row.id}`,
    'limits',
    'All requests were sent at once: the figures hold the burst and the drain, are a function of the number of requests, and say nothing of a load that arrives over time.',
    {
      rows: [row.id],
      figures: ids,
      headlines: headlinesOn(claim, ids),
      inputs: loadOf(row),
      working:
        n === null || perSecond === null || perSecond === 0
          ? ['rate = infinity: all requests wait from the first moment on']
          : [`${num(n)} requests / ${num(perSecond)} a second = ${num(n / perSecond)} s from first to last`],
      explanations: ['an offline batch was measured, with its whole queue there from the start'],
      questions: ['What are throughput and latency at a rate of arrivals below capacity?'],
    },
  );
}

/** A closed loop fills each slot n / c times; with fewer requests than slots it never fills them. */
function closedLoop(claim: Claim, row: ClaimRow): CheckResult | null {
  if (row.concurrency === null || row.requests === null || row.rateRps !== null) return null;
  const [slots, n] = [row.concurrency.value, row.requests.value];
  if (slots <= 1) return null;
  const rounds = n / slots;
  const ids = idsOf(row);
  const parts = {
    rows: [row.id],
    inputs: loadOf(row),
    working: [`${row.requests.text} requests / ${row.concurrency.text} slots = ${num(rounds)} a slot`],
  };
  const title = `Requests a slot, row ${row.id}`;
  if (rounds >= ROUNDS) {
    return result(
      'window',
      title,
      'agrees',
      `Each slot took ${num(rounds)} requests in turn, which confirms no figure.`,
      parts,
    );
  }
  return result(
    'window',
    title,
    'limits',
    rounds < 1
      ? `Of ${num(slots)} slots no more than ${num(n)} can have been filled: no more requests were sent.`
      : `Each slot took ${num(rounds)} ${rounds === 1 ? 'request' : 'requests'}: filling and draining the slots weighs in every figure.`,
    {
      ...parts,
      figures: ids,
      headlines: headlinesOn(claim, ids),
      explanations: SHORT_RUN,
      questions: ['What are the figures with a hundred requests a slot, without start and end?'],
    },
  );
}

/** Rows of a sweep that were sent for different times are not of one window. */
function unequal(claim: Claim): CheckResult[] {
  return [...bySystem(claim.rows)].flatMap(([system, rows]) => {
    const sent = rows.flatMap((row) => {
      const sending = row.rateRps === null ? null : sendingTime(row);
      return sending === null ? [] : [{ row, ...sending }];
    });
    const [least, most] = [Math.min(...sent.map(({ s }) => s)), Math.max(...sent.map(({ s }) => s))];
    if (sent.length < 2 || most <= 1.1 * least) return [];
    const shorter = sent.filter(({ s }) => s <= 0.9 * most);
    const ids = shorter.flatMap(({ row }) => idsOf(row));
    return [
      result(
        'window',
        `Times of sending, ${system}`,
        'limits',
        `The levels were not sent for the same time: ${listed(shorter.map(({ row }) => row.id))} for less than the ${num(most)} s of the longest. Above capacity latency grows with that time.`,
        {
          rows: shorter.map(({ row }) => row.id),
          figures: ids,
          headlines: headlinesOn(claim, ids),
          inputs: sent.flatMap(({ row }) => loadOf(row)),
          working: sent.map(({ row, working }) => `${row.id}: ${working}`),
          explanations: ['the number of requests was not chosen in proportion to the rate'],
          questions: ['What are the figures with the same time of sending at every rate?'],
        },
      ),
    ];
  });
}

export const window: ArithmeticCheck = {
  id: 'window',
  about:
    'Requests / rate is the time of sending; too short against the latency of a request, no steady state is shown. All at once (rate = inf) holds burst and drain. In a closed loop requests / concurrency is how often a slot was filled.',
  run: (claim) =>
    orNothing(
      [
        ...claim.rows.flatMap((row) =>
          [openLoop(claim, row), burst(claim, row), closedLoop(claim, row)].filter((one) => one !== null),
        ),
        ...shortRuns(claim),
        ...unequal(claim),
      ],
      'window',
      'Window',
      'No row gives its number of requests or its duration beside its rate or concurrency.',
      ['How many requests were sent at each level, and for how long?'],
    ),
};
