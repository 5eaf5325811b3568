import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { scale as vegaScale } from 'vega';
import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../reports/charts/all.ts';
import { biasChart } from '../../reports/charts/bias.ts';
import { bareSpec, type ChartSpec, fullSpec } from '../../reports/charts/chart.ts';
import { indexedPng } from '../../reports/charts/indexed-png.ts';
import { COLORS, look } from '../../reports/charts/palette.ts';
import { toPng, toSvg } from '../../reports/charts/render.ts';
import { themed } from '../../reports/charts/rendered.ts';
import { logTicks, spread, symlogScale, symlogTicks } from '../../reports/charts/scales.ts';
import { textWidth, wrapText } from '../../reports/charts/text-width.ts';
import { provenanceLines } from '../../reports/provenance.ts';
import { sampleDocument } from './sample.ts';

const document = sampleDocument();
const charts = chartsOf(document);
const byName = (name: string): ChartSpec => charts.find((chart) => chart.name === name)!;

/** Text of an SVG, entities resolved. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map((match) =>
    match[1]!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );

describe('specifications', () => {
  const require = createRequire(import.meta.url);
  const schema = JSON.parse(readFileSync(require.resolve('vega-lite/vega-lite-schema.json'), 'utf8'));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  it.each(charts.map((chart) => [chart.name, chart] as const))(
    '%s is valid Vega-Lite, with and without its frame',
    (_, chart) => {
      for (const spec of [fullSpec(chart), bareSpec(chart)])
        expect(validate(spec), JSON.stringify(validate.errors?.[0])).toBe(true);
    },
  );

  it('covers the figures that were asked for', () => {
    expect(charts.map((chart) => chart.name)).toEqual([
      'bias-ttft-p50',
      'bias-ttft-p99',
      'bias-e2e-p99',
      'bias-tpot-mean',
      'kept',
      'rate',
      'envelope-rates',
      'decomposition',
      'ttft',
      'arrivals-gaps',
      'cpu',
      'cpu-threads',
      'bias-ttft-mean',
    ]);
  });

  it('carries the provenance of the clients drawn, as data and as text in the picture', async () => {
    const chart = byName('bias-tpot-mean');
    expect(chart.provenance.clients.map((client) => client.name)).not.toContain('k6');
    const spec = fullSpec(chart) as { usermeta: { tare: { provenance: unknown } } };
    expect(spec.usermeta.tare.provenance).toEqual(chart.provenance);
    const drawn = textsOf(await toSvg(fullSpec(chart))).join(' ');
    for (const { label, text } of provenanceLines(chart.provenance))
      expect(drawn).toContain(`${label}: ${text}`);
  });

  it('draws nothing for a figure that no client printed', () => {
    expect(biasChart(sampleDocument({ clients: ['k6', 'vllm-bench'] }), 'tpot', 'mean')).toBeNull();
    expect(chartsOf({ ...document, findings: [], rates: [], trials: [] })).toEqual([]);
  });

  it('gives a client the same look in every chart, and no two clients the same', () => {
    const looks = Array.from({ length: 42 }, (_, i) => JSON.stringify(look(i)));
    expect(new Set(looks).size).toBe(42);
    const k6 = look(document.clients.findIndex((entry) => entry.name === 'k6'));
    for (const name of ['bias-ttft-p50', 'rate', 'cpu'])
      expect(JSON.stringify(byName(name).view)).toContain(JSON.stringify({ shape: k6.shape }).slice(1, -1));
  });

  it('breaks the line where a client left no figure', async () => {
    const holes = document.findings.map((f) =>
      f.client === 'asyncio' && f.rate_rps === 200
        ? { ...f, queueing_bias_ms: null, bias_ms: null, low_ms: null, high_ms: null }
        : f,
    );
    const chart = biasChart({ ...document, findings: holes }, 'ttft', 'p50')!;
    const svg = await toSvg(bareSpec(chart));
    const line = svg.match(
      new RegExp(`<path d="([^"]*)" stroke="${look(1).color}" stroke-width="1.75"`, 'i'),
    )?.[1];
    expect(line?.match(/M/g)).toHaveLength(2);
    expect(chart.alternative).toContain('no figure at 200/s');
  });
});

describe('rendering', () => {
  it('gives the same bytes again, whatever was drawn between', async () => {
    const chart = byName('bias-ttft-p99');
    const first = await toSvg(fullSpec(chart));
    await toSvg(fullSpec(byName('ttft')));
    expect(await toSvg(fullSpec(chart))).toBe(first);
    expect(toPng(first).equals(toPng(first))).toBe(true);
  });

  it('has no ids, links or scripts, so that many fit in one page', async () => {
    for (const chart of charts)
      expect(await toSvg(bareSpec(chart))).not.toMatch(/ id=|href|<script|<image|url\(/i);
  });

  it('shows hostile names as text', async () => {
    const hostile = '<script>alert(1)</script>"onload="x';
    for (const chart of chartsOf(
      sampleDocument({ clients: ['asyncio', 'k6'], rates: [100, 400], hostile }),
    )) {
      const svg = await toSvg(fullSpec(chart));
      const tags = [...svg.matchAll(/<([^>]*)>/g)].map((match) => match[1]!.replace(/"[^"]*"/g, '""'));
      expect(tags.filter((tag) => /^\/?script|\son\w+=/i.test(tag))).toEqual([]);
      expect(textsOf(svg).join(' ')).toContain('<script>');
    }
  });

  it('draws text without any font of the system', () => {
    const svg = (text: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-family="nothing, sans-serif">${text}</text></svg>`;
    expect(toPng(svg('TTFT')).equals(toPng(svg('')))).toBe(false);
  });

  it('follows the page’s theme in attributes, never in text', () => {
    const svg = `<text fill="#1f2328">fill="#1f2328"</text><path stroke="${COLORS[0].toUpperCase()}"/>`;
    expect(themed(svg)).toBe('<text fill="var(--ink)">fill="#1f2328"</text><path stroke="var(--c0)"/>');
  });
});

describe('indexedPng', () => {
  /** Pixels of a PNG with a palette and no filter. */
  function decode(png: Buffer): { width: number; height: number; rgb: number[] } {
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
      chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    const [width, height] = [chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)];
    const palette = chunks.get('PLTE')!;
    const rows = inflateSync(chunks.get('IDAT')!);
    const rgb = Array.from({ length: width * height }, (_, i) => {
      const index = rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)]!;
      return palette.readUIntBE(index * 3, 3);
    });
    return { width, height, rgb };
  }

  it('keeps up to 256 colours exactly', () => {
    const colors = Array.from({ length: 256 }, (_, i) => (i * 65_793 + i * 257) & 0xffffff);
    const rgba = Uint8Array.from(colors.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255, 255]));
    expect(decode(indexedPng(rgba, 32, 8))).toEqual({ width: 32, height: 8, rgb: colors });
  });

  it('takes the nearest colour for what is beyond', () => {
    const common = Array.from({ length: 256 }, (_, i) => (i << 16) | (i << 8) | i);
    const colors = [...common, ...common, 0x0a0a0b, 0xfefdfe];
    const rgba = Uint8Array.from(colors.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255, 255]));
    expect(decode(indexedPng(rgba, colors.length, 1)).rgb.slice(-2)).toEqual([0x0a0a0a, 0xfefefe]);
  });
});

interface VegaScale {
  (value: number): number;
  domain(values: number[]): this;
  range(values: number[]): this;
  constant(value: number): this;
}

describe('scales', () => {
  it('places values where Vega does', () => {
    const theirs = (vegaScale('symlog') as unknown as () => VegaScale)()
      .domain([-3, 500])
      .range([320, 0])
      .constant(0.6);
    const ours = symlogScale([-3, 500], [320, 0], 0.6);
    for (const value of [-3, -0.6, 0, 0.1, 1, 30, 499])
      expect(ours.position(value)).toBeCloseTo(theirs(value), 9);
  });

  it('has ticks inside the domain, rising, a few of them', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: 1.01, max: 1e5, noNaN: true }),
        (low, ratio) => {
          const ticks = logTicks([low, low * ratio]);
          expect(ticks.length).toBeGreaterThanOrEqual(2);
          expect(ticks.length).toBeLessThanOrEqual(16);
          expect([...ticks].sort((a, b) => a - b)).toEqual(ticks);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(low * (1 - 1e-9));
            expect(tick).toBeLessThanOrEqual(low * ratio * (1 + 1e-9));
          }
        },
      ),
    );
  });

  it('keeps the ticks of a symlog axis out of its linear zone', () => {
    expect(symlogTicks([-0.96, 60], 0.6)).toEqual([0, 1, 10]);
    expect(symlogTicks([-50, 60], 0.6)).toEqual([-10, -1, 0, 1, 10]);
    expect(symlogTicks([-0.1, 0.1], 0.6)).toEqual([0]);
  });

  it('moves labels apart, in order, inside the plot', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -50, max: 370, noNaN: true }), { minLength: 1, maxLength: 18 }),
        (wanted) => {
          const placed = spread(wanted, 16, 6, 314);
          const rank = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
          rank.forEach((index, i) => {
            expect(placed[index]).toBeGreaterThanOrEqual(6 - 1e-6);
            expect(placed[index]).toBeLessThanOrEqual(314 + 1e-6);
            if (i > 0) expect(placed[index]! - placed[rank[i - 1]!]!).toBeGreaterThanOrEqual(16 - 1e-6);
          });
        },
      ),
    );
  });

  it('leaves alone what is far enough apart', () => {
    expect(spread([300, 20, 100], 16, 6, 314)).toEqual([300, 20, 100]);
  });
});

describe('wrapText', () => {
  it('keeps every line within the width and every word in its place', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1, maxLength: 60 }).map((s) => s.replace(/\s/g, '_')),
          { minLength: 1 },
        ),
        (words) => {
          const lines = wrapText(words.join(' '), 200, 10);
          for (const line of lines) expect(textWidth(line, 10)).toBeLessThanOrEqual(200);
          expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
        },
      ),
    );
  });
});
