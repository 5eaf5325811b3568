/**
 * From a specification to SVG and PNG, the same bytes on every machine: no canvas, no system font, no network. Inter (SIL Open Font
 * License 1.1) comes with the package @expo-google-fonts/inter.
 */
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { View } from './chart.ts';
import { indexedPng } from './indexed-png.ts';
import { slim } from './slim.ts';
import { ROOM, textWidth } from './text-width.ts';

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  readonly limit?: number;
}

/** Vega's measure of text, in place of its guess. Not in its typings. */
const { textMetrics } = vega as unknown as {
  textMetrics: { canvas(use: boolean): void; width: (item: TextItem, text: unknown) => number };
};

const require = createRequire(import.meta.url);
const FONTS = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map((file) =>
  require.resolve(`@expo-google-fonts/inter/${file}`),
);

/** Loads nothing: the data of our charts is in them. */
const REFUSING_LOADER = {
  load: () => Promise.reject(new Error('a chart loads nothing')),
  sanitize: () => Promise.reject(new Error('a chart links to nothing')),
  http: () => Promise.reject(new Error('a chart loads nothing')),
  file: () => Promise.reject(new Error('a chart loads nothing')),
} as unknown as vega.Loader;

/** Draws a specification as SVG, in all that Vega writes. */
export async function vegaSvg(spec: View): Promise<string> {
  textMetrics.canvas(false);
  textMetrics.width = (item, text) =>
    ROOM *
    textWidth(
      String(text ?? '').trim(),
      item.fontSize ?? 11,
      Number(item.fontWeight) >= 600 || item.fontWeight === 'bold',
    );
  vega.resetSVGDefIds();
  const compiled = compile(spec as unknown as TopLevelSpec).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', loader: REFUSING_LOADER });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Draws a specification as SVG, without what Vega writes and nobody needs. */
export const toSvg = async (spec: View): Promise<string> => slim(await vegaSvg(spec));

/** Rasterizes an SVG at twice its size, on white. */
export function toPng(svg: string): Buffer {
  const resvg = new Resvg(svg, {
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
  });
  const image = resvg.render();
  return indexedPng(image.pixels, image.width, image.height);
}
