import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT } from '../../src/load/event-kind.ts';
import { OUTCOME } from '../../src/load/outcome.ts';
import { writeRecords } from '../../src/load/records-file.ts';
import { readSpool, type Spooled, SpoolWriter } from '../../src/load/spool.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-spool-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function request(index: number, tokens: number, id = 'chatcmpl-é'): Spooled {
  const stamps = Float64Array.from({ length: tokens }, (_, i) => 1e15 + index + i * 1000);
  const bytes = new TextEncoder().encode(id);
  return {
    index,
    scheduledNs: 1e15 + index - 500,
    sentNs: 1e15 + index - 400,
    headersNs: 1e15 + index - 100,
    firstNs: stamps[0] ?? Number.NaN,
    firstAnswerNs: Number.NaN,
    lastNs: stamps.at(-1) ?? Number.NaN,
    endNs: 1e15 + index + 1e6,
    status: 200,
    outcome: OUTCOME.complete,
    kinds: EVENT.content | EVENT.done,
    completionTokens: tokens,
    promptTokens: -1,
    tokens,
    tries: 1,
    firstSentNs: Number.NaN,
    stamps,
    stampCount: tokens,
    scanner: { id: bytes, idLength: bytes.length },
  };
}

function spool(name: string, requests: readonly Spooled[]): string {
  const path = join(dir, name);
  const writer = new SpoolWriter(path);
  for (const one of requests) writer.append(one);
  writer.close();
  return path;
}

describe('the spool of records', () => {
  it('gives back what was written, absent instants and counts as null', () => {
    const path = spool('a', [request(7, 3), { ...request(8, 0, ''), status: 0, completionTokens: -1 }]);
    const [first, second] = [...readSpool(path, 'tare-')];
    expect(first).toMatchObject({
      index: 7,
      request_id: 'tare-7',
      response_id: 'chatcmpl-é',
      outcome: 'complete',
      status: 200,
      scheduled_ns: 1e15 + 7 - 500,
      first_answer_ns: null,
      tokens_by_event: 3,
      tokens_by_usage: 3,
      prompt_tokens_by_usage: null,
      done: true,
      itl_ns: [1000, 1000],
    });
    expect(second).toMatchObject({
      response_id: null,
      status: null,
      first_token_ns: null,
      tokens_by_usage: null,
      itl_ns: [],
    });
  });

  it('holds records larger than its buffers, and very many', () => {
    const path = spool('a', [
      request(0, 400_000),
      ...Array.from({ length: 20_000 }, (_, i) => request(i + 1, 16)),
    ]);
    const sizes = [...readSpool(path, '')].map((r) => r.itl_ns.length);
    expect(sizes.length).toBe(20_001);
    expect([sizes[0], sizes[1], sizes[20_000]]).toEqual([399_999, 15, 15]);
  });

  it('is read as far as it goes, wherever its worker died', () => {
    const path = spool('a', [request(0, 4), request(1, 4), request(2, 4)]);
    const whole = readFileSync(path).length;
    for (const [kept, expected] of [
      [whole, 3],
      [whole - 1, 2],
      [whole - whole / 3, 2],
      [whole / 3 + 8, 1],
      [3, 0],
      [0, 0],
    ] as const) {
      const cut = join(dir, 'cut');
      writeFileSync(cut, readFileSync(path));
      truncateSync(cut, kept);
      expect([...readSpool(cut, '')]).toHaveLength(expected);
    }
    appendFileSync(path, Buffer.alloc(400, 1));
    expect([...readSpool(path, '')]).toHaveLength(3);
  });

  it('becomes one file of JSON lines, without the spools that never were', () => {
    const spools = [spool('a', [request(0, 1)]), join(dir, 'never'), spool('b', [request(1, 1)])];
    const file = join(dir, 'records.jsonl');
    writeRecords(file, spools, 'x-');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id)).toEqual([
      'x-0',
      'x-1',
    ]);
    expect(() => writeRecords(join(dir, 'no', 'such'), spools, '')).toThrow(/could not be written/);
  });
});
