import { describe, expect, it } from 'vitest';
import { keptChart } from '../../reports/charts/kept.ts';
import { sampleDocument } from './sample.ts';

const document = sampleDocument({ rates: [100, 800] });
type Cells = { values: { client: string; rate: string; kept: string; lost: number }[] };
const cells = (of = document) => (keptChart(of)!.view as unknown as { data: Cells }).data.values;

describe('who keeps the rate', () => {
  it('has those first that lose a lower rate, and among them those that lose more', () => {
    const order = [...new Set(cells().map(({ client }) => client))];
    expect(order.slice(0, 2)).toEqual(['drifter', 'genai-perf']);
    expect(order).not.toContain('vllm-bench');
  });
  it('leaves what was kept uncoloured, and says where there is no result', () => {
    const at = (client: string, rate: string) => cells().find((c) => c.client === client && c.rate === rate)!;
    expect(at('tare-multi', '800/s')).toMatchObject({ kept: '100 %', lost: 0 });
    expect(at('genai-perf', '800/s')).toMatchObject({ kept: 'no result', lost: 1 });
    expect(at('drifter', '100/s').lost).toBeGreaterThan(0);
    expect(at('drifter', '800/s').lost).toBeGreaterThan(at('drifter', '100/s').lost);
  });
  it('is none where nothing arrived', () => {
    const nothing = {
      ...document,
      trials: document.trials.map((trial) => ({
        ...trial,
        outcome: { kind: 'clientFailed', reason: 'refused' } as const,
      })),
      rates: document.rates.map((found) => ({ ...found, fidelity: null, achieved_rps: null })),
    };
    expect(keptChart(nothing)).toBeNull();
  });
});
