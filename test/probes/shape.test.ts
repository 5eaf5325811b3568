/** For every probe: what its kind of file promises. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadProbes, probePlaces } from '../../probes/catalogue.ts';
import type { Answer } from '../../src/measure/probe/answer.ts';
import { asked, inWords, isScripted, REQUESTS } from './asked.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const LONGEST_MS = 15_000;
const probes = await loadProbes();

/** What a source may point at: a specification with its section, arithmetic (named or written out), a page of these docs, a published interface. */
const CITES =
  /RFC \d|WHATWG|arithmetic| = \d|JSON:|docs\/\w+\.md|OpenAI|vLLM|https?:\/\/|[a-zA-Z-]+(#| PR#)\d/;

function wrongOf(answer: Answer): string[] {
  const wrong: string[] = [];
  let before = 0;
  for (const [i, { atMs, bytes }] of answer.writes.entries()) {
    if (!(atMs >= before))
      wrong.push(`write ${i} at ${atMs} ms comes before the one in front of it (${before} ms)`);
    if (bytes.length === 0) wrong.push(`write ${i} is empty`);
    before = atMs;
  }
  const endMs = answer.ending.kind === 'keep' ? before : answer.ending.atMs;
  if (!(endMs >= before)) wrong.push(`it ends at ${endMs} ms, before its last write (${before} ms)`);
  if (endMs > LONGEST_MS) wrong.push(`it ends at ${endMs} ms, later than ${LONGEST_MS}`);
  return wrong;
}

/** Of every byte, its write’s instant, and the ending. */
function digest({ writes, ending }: Answer): string {
  const hash = createHash('sha256').update(JSON.stringify(ending));
  for (const { atMs, bytes } of writes) hash.update(`|${atMs}:`).update(bytes);
  return hash.digest('hex');
}

it('has a name of its own for every probe, whatever its group', () => {
  const ids = probePlaces().map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  expect(ids.filter((id) => !KEBAB.test(id))).toEqual([]);
});

describe.each(probes.map((probe) => [probe.id, probe] as const))('%s', (_, probe) => {
  it('says what it is, why, and what is right', () => {
    for (const text of ['title', 'about', 'source', 'right'] as const)
      expect(probe[text].trim(), `its ${text}`).not.toBe('');
    expect(probe.title, 'its title is one line').not.toMatch(/\n/);
    expect(probe.source, 'its source cites something').toMatch(CITES);
  });

  it('names each fault, with its arithmetic; one that shows in two ways says how', () => {
    const ways = probe.known.map(({ kind, what }) => `${kind}: ${what}`);
    expect(ways.filter((way, i) => ways.indexOf(way) !== i)).toEqual([]);
    for (const { kind, what, arithmetic } of probe.known) {
      expect(kind).toMatch(KEBAB);
      expect(what.trim(), `what ${kind} does`).not.toBe('');
      expect(arithmetic.trim(), `arithmetic of ${kind}`).not.toBe('');
    }
  });

  const answer = probe.answer?.bind(probe);
  it.skipIf(answer === undefined)('sends its writes in order, none empty, and ends in time', () => {
    const wrong = REQUESTS.flatMap((request) =>
      wrongOf(answer!(asked(request))).map((one) => `${inWords(request)}: ${one}`),
    );
    expect(wrong).toEqual([]);
  });

  it.skipIf(answer === undefined)('sends the same bytes to the same request', () => {
    for (const request of REQUESTS)
      expect(digest(answer!(asked(request))), inWords(request)).toBe(digest(answer!(asked(request))));
  });

  it.skipIf(!isScripted(probe))('asks for few enough requests that a run of its own takes seconds', () => {
    if (!isScripted(probe)) return;
    expect((probe.requests ?? 10) / (probe.rateRps ?? 10)).toBeLessThanOrEqual(10);
  });
});
