import { describe, expect, it } from 'vitest';
import {
  allowedMs,
  DEFAULT_TOLERANCE,
  formatTolerance,
  parseTolerance,
} from '../../../src/measure/envelope/tolerance.ts';

describe('a tolerance', () => {
  it('is read: a share of the rate, and ms, a share or both of a figure', () => {
    expect(parseTolerance(' rate=1.5% , ttft_p50=500us,itl_mean=0.01s,e2e_p99=10%+2ms')).toEqual({
      rate: 0.015,
      bias: [
        { metric: 'ttft', statistic: 'p50', absolute_ms: 0.5, relative: 0 },
        { metric: 'itl', statistic: 'mean', absolute_ms: 10, relative: 0 },
        { metric: 'e2e', statistic: 'p99', absolute_ms: 2, relative: 0.1 },
      ],
    });
  });

  it('judges what is named and no more, but for the rate', () => {
    expect(parseTolerance('ttft_p99=5ms')).toEqual({
      rate: 0.02,
      bias: [{ metric: 'ttft', statistic: 'p99', absolute_ms: 5, relative: 0 }],
    });
    expect(parseTolerance('rate=5%').bias).toEqual([]);
  });

  it('is spelled as it is read', () => {
    for (const text of [DEFAULT_TOLERANCE, 'rate=0.1%,itl_p90=3%', 'rate=2%'])
      expect(formatTolerance(parseTolerance(text))).toBe(text);
  });

  it.each([
    ['ttft_p99', '"ttft_p99" is no tolerance: use rate=2%'],
    ['=5ms', 'is no tolerance'],
    ['ttft_p99=', 'is no tolerance'],
    ['', 'is no tolerance'],
    ['ttft=5ms', '"ttft" is no figure that can have a tolerance'],
    ['ttft_p95=5ms', 'STATISTIC mean, p50, p90, p99'],
    ['latency_p99=5ms', 'METRIC is ttft, itl, tpot, ntpot, e2e'],
    ['ttft_p99_x=5ms', 'is no figure'],
    ['ttft_p99=5', '"5" is no tolerance of ttft_p99'],
    ['ttft_p99=-5ms', 'is no tolerance of ttft_p99'],
    ['ttft_p99=5ms+', 'is no tolerance of ttft_p99'],
    ['ttft_p99=0ms', 'can never be met'],
    ['rate=2ms', 'a share between 0 and 100 %'],
    ['rate=0%', 'a share between 0 and 100 %'],
    ['rate=100%', 'a share between 0 and 100 %'],
    ['rate=1%,rate=2%', 'rate is given twice'],
    ['ttft_p99=5ms,ttft_p99=6ms', 'ttft_p99 is given twice'],
  ])('"%s" is refused with what is accepted', (text, words) => {
    expect(() => parseTolerance(text)).toThrow(words);
  });

  it('adds the share of what is expected to the absolute part', () => {
    expect(allowedMs({ absolute_ms: 2, relative: 0.1 }, 200)).toBe(22);
    expect(allowedMs({ absolute_ms: 2, relative: 0.1 }, null)).toBe(2);
  });
});
