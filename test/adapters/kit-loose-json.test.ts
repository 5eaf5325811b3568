import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLooseJson, readLooseJson } from '../../adapters/kit/loose-json.ts';

describe('parseLooseJson', () => {
  it('reads clean JSON as it is', () => {
    expect(parseLooseJson('{"a": [1, 2.5e3, null]}')).toEqual({
      ok: true,
      value: { a: [1, 2500, null] },
      nonFinite: 0,
    });
  });

  it.each([
    ['{"burstiness": Infinity}', { burstiness: null }, 1],
    ['[-Infinity,NaN, Infinity ]', [null, null, null], 3],
    ['NaN', null, 1],
    ['{"s": "NaN and Infinity", "x": NaN}', { s: 'NaN and Infinity', x: null }, 1],
    [String.raw`{"s": "a \" Infinity \\", "x": -Infinity}`, { s: 'a " Infinity \\', x: null }, 1],
  ])('%s', (text, value, nonFinite) => {
    expect(parseLooseJson(text)).toEqual({ ok: true, value, nonFinite });
  });

  it.each(['', '  \n', '{"a": [1, 2', '{"a": NaN', '"NaN', 'nan', '{"a": Infinityx}'])(
    'gives a reason for %j',
    (text) => {
      const result = parseLooseJson(text);
      expect(result.ok).toBe(false);
      expect(result.ok ? '' : result.reason).not.toBe('');
    },
  );

  it('never throws and never yields a number that is not finite, whatever is cut or put in', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('NaN', 'Infinity', '-Infinity', '"', '\\'),
        (json, at, word) => {
          const place = at % (json.length + 1);
          for (const text of [json.slice(0, place) + word + json.slice(place), json.slice(0, place)]) {
            const result = parseLooseJson(text);
            if (result.ok) {
              JSON.stringify(result.value, (_key, value) => {
                if (typeof value === 'number' && !Number.isFinite(value)) {
                  throw new Error('a number that is not finite got through');
                }
                return value;
              });
            }
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads what a strict parser reads, the same', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const result = parseLooseJson(json);
        expect(result).toEqual({ ok: true, value: JSON.parse(json), nonFinite: 0 });
      }),
    );
  });
});

it('tells a missing file from a broken one', async () => {
  expect(await readLooseJson('/nonexistent/result.json')).toEqual({ ok: false, reason: 'it is not there' });
  expect(await readLooseJson('/')).toMatchObject({ ok: false });
});
