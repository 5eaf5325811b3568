import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plain from '../../probes/chunks/plain.ts';
import { shownWrites } from '../../reports/probe/sent.ts';
import { shownProbe } from '../../reports/probe/shown.ts';
import { spelledOut } from '../../reports/probe/spelled.ts';
import type { NamedProbe } from '../../src/measure/probe/probe.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const writes = (...list: readonly (readonly [number, string])[]) =>
  list.map(([atMs, text]) => ({ atMs, bytes: bytes(text) }));
const named = (change: Partial<NamedProbe> = {}): NamedProbe =>
  ({ ...plain, id: 'plain', group: 'chunks', ...change }) as NamedProbe;

describe('spelledOut', () => {
  it.each([
    [bytes('data: a\r\n\n'), 'data: a␍␊␊'],
    [bytes('\u0000\t\u001b\u007f'), '␀␉␛␡'],
    [bytes('\ufeffdata\u2028\u200b'), '\\u{feff}data\\u{2028}\\u{200b}'],
    [bytes('naïve 漢 😀'), 'naïve 漢 😀'],
    [bytes('漢').subarray(0, 1), '\\xE6'],
    [bytes('a漢b').subarray(2), '\\xBC\\xA2b'],
    [new Uint8Array([0xff, 0x41, 0xc3]), '\\xFFA\\xC3'],
    [bytes('{"text":"\\n"}'), '{"text":"\\n"}'],
  ])('%#: %s', (given, text) => {
    expect(spelledOut(given)).toBe(text);
  });

  it('leaves nothing that cannot be seen, whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (given) => {
        expect(spelledOut(given)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('shownWrites', () => {
  it('shows the start and the end of a run, and says what is left out', () => {
    const list = writes(
      [5, 'head'],
      ...Array.from({ length: 49 }, (_, i) => [200 + 20 * i, 'tok'] as const),
      [1180, 'end'],
    );
    const shown = shownWrites(list);
    expect(shown.map(({ at_ms, text }) => [at_ms, text])).toEqual([
      [5, 'head'],
      [200, 'tok'],
      [220, 'tok'],
      [240, 'tok'],
      [260, '… 45 more writes like this, 20 ms apart'],
      [1160, 'tok'],
      [1180, 'end'],
    ]);
    expect(shown[4]).toMatchObject({ left_out: 45, bytes: 3 * 45 });
  });

  it('knows patterns of several writes, and numbers that differ', () => {
    const list = writes(
      ...Array.from({ length: 20 }, (_, i) => [
        [10 * i, ': ping'] as const,
        [10 * i + 4, `tok ${i}`] as const,
      ]).flat(),
    );
    expect(shownWrites(list).find(({ left_out }) => left_out !== undefined)?.text).toBe(
      '… 36 more writes like these 2, in turn but for numbers in them, gaps of 4 to 6 ms',
    );
  });

  it('says so when they come all at once', () => {
    const list = writes(...Array.from({ length: 9 }, () => [7, 'x'] as const));
    expect(shownWrites(list)[3]?.text).toBe('… 5 more writes like this, all at once');
  });

  it('cuts one long write and says by how much', () => {
    const [one] = shownWrites(writes([1, 'x'.repeat(100_000)]));
    expect(one?.text.length).toBeLessThan(800);
    expect(one?.text).toContain(' … 99,300 more characters … ');
    expect(one?.bytes).toBe(100_000);
  });

  it('accounts for every write and byte, in order', () => {
    const list = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('a', 'b', 'tok 1', 'tok 2')), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(list, (steps) => {
        let at = 0;
        const given = writes(
          ...steps.map(([gap, text]) => {
            at += gap;
            return [at, text] as const;
          }),
        );
        const shown = shownWrites(given);
        expect(shown.reduce((sum, one) => sum + (one.left_out ?? 1), 0)).toBe(given.length);
        expect(shown.reduce((sum, one) => sum + one.bytes, 0)).toBe(
          given.reduce((sum, one) => sum + one.bytes.length, 0),
        );
        let next = 0;
        for (const one of shown) {
          expect(one.at_ms).toBe(given[next]!.atMs);
          next += one.left_out ?? 1;
        }
      }),
    );
  });
});

describe('shownProbe', () => {
  it('shows the base profile: head, first tokens, what is left out, the last two', () => {
    const { sent } = shownProbe(named());
    expect(sent).toHaveLength(1);
    expect(sent[0]!.writes.map(({ at_ms }) => at_ms)).toEqual([5, 200, 220, 240, 260, 1160, 1180]);
    expect(sent[0]!.writes[0]!.text).toMatch(/^HTTP\/1\.1 200 OK␍␊content-type: text\/event-stream/);
    expect(sent[0]!.writes.at(-1)!.text).toContain('data: [DONE]␊␊');
    expect(sent[0]!.writes.at(-1)!.text).toContain('"completion_tokens":50');
    expect(sent[0]!.ending).toBe('the connection stays open for the next request');
  });

  it('shows a further place only where it differs', () => {
    const answer = (place: number) => ({
      writes: writes([5, place % 2 === 0 ? 'whole' : 'half']),
      ending: place % 2 === 0 ? ({ kind: 'keep' } as const) : ({ kind: 'reset', atMs: 1_180 } as const),
    });
    const { sent } = shownProbe(named({ answer: ({ place }) => answer(place) } as Partial<NamedProbe>));
    expect(sent.map(({ place, ending }) => [place, ending])).toEqual([
      [0, 'the connection stays open for the next request'],
      [1, 'the connection is reset (RST) at 1,180 ms'],
    ]);
  });

  it('says of a probe of load what is run', () => {
    const shown = shownProbe({
      id: 'cap-wait',
      group: 'load',
      scope: 'load',
      title: 't',
      about: 'a',
      source: 's',
      right: 'r',
      runs: [
        {
          name: 'fast',
          rateRps: 40,
          requests: 1_000,
          tokens: 10,
          arrivals: 'constant',
          latency: 'ttft=190ms',
          flags: ['--pacing spin'],
        },
      ],
      known: [],
      judge: () => ({ verdict: 'right', kind: null, words: '', size: null, figures: [] }),
    });
    expect(shown.sent).toEqual([]);
    expect(shown.load).toEqual([
      'fast: 1,000 requests at 40/s, constant arrivals, 10 tokens, latency ttft=190ms, --pacing spin',
    ]);
  });
});
