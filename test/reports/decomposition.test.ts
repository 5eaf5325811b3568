import { describe, expect, it } from 'vitest';
import { decompositionChart } from '../../reports/charts/decomposition.ts';
import { STAGE_COLORS } from '../../reports/charts/palette.ts';
import { decompositionPart, mostOfIt } from '../../reports/page/decomposition.ts';
import { largestStage, stageCells } from '../../reports/stages.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { sampleDocument } from './sample.ts';

const document = sampleDocument({ clients: ['tare-multi', 'asyncio', 'drifter', 'k6'], rates: [100, 1600] });

interface Layer {
  readonly data: { readonly values: readonly Record<string, number | string>[] };
  readonly mark: { readonly type: string; readonly color?: string };
}
const panels = (of: AuditDocument) =>
  (decompositionChart(of)!.view as unknown as { vconcat: { layer: Layer[]; width: number }[] }).vconcat;
/** Bars of the second panel, which has no legend, by where they stand from the top. */
function barsOf(of: AuditDocument): Map<number, { x: number; x2: number }[]> {
  const bars = new Map<number, { x: number; x2: number }[]>();
  for (const { data, mark } of panels(of)[1]!.layer)
    if (mark.type === 'rect')
      for (const { x, x2, y } of data.values as { x: number; x2: number; y: number }[])
        bars.set(y, [...(bars.get(y) ?? []), { x, x2 }]);
  return bars;
}

describe('stageCells', () => {
  it('gives the mean over the requests of all trials, which sum to the mean bias', () => {
    const cells = stageCells(document, 'ttft');
    expect(cells.map(({ client, rate_rps }) => `${client} ${rate_rps}`)).toContain('asyncio 1600');
    for (const cell of cells) {
      const sum = cell.stages.reduce((total, one) => total + (one.mean_ms ?? 0), 0);
      expect(sum).toBeCloseTo(cell.bias_ms, 9);
      expect(cell.low_ms).toBeLessThanOrEqual(cell.bias_ms);
      expect(cell.high_ms).toBeGreaterThanOrEqual(cell.bias_ms);
    }
  });
  it('weighs repetitions by their requests, and parts a way only where all of them do', () => {
    const base = sampleDocument({ clients: ['asyncio'], rates: [100], repetitions: 2 });
    const none = { mean_ms: null, tail_mean_ms: null, held_by: 'to_target', reason: 'no capture' };
    const some = (mean_ms: number) => ({ mean_ms, tail_mean_ms: mean_ms, held_by: null, reason: null });
    const given = [
      { requests: 300, left_out: 4, before_send: some(5), to_target: some(0.1) },
      { requests: 100, left_out: 0, before_send: none, to_target: some(6.1) },
    ];
    const trials = base.trials.map((trial, i) => {
      const { requests, left_out, before_send, to_target } = given[i]!;
      const { ttft } = trial.decomposition!;
      const stages = { ...ttft!.stages, before_send, to_target };
      return {
        ...trial,
        decomposition: { ...trial.decomposition!, ttft: { ...ttft, requests, left_out, stages } },
      };
    });
    const mixed = { ...base, trials } as unknown as AuditDocument;
    const [cell] = stageCells(mixed, 'ttft');
    const stage = (name: string) => cell!.stages.find((one) => one.stage === name)!;
    expect(stage('before_send')).toMatchObject({ mean_ms: null, held_by: 'to_target', reason: 'no capture' });
    expect(stage('to_target').mean_ms).toBeCloseTo((300 * 5.1 + 100 * 6.1) / 400, 12);
    expect(decompositionPart(mixed).text).toContain('4 requests more are left out');
  });
  it('names the stage that weighs most by its size, whatever its sign', () => {
    const k6 = stageCells(document, 'ttft').find((cell) => cell.client === 'k6')!;
    expect(largestStage(k6, 'mean_ms')!.stage).toBe('definition');
    expect(mostOfIt(k6)).toMatch(
      /^another definition, −49\.6 of −4\d\.\d ms; in the slowest hundredth the same/,
    );
  });
  it('has none in an audit of an earlier version, and then there is neither chart nor section', () => {
    const earlier = { ...document, trials: document.trials.map(({ decomposition: _, ...trial }) => trial) };
    expect(stageCells(earlier, 'ttft')).toEqual([]);
    expect(decompositionChart(earlier)).toBeNull();
    expect(decompositionPart(earlier).text).toBe('');
  });
});

describe('the chart', () => {
  it('draws bars without gaps or overlaps, all of one length', () => {
    const width = (bars: readonly { x: number; x2: number }[]) =>
      bars.reduce((sum, { x, x2 }) => sum + x2 - x, 0);
    const lengths = [...barsOf(document).values()].map((bars) => {
      const inOrder = bars.toSorted((a, b) => a.x - b.x);
      for (const [i, bar] of inOrder.entries()) if (i > 0) expect(bar.x).toBeCloseTo(inOrder[i - 1]!.x2, 6);
      return width(bars);
    });
    expect(lengths).toHaveLength(stageCells(document, 'e2e').length);
    // Stages too thin to see, under half a pixel each, are left out.
    for (const length of lengths) expect(Math.abs(length - lengths[0]!)).toBeLessThan(2);
  });
  it('draws what was taken away to the left of zero', () => {
    const values = panels(document)[0]!.layer.flatMap(({ data, mark }) =>
      mark.type === 'rule' ? data.values.filter(({ y2 }) => y2 !== undefined) : [],
    );
    const zero = values[0]!.x as number;
    const taken = panels(document)[0]!.layer.flatMap(({ data, mark }) =>
      mark.type === 'rect' && mark.color === STAGE_COLORS.definition.fill ? data.values : [],
    );
    // The legend's swatch, and k6 at both rates.
    expect(taken.map(({ x2 }) => (x2 as number) <= zero)).toEqual([true, true, true]);
    expect(zero).toBeCloseTo(220, -1);
    const only = sampleDocument({ clients: ['asyncio'], rates: [100] });
    const own = panels(only)[0]!.layer.flatMap(({ data, mark }) =>
      mark.type === 'rule' ? data.values.filter(({ y2 }) => y2 !== undefined) : [],
    );
    expect(own[0]!.x).toBe(0);
  });
  it('names only the stages that it draws, and tells all of it in words', () => {
    const only = decompositionChart(sampleDocument({ clients: ['asyncio'], rates: [100] }))!;
    const drawn = JSON.stringify(only.view);
    expect(drawn).toContain('until the client has read it');
    expect(drawn).not.toContain('cannot be told');
    expect(only.alternative).toContain('asyncio at 100/s, TTFT +');
    expect(only.provenance.clients.map(({ name }) => name)).toEqual(['asyncio']);
  });
});

describe('the section', () => {
  const { text } = decompositionPart(document);
  it('has a row a client, rate and figure, and a dash where a stage cannot be told', () => {
    expect(text.match(/<tr><th scope="row">/g)).toHaveLength(
      stageCells(document, 'ttft').length + stageCells(document, 'e2e').length,
    );
    expect(text).toContain('title="in “cannot be told”: its stamps are of a clock of its own">–<');
  });
  it('says once what a capture of the wire would tell apart, and for each client what its records do not tell', () => {
    expect(text.match(/Without a capture of the wire/g)).toHaveLength(1);
    expect(text).toContain('cannot be told: its stamps are of a clock of its own');
  });
});
