import { describe, expect, it } from 'vitest';
import { readClaim } from '../../../src/claims/file/read.ts';
import { CLAIM_TEMPLATE } from '../../../src/claims/file/template.ts';
import { changed, claimOf, STATED } from '../sample.ts';

describe('a claim that is read', () => {
  it('has every answer, quantities in canonical units, and the lines of its figures', () => {
    const claim = claimOf();
    expect(claim.measurement).toMatchObject({
      client: { name: 'our-client', version: '2.0' },
      loop: 'multi',
      t0: 'sent',
      streaming: 'yes',
      tokenSource: 'usage',
      arrivals: 'closed loop',
    });
    expect(claim.measurement.clientBias?.atMostMs.value).toBe(0.3);
    expect(claim.systems[0]).toMatchObject({ version: '1.0', prefixCache: 'off' });
    const [row] = claim.rows;
    expect(row).toMatchObject({ id: 'c16', system: 'a', rateRps: null, outputLength: 'fixed', line: 25 });
    expect(row!.durationS!.value).toBe(500);
    expect(
      row!.figures.map(({ id, statistic, quantity, line }) => [id, statistic, quantity.value, line]),
    ).toEqual([
      ['c16.output_throughput', 'total', 1600, 35],
      ['c16.request_throughput', 'total', 8, 36],
      ['c16.ttft_mean', 'mean', 507.5, 37],
      ['c16.ttft_p99', 'p99', 620, 38],
      ['c16.itl_mean', 'mean', 7.5, 39],
      ['c16.e2e_mean', 'mean', 2000, 40],
    ]);
  });

  it.each([
    ['version: 1.0,', 'version: 1.10,', '1.10'],
    ['version: 1.0,', 'version: 0o17,', '0o17'],
    ['version: 1.0,', 'version: 2024-09-05,', '2024-09-05'],
    ['version: 1.0,', 'version: yes,', 'yes'],
    ['version: 1.0,', 'version: 1e3,', '1e3'],
    ['version: 1.0,', 'version: "1.0",', '1.0'],
  ])('has words as they are written, whatever YAML takes them for: %s → %s', (from, to, version) => {
    expect(claimOf(changed([from, to])).systems[0]!.version).toBe(version);
    expect(claimOf(`%YAML 1.1\n---\n${changed([from, to])}`).systems[0]!.version).toBe(version);
  });

  it.each(['not stated', 'Not stated', 'not-stated', '"not stated"'])(
    'takes %s for a key left out',
    (words) => {
      const left = claimOf(changed([/ {2}t0: sent\n/, '']));
      const said = claimOf(changed(['t0: sent', `t0: ${words}`]));
      expect(said.measurement).toEqual(left.measurement);
      expect(said.measurement.t0).toBeNull();
    },
  );

  it('takes not stated anywhere an answer may be missing: a map, a figure, a cell', () => {
    expect(claimOf(changed([/client: \{.*\}/, 'client: not stated'])).measurement.client).toEqual({
      name: null,
      version: null,
    });
    expect(claimOf(changed(['620 ms', 'not stated'])).rows[0]!.figures).toHaveLength(5);
    const table = `${STATED}tables:\n  - id: s\n    columns: [concurrency, ttft_p50 ms, output_throughput tok/s]\n    common: {rate: inf, requests: 100}\n    rows:\n      - [1, not stated, "1,600"]\n      - [2, 7.0 s, 3000]\n`;
    const rows = claimOf(table).rows.slice(1);
    expect(rows.map(({ id, system, line }) => [id, system, line])).toEqual([
      ['s-1', 'a', 46],
      ['s-2', 'a', 47],
    ]);
    expect(
      rows.map(({ figures }) => figures.map(({ id, quantity }) => [id, quantity.value, quantity.text])),
    ).toEqual([
      [['s-1.output_throughput', 1600, '1,600 tok/s']],
      [
        ['s-2.ttft_p50', 7000, '7.0 s'],
        ['s-2.output_throughput', 3000, '3000 tok/s'],
      ],
    ]);
    expect(rows[0]!.rateRps!.value).toBe(Number.POSITIVE_INFINITY);
    expect(rows[1]!.requests!.value).toBe(100);
  });

  it('lets a mean of tokens be half a token off, since whole ones were rounded', () => {
    expect(
      claimOf(changed(['output-length: fixed', 'output-length: mean'])).rows[0]!.outputTokens!.half,
    ).toBe(0.5);
    expect(claimOf().rows[0]!.outputTokens!.half).toBe(0);
  });

  it('may hold anchors and aliases, and places faults behind them', () => {
    const text = changed(
      ['hardware: 1 x H100', 'hardware: &hw 1 x H100'],
      ['client-host: a machine of its own, 32 cores', 'client-host: *hw'],
    );
    expect(claimOf(text).measurement.clientHost).toBe('1 x H100');
  });

  it('may begin with a byte order mark and have lines of Windows', () => {
    expect(claimOf(`\ufeff${STATED.replaceAll('\n', '\r\n')}`)).toEqual(claimOf());
  });

  it('is what "tare claim new" prints', () => {
    const read = readClaim(CLAIM_TEMPLATE);
    expect(read.ok ? [] : read.faults).toEqual([]);
    expect(read.ok && read.claim.rows.map(({ id }) => id)).toEqual(['a-16', 'b-1', 'b-2', 'b-3']);
  });
});
