/** Real captures for tests, and what can be done to their records. */
import { readFileSync } from 'node:fs';
import { CaptureReader, type WireCapture } from '../../../src/truth/wire/capture-reader.ts';

export const capture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/wire/${name}.pcap`, import.meta.url));

const HEADER = 24;

/** Header and records of a little-endian file. */
export function split(file: Buffer): { readonly header: Buffer; readonly records: Buffer[] } {
  const records: Buffer[] = [];
  for (let at = HEADER; at < file.length; ) {
    const end = at + 16 + file.readUInt32LE(at + 8);
    records.push(file.subarray(at, end));
    at = end;
  }
  return { header: file.subarray(0, HEADER), records };
}

/** The instant of a record of a nanosecond file. */
export const instantOf = (record: Buffer): number =>
  (record.readUInt32LE(0) % 100_000) * 1e9 + record.readUInt32LE(4);

/** Bytes of TCP payload of a record of lo over IPv4. */
export function payloadOf(record: Buffer): number {
  const ip = 16 + 14;
  return record.readUInt16BE(ip + 2) - (record[ip]! & 15) * 4 - (record[ip + 20 + 12]! >> 4) * 4;
}

export const isToTarget = (record: Buffer): boolean => record.readUInt16BE(16 + 14 + 20 + 2) === 8000;

/** Reads a file in pieces of `size` bytes. */
export function read(file: Buffer, size = file.length): WireCapture {
  const reader = new CaptureReader(8000, (seconds, nanos) => (seconds % 100_000) * 1e9 + nanos);
  for (let at = 0; at < file.length; at += size) reader.push(file.subarray(at, at + size));
  return reader.end();
}
