import type { LoadProbe } from '../../src/measure/probe/probe.ts';
import { judgeOmission, lacksSchedule } from '../kit/load-omission.ts';
import { answerAfter } from '../kit/load-script.ts';

const GAP_MS = 50;
const FIRST = 20;
const LAST = 39;
const BASE_MS = 50;

/** Requests 20 to 39 come while the server stands still, and are all answered at its end: after 1,000, 950, … 50 ms more. */
const stallMs = (place: number): number => (place < FIRST || place > LAST ? 0 : (LAST + 1 - place) * GAP_MS);

export default {
  scope: 'load',
  title: 'the server stands still for a second in the middle of four',
  about:
    'Requests go on being due while nothing is answered. A client that waits for answers before it sends, or has a cap, sends few into the stall, and its percentiles hold one slow request where users would have met twenty.',
  source:
    'arithmetic: of 80 at 20/s the 20 of the stall take 1,080, 1,030, … 130 ms to their last token, the others 80; mean (60·80 + 20·605) / 80 = 211, p99 1,041 (interpolated, place 78.2 of 0…79)',
  right: 'E2E mean 211 ms, p90 685, p99 1,041: all twenty are in the figures',
  runs: [{ name: '80 at 20/s', rateRps: 20, requests: 80, tokens: 4, arrivals: 'constant' }],
  answer: (asked) => answerAfter(asked, BASE_MS + stallMs(asked.place)),
  known: [
    {
      kind: 'omission',
      what: 'does not send while it waits, and counts from the send',
      arithmetic:
        'one connection: one request of 1,080 ms where twenty were due; those that were held back look fast',
      definition: true,
    },
  ],
  refuses: lacksSchedule,
  judge: ([run]) => judgeOmission(run!),
} satisfies LoadProbe;
