import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../reports/charts/all.ts';
import { bareSpec } from '../../reports/charts/chart.ts';
import { toPng, vegaSvg } from '../../reports/charts/render.ts';
import { slim } from '../../reports/charts/slim.ts';
import { manyClients } from './sample-many.ts';

/** The share of pixels that differ visibly: rounding moves edges by a hundredth of one. */
function different(a: string, b: string): number {
  const [one, two] = [a, b].map((svg) => {
    const image = new Resvg(svg, { background: '#ffffff', font: { loadSystemFonts: false } }).render();
    // Each look at `pixels` is a copy of all of them.
    return { size: [image.width, image.height], pixels: image.pixels };
  });
  expect(two!.size).toEqual(one!.size);
  let differing = 0;
  for (let at = 0; at < one!.pixels.length; at += 4)
    if (Math.abs(one!.pixels[at]! - two!.pixels[at]!) > 64) differing++;
  return differing / (one!.pixels.length / 4);
}

describe('slim', () => {
  const charts = chartsOf(manyClients(3, { rates: [100, 800], repetitions: 2 }));

  it.each(charts.map((chart) => [chart.name, chart] as const))(
    '%s: the same picture in two thirds of the bytes or less',
    async (_, chart) => {
      const before = await vegaSvg(bareSpec(chart));
      const after = slim(before);
      expect(after.length).toBeLessThan((2 / 3) * before.length);
      expect(different(before, after)).toBeLessThan(5e-4);
      const words = (svg: string) => svg.split(/<[^>]*>/).filter((text) => text !== '');
      expect(words(after)).toEqual(words(before));
    },
  );

  it('leaves text as it is, whatever it says', () => {
    const text = '<svg width="10"><text fill="#000">1.23456 fill="#fff" &lt;g&gt; opacity="1"</text></svg>';
    expect(slim(text)).toBe(text);
  });

  it('shares what a group’s marks have in common, and only that', () => {
    expect(
      slim(
        '<svg><g class="a"><path d="M0.123456,1e-9" fill="red" stroke="x"/><path d="M1,1" fill="red" stroke="y"/></g><g></g></svg>',
      ),
    ).toBe('<svg><g fill="red"><path d="M0.12,0" stroke="x"/><path d="M1,1" stroke="y"/></g></svg>');
  });

  it('keeps what PNG is drawn from', () => {
    const circle =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path transform="translate(10,10)" d="M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0" fill="#000"/></svg>';
    expect(slim(circle)).toContain('<circle cx="10" cy="10" r="4" fill="#000"/>');
    expect(toPng(slim(circle)).equals(toPng(circle))).toBe(true);
  });
});
