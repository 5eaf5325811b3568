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

/** Colours by frequency, the most frequent first; equally frequent ones by value, so that the order never varies. */
function colorsByFrequency(rgba: Uint8Array): number[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < rgba.length; i += 4) {
    const color = (rgba[i]! << 16) | (rgba[i + 1]! << 8) | rgba[i + 2]!;
    counts.set(color, (counts.get(color) ?? 0) + 1);
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
  const colors = colorsByFrequency(rgba);
  const palette = colors.slice(0, 256);
  const indexOf = new Map(palette.map((color, index) => [color, index]));
  for (const color of colors.slice(256)) indexOf.set(color, nearest(palette, color));
  // Each row starts with its filter, 0: none, which suits palettes best.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from += 4)
      rows[to++] = indexOf.get((rgba[from]! << 16) | (rgba[from + 1]! << 8) | rgba[from + 2]!)!;
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
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
