/**
 * What each client would print for one hand-made ledger, by its stated definitions. The figures of the table are arithmetic on the ledger
 * below, written down by hand: a changed fact, or changed arithmetic, shows here.
 */
import { describe, expect, it } from 'vitest';
import { allAdapters } from '../../adapters/registry.ts';
import { expected } from '../../src/measure/expected.ts';
import { expectedRun } from '../../src/measure/expected-run.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

/**
 * Eleven streamed chats 100 ms apart after `warm` others, the sixth refused at 150 ms. Head and role at 2 ms; four tokens at 60, 70, 110 and 120 ms
 * (gaps 10, 40, 10; asked for five); the end at 150 ms. So
 *   TTFT  60 (content) | 2 (role, or head)
 *   E2E   120 (last token) | 150 (end)
 *   ITL   p50 10, p90 40 (gaps) | TPOT where a client calls that ITL
 *   TPOT  (E2E − TTFT)/3: 20 (60…120), 30 (60…150), 39.33 (2…120), 49.33 (2…150); between tokens 20; of the five asked for /4
 *   NTPOT E2E/4: 30, or 37.5 to the end
 *   rate  gaps 10/1 s; all 11/1 s; completed 10/1.12 s = 8.93 to the last token, 10/1.15 s = 8.70 to the end; all 11/1.15 s = 9.57
 */
const ledger = (warm: number) =>
  ledgerOf(
    Array.from({ length: 11 + warm }, (_, i) => ({
      at: 100 * (i - warm),
      headers: 2,
      tokens: [60, 70, 110, 120],
      end: 150,
      asked: 5,
      responseId: `chatcmpl-${i}`,
      ...(i === 5 + warm ? { outcome: 'refused' as const } : {}),
    })),
    { role: 'early' },
  );

interface Printed {
  readonly ttft: number | null;
  /** p50 and p90. */
  readonly itl: readonly [number, number] | null;
  readonly tpot: number | null;
  readonly ntpot: number | null;
  readonly e2e: number;
  readonly rps: number | null;
  readonly tokens: number;
  /** Requests in its E2E percentiles; 10 if not given. */
  readonly n?: number;
}

const STANDARD: Printed = { ttft: 60, itl: [10, 40], tpot: 20, ntpot: 30, e2e: 120, rps: 10, tokens: 40 };
const WITH_DRAIN = 10 / 1.12;
/** From the start of the schedule, one gap of 100 ms before the first send. */
const WITH_FIRST_GAP = 10 / 1.22;
const WITH_DRAIN_TO_END = 10 / 1.15;
const ALL_WITH_DRAIN_TO_END = 11 / 1.15;

/** Gaps of 58 (role to first token), 10, 40, 10: the median is between 10 and 40. */
const ROLE_IS_A_CHUNK = [25, 58] as const;
/** TPOT to the end, over the five tokens that were asked for. */
const SGLANG: Printed = {
  ttft: 60,
  itl: [10, 40],
  tpot: (150 - 60) / 4,
  ntpot: null,
  e2e: 150,
  rps: WITH_DRAIN_TO_END,
  tokens: 50,
};
/** Every figure here is whole in locust's two digits. */
const LOCUST: Printed = { ...STANDARD, itl: null, ntpot: null, rps: 11 / 1.12 };
/** Clients that time whole answers, a refused one too. */
const WHOLE_ANSWERS: Printed = {
  ttft: null,
  itl: null,
  tpot: null,
  ntpot: null,
  e2e: 150,
  rps: null,
  n: 11,
  tokens: 50,
};

const CLIENTS: Readonly<Record<string, Printed>> = {
  tare: STANDARD,
  'tare-burn': STANDARD,
  asyncio: { ...STANDARD, rps: WITH_DRAIN },
  vllm: { ...STANDARD, ntpot: null, rps: WITH_FIRST_GAP },
  'vllm-rs': {
    ...STANDARD,
    ttft: 2,
    itl: ROLE_IS_A_CHUNK,
    tpot: (120 - 2) / 3,
    ntpot: null,
    rps: WITH_FIRST_GAP,
  },
  sglang: SGLANG,
  'sglang-rs': SGLANG,
  'inference-x': {
    ttft: 2,
    itl: ROLE_IS_A_CHUNK,
    tpot: (150 - 2) / 3,
    ntpot: null,
    e2e: 150,
    rps: WITH_DRAIN_TO_END,
    tokens: 40,
  },
  aiperf: { ...STANDARD, ntpot: null, rps: WITH_DRAIN },
  'genai-perf': { ...STANDARD, itl: [20, 20], tpot: null, ntpot: null, rps: WITH_DRAIN },
  'inference-perf': { ...STANDARD, tpot: 20, ntpot: 37.5, e2e: 150, rps: 11 },
  locust: LOCUST,
  'locust-fast': LOCUST,
  'locust-2p': LOCUST,
  vegeta: { ...WHOLE_ANSWERS, rps: 11 },
  oha: { ...WHOLE_ANSWERS, ttft: 2, rps: ALL_WITH_DRAIN_TO_END },
  autocannon: WHOLE_ANSWERS,
  guidellm: { ...STANDARD, itl: null, e2e: 150, rps: WITH_DRAIN_TO_END },
  k6: { ttft: 2, itl: null, tpot: null, ntpot: null, e2e: 150, rps: ALL_WITH_DRAIN_TO_END, tokens: 50 },
};

describe('expected, by client', () => {
  it('has a line for every client that Tare knows, and for no other', () => {
    expect(Object.keys(CLIENTS).sort()).toEqual(allAdapters.map(({ name }) => name).sort());
  });
  it.each(allAdapters.filter(({ name }) => name in CLIENTS))('$name', ({ name, facts: { definitions } }) => {
    const wanted = CLIENTS[name]!;
    const made = ledger(definitions.warmupRequests);
    const table = expected(made, definitions, definitions.warmupRequests);
    const run = expectedRun(made, definitions, definitions.warmupRequests);
    const near = (value: number | null, figure: number | null, what: string) => {
      if (figure === null) expect(value, what).toBeNull();
      else expect(value, what).toBeCloseTo(figure, 6);
    };
    near(table.ttft.p50_ms, wanted.ttft, 'TTFT');
    near(table.itl.p50_ms, wanted.itl?.[0] ?? null, 'ITL p50');
    near(table.itl.p90_ms, wanted.itl?.[1] ?? null, 'ITL p90');
    near(table.tpot.p50_ms, wanted.tpot, 'TPOT');
    near(table.ntpot.p50_ms, wanted.ntpot, 'NTPOT');
    near(table.e2e.p50_ms, wanted.e2e, 'E2E');
    expect(table.e2e.n).toBe(wanted.n ?? 10);
    near(run.achieved_rps, wanted.rps, 'rate');
    expect(run).toMatchObject({ completed: 10, failed: 1, output_tokens: wanted.tokens });
  });
});
