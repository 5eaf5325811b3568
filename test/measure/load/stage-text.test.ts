import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkStages,
  formatStages,
  parseBursts,
  parseRamp,
  parseStages,
} from '../../../src/measure/load/stage-text.ts';
import { once } from '../../../src/measure/load/stages.ts';

const linear = (durationS: number, fromRps: number, toRps = fromRps) => ({
  durationS,
  fromRps,
  toRps,
  shape: 'linear' as const,
});

describe('the words of stages', () => {
  it('reads a list: holds, ramps, pauses, geometric ramps, any unit of time', () => {
    expect(parseStages('10s@50,30s@50..500, 1m@0,20@geometric:50..800,500ms@linear:2.5..0')).toEqual([
      linear(10, 50),
      linear(30, 50, 500),
      linear(60, 0),
      { durationS: 20, fromRps: 50, toRps: 800, shape: 'geometric' },
      linear(0.5, 2.5, 0),
    ]);
  });

  it('reads a ramp as the stage that it is', () => {
    expect(parseRamp('10..200:60s')).toEqual(linear(60, 10, 200));
    expect([parseRamp('geometric:10..200:1m')]).toEqual(parseStages('60s@geometric:10..200'));
  });

  it('reads bursts as two stages', () => {
    expect(parseBursts('on=2s@200,off=3s')).toEqual([linear(2, 200), linear(3, 0)]);
    expect(parseBursts('on=2s@200, off=3s@10')).toEqual([linear(2, 200), linear(3, 10)]);
  });

  it.each([
    [() => parseStages(''), /no stage; a stage is TIME@RATE/],
    [() => parseStages('10s'), /"10s" is no stage/],
    [() => parseStages('10s@50,'), /"" is no stage/],
    [() => parseStages('10s@-5'), /"10s@-5"/],
    [() => parseStages('0s@5'), /"0s@5"/],
    [() => parseStages('10x@5'), /"10x@5"/],
    [() => parseStages('10s@5..'), /"10s@5\.\."/],
    [() => parseStages('10s@5-50'), /"10s@5-50"/],
    [() => parseStages('10s@quadratic:5..50'), /quadratic/],
    [() => parseStages('10s@geometric:0..50'), /neither end can be 0/],
    [() => parseStages('10s@1e999'), /1e999/],
    [() => parseRamp('10..200'), /no ramp; a ramp is FROM\.\.TO:TIME/],
    [() => parseRamp('200:60s'), /no ramp/],
    [() => parseRamp('10..200:'), /no stage|no ramp/],
    [() => parseBursts('2s@200,3s'), /bursts are on=TIME@RATE,off=TIME/],
    [() => parseBursts('on=2s@0,off=3s'), /above 0/],
    [() => checkStages(once(parseStages('10s@0'))), /no request would ever be due/],
    [() => checkStages(once(parseStages(new Array(101).fill('1s@1').join(',')))), /101 stages are too many/],
  ])('refuses %s', (parse, message) => {
    expect(parse).toThrow(message);
  });

  it('writes what it reads', () => {
    const number = fc.double({ min: 0, max: 1e6, noNaN: true }).map((v) => Number(v.toPrecision(4)));
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 5 }), (parts) => {
        const stages = parts.map(([d, a, b]) => linear(d + 0.5, a, b));
        expect(parseStages(formatStages(stages))).toEqual(stages);
      }),
    );
  });

  it('reads anything or says why not, and never a number that is none', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-z@.:,=+-]{0,24}$/), (text) => {
        for (const parse of [parseStages, (t: string) => [parseRamp(t)], parseBursts]) {
          let stages: ReturnType<typeof parseStages>;
          try {
            stages = parse(text);
          } catch (error) {
            expect((error as Error).message).toMatch(/e\.g\.|stage|above 0/);
            continue;
          }
          for (const s of stages) expect(Number.isFinite(s.durationS + s.fromRps + s.toRps)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
