import { describe, expect, it } from 'vitest';
import { isZero, parseDuration, parseLatencySpec } from '../../src/measure/latency-spec.ts';

describe('a latency model’s spelling', () => {
  it('is read', () => {
    expect(parseLatencySpec('ttft=50ms,itl=10ms')).toEqual({
      text: 'ttft=50ms,itl=10ms',
      ttft: { kind: 'constant', ns: 50e6 },
      itl: { kind: 'constant', ns: 10e6 },
      prefillNs: 0,
    });
    expect(
      parseLatencySpec(' itl=bimodal:10ms:0.08s:0.02 , ttft=lognormal:50ms:0.4,prefill=20us '),
    ).toMatchObject({
      ttft: { kind: 'lognormal', meanNs: 50e6, cv: 0.4 },
      itl: { kind: 'bimodal', usualNs: 10e6, rareNs: 80e6, share: 0.02 },
      prefillNs: 20_000,
    });
    expect(parseLatencySpec('ttft=empirical:C:/a.csv#ttft_ms').ttft).toEqual({
      kind: 'empirical',
      file: 'C:/a.csv',
      column: 'ttft_ms',
    });
    expect(parseLatencySpec('itl=empirical:a.csv').itl).toMatchObject({ column: null });
  });

  it('tells what is zero from what may not be', () => {
    expect(
      ['zero', 'ttft=0', 'ttft=0ms,itl=0,prefill=0'].map((text) => isZero(parseLatencySpec(text))),
    ).toEqual([true, true, true]);
    expect(isZero(parseLatencySpec('itl=1ns'))).toBe(false);
    expect(isZero(parseLatencySpec('prefill=1us'))).toBe(false);
    expect(isZero(parseLatencySpec('ttft=bimodal:0:1ms:0.5'))).toBe(false);
  });

  it.each([
    ['', 'it is empty'],
    ['50ms', 'does not begin with ttft=, itl= or prefill='],
    ['ttft=50', 'needs a unit'],
    ['ttft=-5ms', 'is not a duration'],
    ['ttft=1e3ms', 'is not a duration'],
    ['ttft=2h', 'is not a duration'],
    ['ttft=4000s', 'longer than an hour'],
    ['ttft=', 'is not a duration'],
    ['ttft=1ms,ttft=2ms', 'given twice'],
    ['ttft=1ms,', 'does not begin with'],
    ['ttft=lognormal:50ms', 'lognormal:MEAN:CV'],
    ['ttft=lognormal:50ms:0', 'must be above 0'],
    ['ttft=lognormal:50ms:', 'must be above 0'],
    ['itl=bimodal:1ms:2ms:1.5', 'from 0 to 1'],
    ['itl=bimodal:1ms:2ms:', 'from 0 to 1'],
    ['itl=empirical:', 'empirical:FILE'],
    ['prefill=lognormal:1ms:1', 'plain duration'],
    ['ttft=normal:50ms:1ms', 'is not a duration'],
  ])('"%s" is refused: %s', (text, why) => {
    expect(() => parseLatencySpec(text)).toThrow(why);
    expect(() => parseLatencySpec(text)).toThrow('Accepted: zero, or');
  });

  it('durations are whole nanoseconds', () => {
    expect(parseDuration('0.0001ms')).toBe(100);
    expect(parseDuration('1.5µs')).toBe(1500);
    expect(parseDuration('.25s')).toBe(250e6);
  });
});
