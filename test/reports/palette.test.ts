import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AXIS, BAND, COLORS, INK, MUTED, PAPER, STAGE_COLORS } from '../../reports/charts/palette.ts';
import { STAGES } from '../../src/measure/decomposition.ts';

type Triple = readonly [number, number, number];
const times = (rows: readonly Triple[], [x, y, z]: Triple) =>
  rows.map((row) => row[0] * x + row[1] * y + row[2] * z) as unknown as Triple;

/** Of linear RGB: Machado, Oliveira and Fernandes, 2009, severity 1. */
const VISION: Readonly<Record<string, readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Ottosson, 2020: linear RGB to cone responses, their cube roots to OKLab. */
const TO_CONES: readonly Triple[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: readonly Triple[] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function seen(hex: string, vision: string): Triple {
  const rgb = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
  const clipped = times(VISION[vision]!, rgb).map((v) => Math.min(1, Math.max(0, v))) as unknown as Triple;
  return times(TO_LAB, times(TO_CONES, clipped).map(Math.cbrt) as unknown as Triple);
}
/** 100 from black to white. */
const apart = (a: string, b: string, vision: string) =>
  100 * Math.hypot(...seen(a, vision).map((v, i) => v - seen(b, vision)[i]!));

const css = readFileSync(new URL('../../reports/page/browser.css', import.meta.url), 'utf8');
const dark = new Map(
  [...css.slice(css.indexOf('prefers-color-scheme: dark')).matchAll(/--(\w+): (#\w{6});/g)].map(
    ([, name, value]) => [name!, value!] as const,
  ),
);
const inDark = (fill: string) =>
  dark.get(fill === BAND ? 'band' : `c${(COLORS as readonly string[]).indexOf(fill)}`)!;

it.each([
  ['white', (fill: string) => fill],
  ['the dark theme', inDark],
])('neighbouring stages differ on %s for every kind of colour vision', (_, shown) => {
  const pairs = STAGES.slice(1).map((stage, i) => [STAGES[i]!, stage] as const);
  // Those that are neighbours where a capture of the wire, or a schedule, is missing.
  const merged = [
    ['to_target', 'back'],
    ['schedule_lag', 'to_target'],
    ['target_error', 'read'],
  ] as const;
  for (const [a, b] of [...pairs, ...merged])
    for (const vision of Object.keys(VISION))
      expect(
        apart(shown(STAGE_COLORS[a].fill), shown(STAGE_COLORS[b].fill), vision),
        `${a}, ${b}, ${vision}`,
      ).toBeGreaterThan(9);
});

/** WCAG 2.2: relative luminance, and contrast of two colours. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}
const shownIn = (theme: 'light' | 'dark', color: string): string => {
  if (theme === 'light') return color;
  const names = new Map<string, string>([
    [PAPER, 'paper'],
    [INK, 'ink'],
    [MUTED, 'muted'],
    [AXIS, 'axis'],
    [BAND, 'band'],
    ...COLORS.map((c, i): [string, string] => [c, `c${i}`]),
  ]);
  const name = names.get(color);
  return name === undefined ? color : dark.get(name)!;
};

describe.each(['light', 'dark'] as const)('on %s paper', (theme) => {
  const paper = shownIn(theme, PAPER);

  it('marks stand out by 3:1, and text by 4.5:1 (WCAG 2.2, 1.4.11 and 1.4.3)', () => {
    for (const color of [...COLORS, AXIS])
      expect(contrast(shownIn(theme, color), paper), color).toBeGreaterThan(3);
    for (const color of [INK, MUTED])
      expect(contrast(shownIn(theme, color), paper), color).toBeGreaterThan(4.5);
  });

  it('figures in bars stand out from their stage by 4.5:1', () => {
    for (const [stage, { fill, text }] of Object.entries(STAGE_COLORS))
      expect(contrast(shownIn(theme, fill), shownIn(theme, text)), stage).toBeGreaterThan(4.5);
  });
});

it('the page’s light theme has the colours of the files', () => {
  const light = css.slice(0, css.indexOf('prefers-color-scheme: dark'));
  COLORS.forEach((color, i) => {
    expect(light).toContain(`--c${i}: ${color};`);
  });
});
