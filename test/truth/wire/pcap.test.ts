import { expect, it } from 'vitest';
import { PcapReader } from '../../../src/truth/wire/pcap.ts';

/** One record of three bytes at 7 s + 5 units. */
function file(magic: number, little: boolean): Buffer {
  const buffer = Buffer.alloc(24 + 16 + 3);
  const write = (value: number, at: number) =>
    little ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
  write(magic, 0);
  // Link type EN10MB, with the bits that say that frames end in a checksum.
  write(0x5000_0001, 20);
  for (const [i, value] of [7, 5, 3, 60].entries()) write(value, 24 + 4 * i);
  return buffer;
}

it.each([
  [0xa1b2c3d4, true, 5000],
  [0xa1b2c3d4, false, 5000],
  [0xa1b23c4d, true, 5],
  [0xa1b23c4d, false, 5],
])('magic %i, little-endian %s', (magic, little, nanos) => {
  const records: unknown[] = [];
  const reader = new PcapReader(({ seconds, nanos: ns, length, start, end, linkType }) =>
    records.push({ seconds, ns, length, captured: end - start, linkType }),
  );
  reader.push(file(magic, little));
  expect(reader.end()).toBe(false);
  expect(records).toEqual([{ seconds: 7, ns: nanos, length: 60, captured: 3, linkType: 1 }]);
});
