import { describe, expect, it } from 'vitest';
import { tally, worstFirst } from '../../reports/page/verdicts.ts';
import { type ClientVerdict, clientVerdicts, type VerdictKind } from '../../reports/verdict.ts';
import { sampleDocument } from './sample.ts';

const verdict = (client: string, kind: VerdictKind, fails_rps: number | null): ClientVerdict => ({
  client,
  verdict: kind,
  holds_rps: null,
  fails_rps,
  tolerance_ms: 1,
  rates: [],
  sentence: '',
  headline: '',
  details: [],
});

describe('the first screen', () => {
  const verdicts = [
    verdict('within', 'within', null),
    verdict('missing', 'notMeasured', null),
    verdict('late', 'bounded', 400),
    verdict('open', 'undetermined', null),
    verdict('early', 'bounded', 100),
    verdict('unsure, then wrong', 'undetermined', 200),
    verdict('wrong', 'out', 50),
    verdict('within too', 'within', null),
  ];

  it('has the largest problem first, and those alike in the order of the plan', () => {
    expect(worstFirst(verdicts).map(({ client }) => client)).toEqual([
      'wrong',
      'unsure, then wrong',
      'early',
      'late',
      'open',
      'within',
      'within too',
      'missing',
    ]);
  });

  it('counts each client once', () => {
    expect(tally(verdicts)).toBe(
      '8 clients: 2 out of tolerance, 2 within tolerance up to a rate, 1 undetermined, 2 within tolerance at every rate tried and 1 not measured.',
    );
  });

  it('a first line and its details say all that the sentence says', () => {
    const letters = (text: string) => [...text.toLowerCase().replace(/[^a-z0-9]/g, '')].sort().join('');
    for (const { client, sentence, headline, details } of clientVerdicts(sampleDocument())) {
      expect(headline.startsWith(`${client}: `)).toBe(true);
      expect(letters([headline, ...details].join(' '))).toBe(letters(sentence));
    }
  });
});
