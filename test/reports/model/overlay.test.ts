import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../../reports/charts/all.ts';
import { biasChart } from '../../../reports/charts/bias.ts';
import { bareSpec, type Json } from '../../../reports/charts/chart.ts';
import { toSvg } from '../../../reports/charts/render.ts';
import { explainedClients } from '../../../reports/model/fitted.ts';
import { curvesOf } from '../../../reports/model/overlay.ts';
import { modelPart } from '../../../reports/model/section.ts';
import { simulatedAudit } from '../../audit/model/simulated.ts';
import { sampleDocument } from '../sample.ts';

const document = simulatedAudit({
  loop: { tokenMs: () => 0.0625, baseMs: 0.4 },
  rates: [100, 200, 400, 600, 800, 900, 1500],
  durationS: 30,
});

/** Values of the layers that draw a model. */
function drawn(spec: Json): readonly { model_of: string; x_rps: number; value: number }[] {
  const { layer } = spec as { layer: readonly { data?: { values: readonly Record<string, Json>[] } }[] };
  return layer.flatMap(({ data }) =>
    data?.values[0]?.model_of === undefined ? [] : data.values,
  ) as unknown as ReturnType<typeof drawn>;
}

describe('the model over the bias', () => {
  const chart = biasChart(document, 'ttft', 'mean')!;

  it('goes through the points: Pollaczek and Khinchine’s wait, one token and the base', () => {
    const curve = drawn(chart.view);
    expect(curve.length).toBeGreaterThan(30);
    for (const { x_rps, value } of curve) {
      if (x_rps > 850) continue;
      const rho = x_rps / 1000;
      expect(Math.abs(value / (0.4625 + rho / (2 * (1 - rho))) - 1)).toBeLessThan(0.05);
    }
  });

  it('ends before its capacity, inside the plot', () => {
    const last = drawn(chart.view).at(-1)!;
    expect(last.x_rps).toBeGreaterThan(900);
    expect(last.x_rps).toBeLessThan(1040);
  });

  it('is named with model, μ and held-out error, in the picture and for those who cannot see it', async () => {
    const words = /asyncio: M\/G\/1, μ (9[89]\d|1,0[0-2]\d)\/s a loop, held-out error \d/;
    expect(chart.alternative).toMatch(words);
    const svg = await toSvg(bareSpec(chart));
    expect(svg.replaceAll('&nbsp;', ' ')).toMatch(words);
    expect(svg).toContain('stroke-dasharray="5,3"');
    expect(svg).not.toMatch(/ id=|url\(/);
  });

  it('stays inside the value axis, and is left out where too little of it does', () => {
    const [curve] = curvesOf(document, 'ttft', 'mean', [0, 2]);
    expect(curve!.points.length).toBeGreaterThan(10);
    expect(Math.max(...curve!.points.map(({ value }) => value))).toBeLessThanOrEqual(2);
    expect(curvesOf(document, 'ttft', 'mean', [0, 0.1])).toEqual([]);
  });

  it('is of means: a chart of a quantile has none', () => {
    expect(curvesOf(document, 'ttft', 'p99', [0, 100])).toEqual([]);
    expect(curvesOf(document, 'tpot', 'mean', [0, 100])).toEqual([]);
    expect(curvesOf(document, 'e2e', 'mean', [0, 100])).toHaveLength(1);
  });
});

describe('an audit without a curve that can be fitted', () => {
  const constant = sampleDocument({ clients: ['asyncio'], rates: [100, 400] });

  it('has neither chart nor section', () => {
    expect(explainedClients(constant)).toEqual([]);
    expect(chartsOf(constant).map(({ name }) => name)).not.toContain('bias-ttft-mean');
    expect(modelPart(constant).text).toBe('');
  });
});

describe('the section', () => {
  const { text } = modelPart(document);

  it('has parameters with intervals, every rate, every residual, and what growth means', () => {
    expect(text).toMatch(
      /service rate μ of a loop, requests\/s<\/th><td class="number">(9[89]\d|1,0[0-2]\d) \[/,
    );
    expect(text).toContain('M/G/1 (chosen)');
    expect(text.match(/<tr><th scope="row">TTFT<\/th>/g)).toHaveLength(6);
    expect(text).toContain('saturated, not fitted');
    expect(text).toMatch(
      /At 1,500\/s it is beyond its .* the delay grows by .* means nothing without its duration/,
    );
  });

  it('is the same text again', () => {
    expect(modelPart(structuredClone(document)).text).toBe(text);
  });
});
