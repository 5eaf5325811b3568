/** A claim that states everything, as YAML; and the parts that tests change of it. */
import type { CheckResult } from '../../src/claims/arithmetic-check.ts';
import type { Claim } from '../../src/claims/claim.ts';
import { readClaim } from '../../src/claims/file/read.ts';

/** 16 in flight: 16 requests of 200 tokens each 2 s, so 8 req/s, 1,600 tok/s, ITL 7.5 ms behind a TTFT of 507.5 ms. */
export const STATED = `tare-claim: 1
title: Engine A under sixteen users
claimant: Example Corp
sources:
  - {url: https://example.com/a, title: A page, published: 2026-11-01, read: 2026-11-30}
systems:
  - {name: a, engine: Engine A, version: 1.0, model: Llama 3.1 8B, hardware: 1 x H100, prefix-cache: off}
measurement:
  client: {name: our-client, version: 2.0}
  processes: 4
  loop: multi
  t0: sent
  streaming: yes
  token-source: usage
  arrivals: closed loop
  warm-up: 100 requests, other prompts
  window: all requests between the first and the last full minute
  repetitions: 3
  success-rate: 100 %
  client-host: a machine of its own, 32 cores
  client-load: busiest core at 21 %
  second-client: k6, within 2 %
  client-bias: {at-most: 0.3 ms, how: by an audit at 16 in flight}
rows:
  - id: c16
    system: a
    concurrency: 16
    requests: 4000
    duration: 500 s
    input-tokens: 1000
    output-tokens: 200
    output-length: fixed
    run: cold
    figures:
      output_throughput: 1,600 tok/s
      request_throughput: 8.00 req/s
      ttft_mean: 507.5 ms
      ttft_p99: 620 ms
      itl_mean: 7.50 ms
      e2e_mean: 2.000 s
`;

/** The text with some of its lines replaced: a pattern and what stands there instead. */
export const changed = (...changes: readonly (readonly [string | RegExp, string])[]): string =>
  changes.reduce((text, [from, to]) => {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`nothing in the sample is like ${from}`);
    return next;
  }, STATED);

export function claimOf(text: string = STATED): Claim {
  const read = readClaim(text);
  if (!read.ok)
    throw new Error(
      read.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`).join('\n'),
    );
  return read.claim;
}

/** `line:column: message` of each fault; empty where the text is sound. */
export function faultsIn(text: string): string[] {
  const read = readClaim(text);
  return read.ok ? [] : read.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** A result of a check that says what the test wants of it. */
export const result = (change: Partial<CheckResult>): CheckResult => ({
  check: 'identities',
  title: 'Identities, row c16',
  state: 'agrees',
  rows: ['c16'],
  figures: [],
  headlines: [],
  inputs: [],
  working: [],
  finding: 'they fit',
  explanations: [],
  questions: [],
  ...change,
});
