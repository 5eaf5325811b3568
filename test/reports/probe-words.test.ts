import { describe, expect, it } from 'vitest';
import { withCode, withoutTicks } from '../../reports/probe/code-html.ts';
import { cellSize } from '../../reports/probe/figure-words.ts';
import { figureWords, generalWords } from '../../src/audit/probe/words.ts';

describe('words of probes', () => {
  it('shows what is between backticks as code, and escapes all of it', () => {
    expect(withCode('a `data: <x>` b').text).toBe('a <code>data: &lt;x&gt;</code> b');
    expect(withCode('one ` alone').text).toBe('one ` alone');
    expect(withoutTicks('`data:` and ` alone')).toBe('data: and ` alone');
  });

  it('says a unit once', () => {
    expect(figureWords('requests', 10, 'requests')).toBe('requests 10');
    expect(figureWords('tokens', 1, 'tokens')).toBe('1 token');
    expect(figureWords('ttft p50', 5.2, 'ms')).toBe('TTFT p50 5.2 ms');
    expect(cellSize({ figure: 'tokens', value: -49, unit: 'tokens', percent: -98 })).toBe(
      'tokens −49 (−98 %)',
    );
  });

  it('has words for a kind that only the judging names', () => {
    expect(generalWords('end-at-response')).toMatch(/^its E2E ends/);
    expect(generalWords('no-such-kind')).toBeNull();
  });
});
