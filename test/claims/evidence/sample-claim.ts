/** A claim for tests: one row by our asyncio script at 100 requests/s, stated in full, on the machine of sampleDocument(). */
import type { Claim, ClaimFigure, ClaimMeasurement, ClaimRow, Quantity } from '../../../src/claims/claim.ts';

export const quantity = (value: number, unit = '', half = 0): Quantity => ({
  value,
  half,
  text: `${value}${unit === '' ? '' : ` ${unit}`}`,
});

export const figure = (
  metric: ClaimFigure['metric'],
  statistic: ClaimFigure['statistic'],
  value: number,
  row = 'r1',
): ClaimFigure => ({
  id: `${row}.${metric}${statistic === null || statistic === 'total' ? '' : `_${statistic}`}`,
  row,
  metric,
  statistic,
  quantity: quantity(value, 'ms', 0.05),
  line: 1,
});

export interface ClaimParts {
  readonly row?: Partial<ClaimRow>;
  readonly measurement?: Partial<ClaimMeasurement>;
}

export const sampleClaim = ({ row = {}, measurement = {} }: ClaimParts = {}): Claim => ({
  title: 'A sample',
  claimant: 'nobody',
  sources: [],
  systems: [
    {
      name: 'one',
      engine: null,
      version: null,
      model: null,
      hardware: null,
      prefixCache: null,
    },
  ],
  measurement: {
    client: { name: 'asyncio', version: '1.0 (aiohttp 3.13.2, Python 3.11.2)' },
    processes: quantity(1),
    loop: 'single',
    t0: 'sent',
    streaming: 'yes',
    tokenSource: 'usage',
    arrivals: 'poisson',
    warmUp: 'none',
    window: 'all',
    repetitions: quantity(3),
    successRate: quantity(100, '%'),
    clientHost: 'AMD EPYC 7B13, 2 cores',
    clientLoad: 'nothing else',
    secondClient: null,
    clientBias: null,
    ...measurement,
  },
  rows: [
    {
      id: 'r1',
      system: 'one',
      rateRps: quantity(100, 'req/s'),
      concurrency: null,
      requests: quantity(800),
      durationS: quantity(8, 's'),
      inputTokens: quantity(32),
      outputTokens: quantity(16),
      outputLength: 'fixed',
      run: null,
      promptsOf: null,
      figures: [figure('ttft', 'p50', 52)],
      line: 1,
      ...row,
    },
  ],
  headlines: [],
  notes: [],
});
