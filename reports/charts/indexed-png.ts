/**
 * PNG with a palette of at most 256 colours, a third of the size of true colour for a chart's flat areas and grey-edged text. The
 * most frequent colours are kept exactly; the few others (edges where colours mix) take the nearest of them.
 */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Pixels as 0xRRGGBB. */
function colorsOf(rgba: Uint8Array): Uint32Array {
  const colors = new Uint32Array(rgba.length / 4);
  for (let i = 0, at = 0; i < colors.length; i++, at += 4)
    colors[i] = (rgba[at]! << 16) | (rgba[at + 1]! << 8) | rgba[at + 2]!;
  return colors;
}

/** Colours by frequency, the most frequent first; equally frequent ones by value, so that the order never varies. */
function byFrequency(colors: Uint32Array): number[] {
  const counts = new Map<number, number>();
  // A chart is mostly runs of one colour: a run costs one look-up.
  for (let start = 0; start < colors.length; ) {
    let end = start + 1;
    while (end < colors.length && colors[end] === colors[start]) end++;
    counts.set(colors[start]!, (counts.get(colors[start]!) ?? 0) + end - start);
    start = end;
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([color]) => color);
}

function nearest(palette: readonly number[], color: number): number {
  const distance = (other: number) =>
    ((other >> 16) - (color >> 16)) ** 2 +
    (((other >> 8) & 255) - ((color >> 8) & 255)) ** 2 +
    ((other & 255) - (color & 255)) ** 2;
  let best = 0;
  palette.forEach((other, index) => {
    if (distance(other) < distance(palette[best]!)) best = index;
  });
  return best;
}

/** Encodes opaque pixels (RGBA, row by row; alpha is ignored). */
export function indexedPng(rgba: Uint8Array, width: number, height: number): Buffer {
  const colors = colorsOf(rgba);
  const distinct = byFrequency(colors);
  const palette = distinct.slice(0, 256);
  const indexOf = new Map(palette.map((color, index) => [color, index]));
  for (const color of distinct.slice(256)) indexOf.set(color, nearest(palette, color));
  // Each row starts with its filter, 0: none, which suits palettes best.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0, from = 0, color = -1, index = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    for (let x = 0; x < width; x++, from++) {
      if (colors[from] !== color) {
        color = colors[from]!;
        index = indexOf.get(color)!;
      }
      rows[row + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits a pixel, palette, the only compression and filter methods, not interlaced
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Uint8Array.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
