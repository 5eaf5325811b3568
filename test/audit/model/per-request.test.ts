import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../src/audit/model/growth.ts';
import { inPieces, parametersPerRequest } from '../../../src/audit/model/per-request.ts';
import type { CurvePoint, FittedModel } from '../../../src/measure/queue/types.ts';

const point: CurvePoint = {
  rateRps: 100,
  requests: 1000,
  durationS: 10,
  tokens: 16,
  ttftBias: { mean: 1, se: 0.1 },
  e2eBias: null,
  cpuMsPerRequest: 1.6,
  gapCv2: 1,
  saturated: false,
};

describe('tokens as what queues', () => {
  it('come N times as often, and cost an N-th', () => {
    expect(inPieces(point, 16)).toMatchObject({
      rateRps: 1600,
      requests: 16_000,
      tokens: 1,
      cpuMsPerRequest: 0.1,
      ttftBias: point.ttftBias,
    });
    expect(inPieces(point, 1)).toBe(point);
  });

  const model = (parameters: unknown): FittedModel => ({ parameters, loops: 2 }) as FittedModel;

  it('give μ of whole requests, and the capacity of all loops', () => {
    const given = parametersPerRequest(
      model({
        kind: 'mg1',
        muRps: { value: 16_000, low: 8000, high: null },
        cv2: { value: 1, low: 0, high: 2 },
        ttftBaseMs: { value: 0.3, low: 0.2, high: 0.4 },
        e2eBaseMs: null,
      }),
      16,
    );
    expect(given.mu_rps).toEqual({ value: 1000, low: 500, high: null });
    expect(given.capacity_rps).toEqual({ value: 2000, low: 1000, high: null });
    expect(given.ttft_base_ms!.value).toBe(0.3);
  });

  it('give the cost of whole requests; a cost that may be 0 bounds no capacity', () => {
    const given = parametersPerRequest(
      model({
        kind: 'gated',
        turnMs: { value: 0.5, low: 0.4, high: 0.6 },
        requestMs: { value: 0.0625, low: 0, high: 0.125 },
        ttftBaseMs: null,
        e2eBaseMs: null,
      }),
      16,
    );
    expect(given.request_ms).toEqual({ value: 1, low: 0, high: 2 });
    expect(given.turn_ms!.value).toBe(0.5);
    expect(given.capacity_rps).toEqual({ value: 2000, low: 1000, high: null });
  });
});

describe('beyond capacity', () => {
  it('the delay grows: of 1,000/s where 500/s are served, half a second in each', () => {
    expect(growthOf(1000, 500, 4, 'model', 3000)).toEqual({
      duration_s: 4,
      growth_ms_per_s: 500,
      mean_of_run_ms: 2000,
      measured_over_predicted: 1.5,
      capacity_rps: 500,
      capacity_by: 'model',
    });
    expect(growthOf(500, 500, 4, 'model', null)).toBeNull();
    expect(growthOf(100, 500, 4, 'model', null)).toBeNull();
  });
});
