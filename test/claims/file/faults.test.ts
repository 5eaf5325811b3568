import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/claims/file/limits.ts';
import { changed, faultsIn, STATED } from '../sample.ts';

/** Each: what is changed in the sample, and the one fault that it makes, with its place. */
const FAULTS: readonly (readonly [string, readonly [string | RegExp, string], string])[] = [
  [
    'another version',
    ['tare-claim: 1', 'tare-claim: 2'],
    '1:13: tare-claim: "2" is a version that is not read here; allowed is 1',
  ],
  [
    'no title',
    [/title: Engine.*\n/, ''],
    '1:1: title: it is missing; write what the page is called, or what is claimed',
  ],
  [
    'an empty claimant',
    ['claimant: Example Corp', 'claimant:'],
    '3:1: claimant: it is empty; write who claims it',
  ],
  [
    'an unknown key',
    ['warm-up:', 'warmup:'],
    '16:3: measurement.warmup: there is no such key; did you mean warm-up?',
  ],
  [
    'a key of nothing',
    ['  loop: multi', '  zzz: multi'],
    /^11:3: measurement\.zzz: there is no such key; allowed are client, processes, loop/.source,
  ],
  [
    'a word that is not allowed',
    ['t0: sent', 't0: send'],
    '12:7: measurement.t0: "send" is none of scheduled, queued, sent, not stated; did you mean sent?',
  ],
  [
    'true for yes',
    ['streaming: yes', 'streaming: true'],
    '13:14: measurement.streaming: "true" is none of yes, no, not stated; write yes',
  ],
  [
    'yes for on',
    ['prefix-cache: off', 'prefix-cache: no'],
    '7:102: systems[0].prefix-cache: "no" is none of on, off, not stated; write off',
  ],
  [
    'a client without keys',
    ['client: {name: our-client, version: 2.0}', 'client: vllm'],
    '9:11: measurement.client: "vllm" stands here; allowed is a map of keys and values, with the keys name, version',
  ],
  [
    'a day of no calendar',
    ['published: 2026-11-01', 'published: 2026-02-30'],
    '5:60: sources[0].published: "2026-02-30" is no day; allowed is a day as in 2024-09-05, or not stated',
  ],
  [
    'an address of no web',
    ['https://example.com/a', 'javascript:alert(1)'],
    '5:11: sources[0].url: "javascript:alert(1)" is no public address; allowed is one that begins with https:// or http://',
  ],
  [
    'a password in the address',
    ['https://example.com/a', 'https://me:secret@example.com/a'],
    '5:11: sources[0].url: the address holds a user or a password; leave them out',
  ],
  [
    'a latency without unit',
    ['ttft_p99: 620 ms', 'ttft_p99: 620'],
    '38:17: rows[0].figures.ttft_p99: "620" has no unit; allowed is a time with its unit, as printed: 87.64 ms, 0.542 s, or not stated',
  ],
  [
    'an unknown figure',
    ['ttft_p99:', 'tfft_p99:'],
    '38:7: rows[0].figures.tfft_p99: there is no such figure; did you mean ttft?',
  ],
  [
    'an unknown statistic',
    ['itl_mean', 'itl_avg'],
    '39:7: rows[0].figures.itl_avg: "avg" is no statistic; did you mean itl_mean?',
  ],
  ['a total of latencies', ['itl_mean', 'itl_total'], '39:7: rows[0].figures.itl_total: itl has no total'],
  ['an id with a point', ['id: c16', 'id: c16.1'], '25:9: rows[0].id: "c16.1" is no id'],
  [
    'a system that is not there',
    ['    system: a', '    system: b'],
    '26:13: rows[0].system: there is no system "b"; did you mean a?',
  ],
  [
    'prompts of no row',
    ['run: cold', 'run: warm\n    prompts-of: c17'],
    '34:17: rows[0].prompts-of: there is no row "c17"; did you mean c16?',
  ],
  [
    'prompts of itself',
    ['run: cold', 'run: warm\n    prompts-of: c16'],
    '34:17: rows[0].prompts-of: it names the row itself',
  ],
  [
    'a key twice',
    ['  loop: multi', '  loop: multi\n  loop: single'],
    '12:3: loop stands twice here, first in line 11; write it once',
  ],
  [
    'a figure twice, spelled otherwise',
    [
      'output_throughput: 1,600 tok/s',
      'output_throughput: 1,600 tok/s\n      output_throughput_total: 1,600 tok/s',
    ],
    '36:7: rows[0].figures.output_throughput_total: output_throughput is there already; write it once',
  ],
  [
    'a list for a figure',
    ['ttft_p99: 620 ms', 'ttft_p99: [620 ms]'],
    '38:17: rows[0].figures.ttft_p99: a list stands here; allowed is a time',
  ],
  [
    'a tag',
    ['  processes: 4', '  processes: !!int 4'],
    '10:20: the tag tag:yaml.org,2002:int is not read; write the value alone',
  ],
  ['an alias of nothing', ['  processes: 4', '  processes: *n'], '10:14: *n: no anchor &n stands before it'],
  [
    'a merge key',
    ['  loop: multi', '  loop: multi\n  <<: {processes: 3}'],
    '12:3: measurement.<<: there is no such key; merge keys are not read',
  ],
  ['a tab', ['  loop: multi', '\tloop: multi'], '11:1: '],
  [
    'a second document',
    [/$/, '---\ntare-claim: 1\n'],
    '41:1: a second document begins here; allowed is one claim a file',
  ],
];

describe('a fault of a claim', () => {
  it('is not in the sample', () => expect(faultsIn(STATED)).toEqual([]));

  it.each(FAULTS)('%s is told with its place', (_, change, expected) => {
    const faults = faultsIn(changed(change));
    expect(faults.length).toBeGreaterThan(0);
    if (expected.startsWith('^')) expect(faults[0]).toMatch(new RegExp(expected));
    else expect(faults[0]!.slice(0, expected.length)).toBe(expected);
  });

  it.each(FAULTS.filter(([name]) => !/tab|second doc|a tag|alias|system/.test(name)))(
    '%s is the only one',
    (_, change) => {
      expect(faultsIn(changed(change))).toHaveLength(1);
    },
  );

  it('comes with all the others, in the order of the file', () => {
    const faults = faultsIn(
      changed(
        ['t0: sent', 't0: send'],
        ['success-rate: 100 %', 'success-rate: 1.00'],
        ['itl_mean', 'itll_mean'],
        ['    system: a', '    system: b'],
        ['requests: 4000', 'requests: 4k'],
        ['  loop: multi', '  loop: multi\n  loop: single'],
      ),
    );
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['12', '13', '20', '27', '29', '40']);
  });

  it('of thousands in braces says that the comma does it, in figures and in tables', () => {
    const braces = changed([
      /figures:\n[\s\S]*$/,
      'figures: {output_throughput: 8,730 tok/s, ttft_p50: 12 ms}\n',
    ]);
    expect(faultsIn(braces)).toEqual([
      expect.stringContaining('34:34: rows[0].figures.output_throughput: "8" has no unit'),
      expect.stringContaining(
        "34:36: rows[0].figures.730 tok/s: a comma in { } or [ ] begins the next key or cell; write thousands in quotes ('8,730 tok/s')",
      ),
    ]);
    const table = `${STATED}tables:\n  - id: s\n    columns: [concurrency, output_throughput tok/s]\n    rows:\n      - [1, 8,730]\n`;
    expect(faultsIn(table)).toEqual([
      expect.stringMatching(
        /^45:9: tables\[0\]\.rows\[0\]: it has 3 of 2 cells; .*write thousands in quotes/,
      ),
    ]);
  });

  it.each([
    [
      '[concurency, ttft ms]',
      '[1, 2]',
      '43:15: tables[0].columns[0]: "concurency" is no column; did you mean concurrency?',
    ],
    [
      '[concurrency, concurrency]',
      '[1, 2]',
      '43:28: tables[0].columns[1]: there is a column concurrency already; write each once',
    ],
    [
      '[concurrency, ttft ms]',
      '[1, ]',
      '45:9: tables[0].rows[0]: it has 1 of 2 cells; write one a column, not stated where the page has none',
    ],
    [
      '[concurrency, ttft ms]',
      '[1, ~]',
      '45:13: tables[0].rows[0][1]: it is empty; write its value, or not stated',
    ],
    ['[concurrency, ttft]', '[1, 2]', '45:13: tables[0].rows[0][1]: "2" has no unit'],
    [
      '[requests, ttft ms]',
      '[1, 2]',
      '43:15: tables[0].columns[0]: requests is stated in common, too; write it once',
    ],
  ])('of a table %s, %s is told with its place', (columns, row, expected) => {
    const text = `${STATED}tables:\n  - id: s\n    columns: ${columns}\n    rows:\n      - ${row}\n    common: {requests: 10}\n`;
    expect(faultsIn(text)[0]!.slice(0, expected.length)).toBe(expected);
  });

  it('of a headline names the figures that there are', () => {
    const text = `${STATED}headlines:\n  - {id: h, text: twice, ratio: 2, better: more, of: c16.ttft_p98, over: zzzzzzzzzzzz}\n  - {id: h, text: again, better: lower}\n`;
    expect(faultsIn(text)).toEqual([
      '42:44: headlines[0].better: "more" is none of higher, lower, not stated',
      '42:54: headlines[0].of: there is no figure "c16.ttft_p98"; did you mean c16.ttft_p99?',
      '42:74: headlines[0].over: there is no figure "zzzzzzzzzzzz"; there are c16.output_throughput, c16.request_throughput, c16.ttft_mean, c16.ttft_p99, c16.itl_mean, c16.e2e_mean',
      '43:5: headlines[1].ratio: it is missing; write the factor as printed: 2.7',
      '43:10: headlines[1].id: there is a headline "h" already; give each a name of its own',
    ]);
  });

  it('of two systems wants to know which one a row is of', () => {
    const text = changed(['systems:\n', 'systems:\n  - name: b\n'], ['    system: a\n', '']);
    expect(faultsIn(text)).toEqual(['26:5: rows[0].system: it is missing; write which of b, a it is']);
  });

  it.each([
    ['nothing', '', '1:1: the file is empty; "tare claim new" prints one to fill in'],
    ['a list', '- 1\n', '1:1: a list stands here; allowed is a map'],
    ['brackets without end', '['.repeat(20_000), '1:'],
    ['nothing closed', '{a: ', '1:'],
    [
      'more than its bounds',
      `# ${'x'.repeat(LIMITS.bytes)}`,
      '1:1: the file is larger than a claim may be; allowed are 256 KiB',
    ],
  ])('of a file of %s is told, not thrown', (_, text, expected) => {
    const [first] = faultsIn(text);
    expect(first!.slice(0, expected.length)).toBe(expected);
  });

  it.each(['[', '{a: '])('of brackets in brackets is one, at its place: %s', (bracket) => {
    const faults = faultsIn(`${STATED}notes: ${bracket.repeat(20_000)}`);
    expect(faults).toEqual([
      `41:${8 + 20 * bracket.length}: it is nested too deeply; a claim has at most five levels`,
    ]);
    expect(faultsIn(`${STATED}notes: ['${'['.repeat(30)}', "${'{'.repeat(30)}"]\n`)).toEqual([]);
  });

  it('of a tab is one, whatever else follows from it', () => {
    expect(faultsIn(changed(['  loop: multi', '\tloop: multi']))).toEqual([
      expect.stringMatching(/^11:1: a tab indents this line; allowed are spaces/),
    ]);
  });

  it.each([
    ['{apart: 40}', /"40" has no unit/],
    ['{within: 8 %, apart: 9 %}', /it needs one of within and apart/],
    ['{how: k6}', /it needs one of within and apart/],
    ['{withn: 8 %}', /there is no key withn; allowed are within, apart, how/],
    ['[k6]', /write \{within: 8 %/],
    ['""', /it is empty/],
  ])('of a second client as %s says what to write', (text, words) => {
    const faults = faultsIn(changed([/second-client: .*/, `second-client: ${text}`]));
    expect(faults).toEqual([expect.stringMatching(words)]);
    expect(faults[0]).toMatch(/^22:.*measurement\.second-client/);
  });

  it('of aliases that multiply is told before they do', () => {
    const doubling = Array.from({ length: 30 }, (_, i) => `  - &a${i + 1} [*a${i}, *a${i}]`).join('\n');
    const [first] = faultsIn(`notes:\n  - &a0 x\n${doubling}\n`);
    expect(first).toMatch(/^3:\d+: its aliases cannot be followed/);
  });

  it('of too many rows says how many there may be', () => {
    const rows = Array.from({ length: LIMITS.rows }, (_, i) => `      - [${i + 1}]`).join('\n');
    const faults = faultsIn(`${STATED}tables:\n  - id: s\n    columns: [concurrency]\n    rows:\n${rows}\n`);
    expect(faults).toEqual([
      expect.stringMatching(/^25:\d+: rows: 501 rows are more than a claim may have; allowed are 500/),
    ]);
  });
});
