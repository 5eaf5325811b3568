import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArrivalFlags, addArrivalFlags, arrivalOptions } from '../../src/cli/load-arrivals.ts';
import { UNLIMITED } from '../../src/load/plan-closed.ts';

let dir: string;
let trace: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-arrivals-'));
  trace = join(dir, 'trace.csv');
  writeFileSync(trace, 'Timestamp,Model,Request tokens,Response tokens\n0,A,1,2\n5,B,1,0\n10,A,3,4\n');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What a command line comes to. */
async function options(line: string, lengthFlags: readonly string[] = []) {
  const command = new Command('load').exitOverride().configureOutput({ writeErr: () => {} });
  addArrivalFlags(command);
  command.parse(line.replaceAll('TRACE', `trace:${trace}`).split(' ').filter(Boolean), { from: 'user' });
  return arrivalOptions(command.opts<ArrivalFlags>(), lengthFlags);
}

describe('when requests are sent', () => {
  it('at a rate: 10 s of it, unless it is said', async () => {
    expect(await options('--rate 50')).toMatchObject({
      arrivals: { kind: 'poisson' },
      rateRps: 50,
      requests: 500,
      stages: null,
      concurrency: null,
    });
    expect(await options('--rate 50 --duration 2s')).toMatchObject({ requests: 100 });
    expect(await options('--rate 50 --requests 7')).toMatchObject({ requests: 7 });
  });

  it('in stages: they say how many, and a number of requests is a limit', async () => {
    const asked = await options('--stages 10s@50,10s@0 --stages 20s@50..150 --arrivals constant');
    // 500 + 0 + 2,000 in 40 s.
    expect(asked).toMatchObject({ rateRps: 62.5, requests: UNLIMITED, arrivals: { kind: 'constant' } });
    expect(asked.stages).toMatchObject({ lengthS: 40 });
    expect(asked.stages!.stages).toHaveLength(3);
    expect(await options('--stages 10s@50 --requests 20')).toMatchObject({ requests: 20 });
  });

  it('in a ramp, which is a stage', async () => {
    expect((await options('--ramp 10..200:60s')).stages).toEqual(
      (await options('--stages 60s@10..200')).stages,
    );
  });

  it('in bursts: for a time, or until there were so many', async () => {
    expect((await options('--bursts on=2s@200,off=3s')).stages).toMatchObject({ lengthS: 10 });
    expect((await options('--bursts on=2s@200,off=3s --duration 1m')).stages).toMatchObject({ lengthS: 60 });
    const counted = await options('--bursts on=2s@200,off=3s --requests 1000');
    expect(counted.stages!.lengthS).toBe(Number.POSITIVE_INFINITY);
    // 400 in 5 s.
    expect(counted).toMatchObject({ rateRps: 80, requests: 1000 });
  });

  it('in a closed loop: by time, by number, or whichever comes first', async () => {
    expect(await options('--concurrency 8')).toMatchObject({
      concurrency: 8,
      rateRps: null,
      durationS: 10,
      requests: UNLIMITED,
      thinkS: 0,
      staggerS: 0,
    });
    expect(await options('--concurrency 8 --requests 50 --think 100ms --stagger 1s')).toMatchObject({
      durationS: null,
      requests: 50,
      thinkS: 0.1,
      staggerS: 1,
    });
    expect(await options('--concurrency 8 --requests 50 --duration 3s')).toMatchObject({
      durationS: 3,
      requests: 50,
    });
  });

  it('by a trace: as it is, a part of it, faster, or cut', async () => {
    expect(await options('--arrivals TRACE')).toMatchObject({
      trace: [0, 10],
      rateRps: null,
      requests: 2,
      traceReport: { format: 'burstgpt', rows: 3, used: 2, failed_rows: 1, failed_rows_are: 'skipped' },
    });
    expect(await options('--arrivals TRACE --trace-scale 4 --failed-rows send')).toMatchObject({
      trace: [0, 1.25, 2.5],
      traceReport: { failed_rows_are: 'sent', scale: 4 },
    });
    expect(await options('--arrivals TRACE --trace-slice 2s.. --failed-rows send')).toMatchObject({
      trace: [3, 8],
      traceReport: { slice_s: [2, null], before_slice: 1 },
    });
    expect(await options('--arrivals TRACE --duration 5s')).toMatchObject({ requests: 1 });
    expect(await options('--arrivals TRACE --no-trace-lengths')).toMatchObject({
      traceReport: { lengths: 'not used' },
    });
  });

  it('with the lengths that the trace states, which no other flag may contradict', async () => {
    const { traceLengths } = await options('--arrivals TRACE');
    expect([...Array.from(traceLengths!.promptTokens), ...Array.from(traceLengths!.outputTokens)]).toEqual([
      1, 3, 2, 4,
    ]);
    expect(traceLengths!.tasks!.names).toEqual(['A']);
    await expect(options('--arrivals TRACE', ['--tokens'])).rejects.toThrow(
      /so does --tokens: .*--no-trace-lengths/,
    );
    const without = await options('--arrivals TRACE --no-trace-lengths', ['--tokens']);
    expect(without.traceLengths).toBeNull();
  });

  it.each([
    ['', /no rate was given; .*--stages, --ramp, --bursts or --concurrency/],
    ['--rate 5 --requests 1 --duration 1s', /not both/],
    ['--rate 5 --stages 10s@50', /--stages and --rate do not go together/],
    ['--rate 5 --ramp 1..2:10s', /--ramp and --rate do not go together/],
    ['--stages 10s@50 --ramp 1..2:10s', /--stages and --ramp do not go together: .*60s@10\.\.200/],
    ['--stages 10s@50 --bursts on=2s@200,off=3s', /--stages and --bursts do not go together/],
    ['--stages 10s@50 --duration 5s', /says how long the run is: leave out --duration/],
    ['--stages 10s@50 --arrivals TRACE', /--stages and a trace do not go together/],
    ['--stages 10s@0', /no request would ever be due/],
    ['--bursts on=2s@200,off=3s --requests 5 --duration 5s', /not both/],
    ['--concurrency 4 --rate 5', /--rate and --concurrency do not go together/],
    ['--concurrency 4 --arrivals poisson', /--arrivals and --concurrency do not go together/],
    ['--concurrency 4 --stages 1s@1 --rate 2', /--rate and --stages and --concurrency/],
    ['--concurrency 4 --trace-scale 2', /--trace-scale needs a trace/],
    ['--rate 5 --think 1s', /--think belongs to a closed loop/],
    ['--rate 5 --stagger 1s', /--stagger belongs to a closed loop/],
    ['--rate 5 --model-filter GPT-4 --failed-rows send', /--model-filter and --failed-rows need a trace/],
    ['--rate 5 --no-trace-lengths', /--no-trace-lengths needs a trace/],
    ['--arrivals TRACE --rate 5 --trace-scale 2', /--rate and --trace-scale/],
    ['--arrivals TRACE --model-filter C', /no row is of the model C; there are A, B/],
    ['--arrivals trace:/nowhere', /could not be used: ENOENT/],
    ['--trace-slice 20m..10m', /FROM\.\.TO/],
    ['--trace-slice 10m', /FROM\.\.TO/],
    ['--stages 10s', /a stage is TIME@RATE/],
    ['--ramp 10..20', /a ramp is FROM\.\.TO:TIME/],
    ['--concurrency 0', /number above 0/],
  ])('refuses "%s" with words', async (line, message) => {
    await expect(options(line)).rejects.toThrow(message);
  });
});
