import { describe, expect, it } from 'vitest';
import { decided } from '../../../src/audit/probe/decided.ts';
import type { ProbeCell, ProbeVerdict } from '../../../src/audit/probe/document.ts';

const cell = (verdict: ProbeVerdict, kind: string | null = null): ProbeCell => ({
  client: 'c',
  probe: 'p',
  verdict,
  kind,
  words: 'As it is.',
  size: null,
  figures: [],
  requests: 2,
  run: 'r',
  confirms: null,
});

describe('what several runs come to', () => {
  it('one run is enough where nothing is wrong', () => {
    expect(decided([cell('right')])).toEqual(cell('right'));
    expect(decided([cell('other definition', 'end-at-response')])?.verdict).toBe('other definition');
  });

  it('a fault must show in two, in whatever order', () => {
    const fault = cell('faulty', 'ttft-in-itl');
    expect(decided([fault])).toBeNull();
    expect(decided([fault, fault])).toEqual({ ...fault, confirms: 'faulty' });
    expect(decided([fault, cell('right')])).toBeNull();
    expect(decided([fault, cell('right'), fault])).toMatchObject({ verdict: 'faulty', confirms: 'right' });
    expect(decided([fault, cell('right'), cell('right')])).toMatchObject({
      verdict: 'right',
      confirms: 'right',
    });
  });

  it('three that disagree leave it open, and say what they said', () => {
    const got = decided([cell('faulty', 'a'), cell('right'), cell('faulty', 'b')]);
    expect(got).toMatchObject({ verdict: 'undetermined', kind: null });
    expect(got?.words).toBe('Its runs disagree: faulty (a), then right, then faulty (b). As it is.');
  });

  it('a run that left nothing decides at once; one that did not end may have been too slow', () => {
    expect(decided([cell('crashed', 'crashes')])?.verdict).toBe('crashed');
    expect(decided([cell('crashed', 'hangs')])).toBeNull();
    expect(decided([cell('crashed', 'hangs'), cell('crashed', 'hangs')])?.kind).toBe('hangs');
    expect(decided([cell('not applicable')])?.verdict).toBe('not applicable');
  });
});
