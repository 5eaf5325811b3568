import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctJsonSchema } from '../../../reports/json-schema.ts';
import { correctText } from '../../../reports/model/correct-text.ts';
import type { AuditDocument } from '../../../src/audit/document.ts';
import { type CorrectRequest, correctFigures } from '../../../src/audit/model/correct.ts';
import { parseFigure } from '../../../src/audit/model/figure-name.ts';
import { correctExitCode } from '../../../src/cli/correct-run.ts';
import { hostKey } from '../../../src/system/profile-store.ts';
import { simulatedAudit } from './simulated.ts';

/** μ = 1,000/s; one token 0.0625 ms, base 0.4 ms. */
const audit = simulatedAudit({
  loop: { tokenMs: () => 0.0625, baseMs: 0.4 },
  rates: [100, 200, 400, 600, 800, 950],
  durationS: 20,
});

const correctOf = (
  figures: readonly string[],
  more: Partial<CorrectRequest> = {},
  document: AuditDocument = audit,
) =>
  correctFigures(document, {
    entry: document.clients[0]!,
    rateRps: 500,
    figures: figures.map(parseFigure),
    tokens: null,
    requests: null,
    clientVersion: null,
    tail: 'markov',
    seed: 1,
    here: hostKey(document.host),
    version: '0.1.0',
    ...more,
  });

/** Pollaczek and Khinchine at ρ = 0.5: half a service time of 1 ms; with base and service. */
const TTFT_BIAS = 0.5 + 0.4 + 0.0625;
const E2E_BIAS = 0.5 + 0.4 + 1;

describe('a mean', () => {
  it('is less by what the client adds, with the known value inside', () => {
    const { figures, model } = correctOf([`ttft_mean=${50 + TTFT_BIAS}ms`, `e2e_mean=${200 + E2E_BIAS}ms`]);
    expect(model).toMatchObject({ kind: 'mg1' });
    expect(model!.rho.value).toBeCloseTo(0.5, 1);
    for (const [one, truth] of [
      [figures[0]!, 50],
      [figures[1]!, 200],
    ] as const) {
      expect(one).toMatchObject({ state: 'interval', method: 'subtraction', reason: null });
      expect(one.low_ms!).toBeLessThanOrEqual(truth);
      expect(one.high_ms!).toBeGreaterThanOrEqual(truth);
      expect(one.high_ms! - one.low_ms!).toBeLessThan(0.5);
    }
  });
});

describe('a quantile', () => {
  it('is bounded and never made greater', () => {
    const [p99] = correctOf(['ttft_p99=60ms', 'ttft_p95=55ms']).figures;
    expect(p99).toMatchObject({ method: 'bounds', high_ms: 60 });
    expect(p99!.low_ms!).toBeGreaterThan(0);
    expect(p99!.low_ms!).toBeLessThan(55);
  });
});

describe('is refused', () => {
  it.each<[string, Partial<CorrectRequest>, RegExp]>([
    ['where the loop is too busy', { rateRps: 940 }, /utilization/],
    ['beyond what was fitted', { rateRps: 2000 }, /beyond the rates that were measured/],
    ['with other tokens', { tokens: 128 }, /128 output tokens.*--tokens 128/],
    ['for another version of the client', { clientVersion: '9.9' }, /asyncio 9\.9.*another version/],
  ])('%s', (_, more, words) => {
    const document = correctOf(['e2e_mean=12ms'], more);
    expect(document.figures[0]).toMatchObject({ state: 'refused', low_ms: null, high_ms: null });
    expect(document.figures[0]!.reason).toMatch(words);
    expect(correctExitCode(document)).toBe(4);
    expect(correctText(document)).toContain('refused');
  });

  it('where the client has no model, with why', () => {
    const closed = {
      ...audit,
      clients: audit.clients.map((one) => ({ ...one, facts: { ...one.facts, openLoop: false } })),
    };
    const document = correctOf(['e2e_mean=12ms'], {}, closed);
    expect(document.model).toBeNull();
    expect(document.figures[0]!.reason).toMatch(/no model of asyncio: it is a closed loop/);
  });

  it('for the same version it is not', () => {
    const version = audit.clients[0]!.found.state === 'found' ? audit.clients[0]!.found.version : '';
    expect(correctOf(['e2e_mean=12ms'], { clientVersion: version, tokens: 16 }).figures[0]!.state).toBe(
      'interval',
    );
  });
});

describe('limits', () => {
  it('name client, machine and what was not stated', () => {
    const { limits } = correctOf(['e2e_mean=12ms'], { here: 'Another CPU, 64 cores, Node 22' });
    expect(limits[0]).toContain('AMD EPYC 7B13, 2 cores');
    expect(limits.join(' ')).toMatch(/This machine is another one \(Another CPU/);
    expect(limits.join(' ')).toMatch(
      /taken to be as in the audit: the client’s version and the output tokens/,
    );
  });

  it('do not speak of another machine on the same one', () => {
    expect(correctOf(['e2e_mean=12ms']).limits.join(' ')).not.toContain('This machine is another');
  });
});

describe('where tokens come one by one', () => {
  const apart = simulatedAudit({
    loop: { tokenMs: () => 0.0625, baseMs: 0.4 },
    rates: [100, 200, 400, 600, 800],
    durationS: 8,
    grain: 'token',
    latency: 'ttft=50ms,itl=10ms',
  });

  it('the load is of tokens: half the tokens at twice the rate are the same', () => {
    const one = correctOf(['ttft_mean=50ms'], { rateRps: 300, tokens: 16 }, apart);
    const other = correctOf(['ttft_mean=50ms'], { rateRps: 600, tokens: 8 }, apart);
    expect(other.model!.rho.value).toBeCloseTo(one.model!.rho.value, 9);
    expect(other.figures[0]!.low_ms).toBeCloseTo(one.figures[0]!.low_ms!, 9);
    expect(one.model!.fitted_high_rps).toBeCloseTo(800, -2);
  });
});

describe('tare-correct/1', () => {
  it('is what its published schema says', async () => {
    const published = new URL('../../../schema/correct.schema.json', import.meta.url);
    const schema = JSON.parse(await readFile(published, 'utf8'));
    expect(schema).toEqual(JSON.parse(correctJsonSchema()));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const document = JSON.parse(JSON.stringify(correctOf(['e2e_mean=12ms', 'ttft_p99=1ms'])));
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...document, figures: [{}] })).toBe(false);
  });
});

describe('names of figures', () => {
  it('have metric, statistic and a time with its unit', () => {
    expect(parseFigure('ttft_p99.9=0.035s')).toEqual({
      name: 'ttft_p99.9',
      metric: 'ttft',
      statistic: { quantile: 0.9990000000000001 },
      valueMs: 35,
    });
    expect(parseFigure('tpot_mean=800us')).toMatchObject({ statistic: 'mean', valueMs: 0.8 });
  });

  it.each(['', 'ttft=35ms', 'ttft_p99=35', 'ttft_p0=1ms', 'ttft_max=1ms', 'itl_p99=1ms', 'ttft_p99=-1ms'])(
    '"%s" is none',
    (text) => {
      expect(() => parseFigure(text)).toThrow(/is not a figure/);
    },
  );

  it('never parse to anything but a time', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          return Number.isFinite(parseFigure(text).valueMs);
        } catch {
          return true;
        }
      }),
    );
  });
});
