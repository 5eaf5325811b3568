/** Audits of claims for the tests of their reports: one of everything, and one whose every text is hostile. */
import { ARITHMETIC_CHECKS } from '../../src/claims/arithmetic/all.ts';
import { auditClaim } from '../../src/claims/document.ts';
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { clientKnowledge } from '../../src/claims/evidence/known-client.ts';
import type { ExpectedBias } from '../../src/claims/evidence-types.ts';
import { changed, claimOf, result, STATED } from '../claims/sample.ts';

const SWEEP = `tables:
  - id: sweep
    columns: [concurrency, output_throughput tok/s, e2e_p99 s]
    common: {requests: 1000, input-tokens: 200, output-tokens: 200, output-length: fixed}
    rows:
      - [5, 172.8, 5.8]
      - [25, 864.0, 5.8]
      - [50, 1724.1, 5.8]
      - [100, 1730.0, 11.5]
headlines:
  - {id: h, text: ten times the tokens, ratio: 10, better: higher, of: sweep-4.output_throughput, over: sweep-1.output_throughput}
notes: [as the page has it]
`;

const EXPECTED: readonly ExpectedBias[] = [
  {
    row: 'c16',
    figure: 'c16.ttft_mean',
    audit: { folder: 'results/audit', client: 'vllm', version: '0.33.0' },
    caveats: ['The audit was made on another machine'],
    state: 'bounded',
    low_ms: 1,
    high_ms: 3,
    queueing_low_ms: null,
    queueing_high_ms: null,
    rates_rps: [5, 10],
    of: 'ttft_mean',
    words: 'Between 5 and 10/s it adds 1 to 3 ms.',
  },
  {
    row: 'sweep-1',
    figure: null,
    audit: null,
    caveats: [],
    state: 'unknown',
    reason: 'No audit at its load.',
  },
];

/** With a known client, a contradiction, a sweep, a headline, expected bias. */
export function claimSample(): ClaimDocument {
  const claim = claimOf(
    changed(['name: our-client', 'name: vllm'], ['streaming: yes', 'streaming: no']) + SWEEP,
  );
  return auditClaim('claims/sample.yaml', claim, {
    checks: [
      ...ARITHMETIC_CHECKS,
      {
        id: 'overload',
        about: '',
        run: () => [
          result({
            check: 'overload',
            title: 'A made-up contradiction',
            state: 'contradicts',
            figures: ['sweep-4.e2e_p99'],
            inputs: [{ name: 'latency', text: '11.5 s' }],
            working: ['11.5 × 2 = 23', '23 > 11.5'],
            finding: 'it is too long',
            explanations: ['a slip', 'another unit'],
            questions: ['Is it so?'],
          }),
        ],
      },
    ],
    client: clientKnowledge('vllm', '2.0'),
    expected: EXPECTED,
  });
}

export const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>\u0007\u202e"onload="x @all #1 [a](javascript:x) | \`y\` **b** ${'very long '.repeat(40)}`;

/** Every text of the claim, of a check, of the client and of the evidence is hostile. */
export function hostileSample(): ClaimDocument {
  const sample = claimSample();
  const swap = (value: unknown, key: string): unknown => {
    const kept = [
      'schema',
      'verdict',
      'state',
      'check',
      'id',
      'figure',
      'headline',
      'row',
      'metric',
      'statistic',
      'unit',
      'bound',
      'better',
      'output_length',
      'run',
      'prefix_cache',
      'rows',
      'figures',
      'headlines',
      'missing',
      'of',
      'over',
      'system',
    ];
    if (typeof value === 'string')
      return kept.includes(key) ? value : key === 'url' ? 'javascript:alert(1)' : HOSTILE;
    if (Array.isArray(value)) return value.map((one) => swap(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, swap(one, name)]));
  };
  return swap(sample, '') as ClaimDocument;
}

/** Nothing but a figure. */
export const bareSample = (): ClaimDocument =>
  auditClaim(
    'bare.yaml',
    claimOf(`${STATED.split('measurement:')[0]}rows:\n  - {id: r, figures: {ttft: 1 s}}\n`),
    {
      checks: [],
      client: null,
      expected: [],
    },
  );
