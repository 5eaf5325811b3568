import { describe, expect, it } from 'vitest';
import { keyMask, maskedRecords, maskedReport } from '../../src/load/key-mask.ts';
import type { LoadReport } from '../../src/load/report.ts';
import type { RequestRecord } from '../../src/load/spool.ts';

const KEY = 'sk-proj-A1b2C3d4"E5f6';
const mask = keyMask(KEY)!;
const pieces = (text: string): boolean => /A1b2C3|d4"E5f6|d4\\"E5f6/.test(text);

describe('the API key', () => {
  it.each([
    ['as it is', `invalid key ${KEY}, ask for another`],
    ['within JSON', `{"message":${JSON.stringify(`bad ${KEY}`)}}`],
    ['percent-encoded', `/login?key=${encodeURIComponent(KEY)}&x`],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['as the header', `authorization: Bearer ${KEY}`],
    ['cut off at its end', `status 401: invalid key ${KEY.slice(0, 15)}`],
    ['cut off before a quote', `Unexpected token 'B', "Bearer ${KEY.slice(0, 12)}"... is not valid JSON`],
    ['cut off at its beginning, as an event in two segments', `in the stream: ${KEY.slice(9)}"}}`],
    [
      'cut off, with words of ours behind it',
      `status 429: bad ${KEY.slice(0, 15)} (refused 5 times: no further try)`,
    ],
    ['by its first characters, as some servers tell a key', `key ${KEY.slice(0, 14)}_rest of it`],
    ['cut off within an escape', `{"message":"${JSON.stringify(KEY).slice(1, 20)}: no`],
    ['percent-encoded and cut off', `?k=${encodeURIComponent(KEY).slice(0, 18)}&x`],
    ['cut off at its beginning, as a whole body', `status 401: ${KEY.slice(9)} is wrong`],
  ])('is masked %s', (_, text) => {
    const shown = mask(text);
    expect(pieces(shown)).toBe(false);
    expect(shown).toContain('***');
  });

  it('leaves other text as it is', () => {
    const text = 'status 503: overloaded; retry in 5 s. The bearer of this has 6 tokens: sk-';
    expect(mask(text.replace('The bearer of this', 'It'))).toBe(text.replace('The bearer of this', 'It'));
  });

  it('when short is masked only behind "Bearer": masking "x" wherever it stands would spoil every word', () => {
    const short = keyMask('x')!;
    expect(short('status 401: Bearer x is wrong; x-request-id: 5')).toBe(
      'status 401: Bearer *** is wrong; x-request-id: 5',
    );
  });

  it('does not matter where there is none', () => {
    expect(keyMask(null)).toBeNull();
    const report = { state: 'complete' } as LoadReport;
    expect(maskedReport(report, null)).toBe(report);
  });

  it('is out of every text of a report; words of our own that others read stay, whatever the key is', () => {
    const report = {
      schema: 'tare-load/1',
      state: 'complete',
      reason: 'worker 0 died: complete',
      options: { url: 'http://complete', model: 'complete' },
      workers: [{ state: 'done', signal: null }],
      warnings: [{ code: 'complete', evidence: 'complete', remedy: '' }],
      notes: [],
      failures: [{ outcome: 'httpError', example: 'key complete' }],
      counts: { complete: 3 },
    } as unknown as LoadReport;
    const shown = maskedReport(report, keyMask('complete'));
    expect(shown).toMatchObject({
      state: 'complete',
      reason: 'worker 0 died: ***',
      options: { url: 'http://***', model: '***' },
      warnings: [{ code: 'complete', evidence: '***' }],
      failures: [{ outcome: 'httpError', example: 'key ***' }],
      counts: { complete: 3 },
    });
  });

  it('is out of ids that the server makes of it', () => {
    const records = [
      { index: 1, response_id: `cmpl-${KEY}` },
      { index: 2, response_id: null },
    ] as RequestRecord[];
    expect([...maskedRecords(records, mask)].map((r) => r.response_id)).toEqual(['cmpl-***', null]);
    expect([...maskedRecords(records, null)]).toEqual(records);
  });
});
