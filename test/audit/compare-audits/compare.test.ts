import { describe, expect, it } from 'vitest';
import { compareExitCode } from '../../../src/audit/compare-audits/exit-code.ts';
import type { AuditDocument } from '../../../src/audit/document.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { again, compare, drawn, figuresOf, inState, mapTrials, shifted } from './pair.ts';

const base = sampleDocument({ clients: ['tare-multi', 'asyncio', 'k6'], rates: [100, 400] });
const CHANGED = ['worse', 'better', 'changed'] as const;

describe('compareAudits', () => {
  it('compares no document with itself, and says that they are the same', () => {
    const same = compare(base, base);
    expect(same.same_audit).toBe(true);
    expect(same.counts.refused).toBe(figuresOf(same).length);
    expect(figuresOf(same).every(({ low, high }) => low === null && high === null)).toBe(true);
    expect(same.conditions.every(({ state, a, b }) => state !== 'differs' && a === b)).toBe(true);
    expect(same.clients[0]!.attribution.to).toBe('nothing: the same trials');
    // A script that compares a folder with itself by mistake must not take that for "no change".
    expect(compareExitCode(same)).toBe(4);
  });

  it('finds no change between a document and its like', () => {
    const alike = compare(base, again(base));
    expect(inState(alike, ...CHANGED)).toEqual([]);
    expect(figuresOf(alike).every(({ difference }) => difference === null || difference === 0)).toBe(true);
    expect(compareExitCode(alike)).toBe(0);
  });

  it.each([
    ['ttft', 'p99', 100],
    ['e2e', 'mean', 400],
    ['tpot', 'p50', 400],
    ['itl', 'p99', 100],
  ] as const)('finds exactly the figure that was moved: %s %s at %i/s', (metric, statistic, rate) => {
    const by = 40;
    const other = again(shifted(base, { client: 'asyncio', rate, metric, statistic, by }));
    const comparison = compare(base, other, { chosen: true });
    expect(inState(comparison, 'worse')).toEqual([`asyncio ${rate} ${metric}_${statistic}`]);
    expect(inState(comparison, 'better', 'changed')).toEqual([]);
    const found = figuresOf(comparison).find(({ state }) => state === 'worse')!;
    expect(found.difference).toBeCloseTo(by, 9);
    expect(found.low!).toBeGreaterThan(found.floor!);
    expect(found.high!).toBeGreaterThan(by);
    expect(compareExitCode(comparison)).toBe(3);
    // The other way round the same is better, and no fault.
    const back = compare(other, base, { chosen: true });
    expect(inState(back, 'better')).toEqual([`asyncio ${rate} ${metric}_${statistic}`]);
    expect(compareExitCode(back)).toBe(0);
  });

  it('calls a bias worse that goes away from none, on whichever side of it', () => {
    const early = shifted(base, { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p50', by: -50 });
    const earlier = again(
      shifted(base, { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p50', by: -90 }),
    );
    expect(inState(compare(early, earlier), 'worse')).toEqual(['asyncio 100 ttft_p50']);
    expect(inState(compare(earlier, early), 'better')).toEqual(['asyncio 100 ttft_p50']);
  });

  it('says "changed" of a bias that is as far on the other side', () => {
    const mean = figuresOf(compare(base, again(base))).find(({ at }) => at === 'asyncio 100 ttft_p50')!.a
      .mean!;
    const at = { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p50' } as const;
    const [early, late] = [
      shifted(base, { ...at, by: -30 - mean }),
      again(shifted(base, { ...at, by: 30 - mean })),
    ];
    const comparison = compare(early, late);
    expect(inState(comparison, 'changed')).toEqual(['asyncio 100 ttft_p50']);
    expect(compareExitCode(comparison)).toBe(0);
  });

  it('does not call a change what is within the floor, and says so of each figure', () => {
    const other = again(
      shifted(base, { client: 'tare-multi', rate: 100, metric: 'ttft', statistic: 'p99', by: 0.2 }),
    );
    const found = figuresOf(compare(base, other)).find(({ at }) => at === 'tare-multi 100 ttft_p99')!;
    expect(found).toMatchObject({ state: 'unchanged', floor: 0.6, reason: '' });
    expect(found.difference).toBeCloseTo(0.2, 9);
  });

  it('takes the larger floor of both for delays, their sum for gaps between tokens', () => {
    const higher: AuditDocument = {
      ...again(base),
      findings: base.findings.map((f) => ({ ...f, floor_ms: f.floor_ms! * 3 })),
    };
    const floorOf = (a: AuditDocument, b: AuditDocument, figure: string) =>
      figuresOf(compare(a, b)).find(({ at }) => at === `asyncio 100 ${figure}`)!.floor;
    expect(floorOf(base, higher, 'ttft_p99')).toBeCloseTo(1.8, 12);
    expect(floorOf(higher, base, 'e2e_p50')).toBeCloseTo(0.15, 12);
    expect(floorOf(base, higher, 'itl_p99')).toBeCloseTo(0.32, 12);
    expect(floorOf(base, higher, 'tpot_p50')).toBeCloseTo(0.04, 12);
  });

  it('tells nothing of a latency whose floor one side does not have', () => {
    const without: AuditDocument = {
      ...again(shifted(base, { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p99', by: 500 })),
      floor: null,
      findings: base.findings.map((f) => ({ ...f, floor_ms: null })),
    };
    const found = figuresOf(compare(base, without)).find(({ at }) => at === 'asyncio 100 ttft_p99')!;
    expect(found).toMatchObject({ state: 'undetermined', floor: null });
    expect(found.reason).toContain('floor of this figure was not measured');
  });

  it('compares the biases of requests only where both sides have them, else those of printed figures', () => {
    const paired = (document: AuditDocument, value: number): AuditDocument => ({
      ...mapTrials(document, (trial) => ({
        ...trial,
        bias: trial.bias.map((row) => ({ ...row, paired_ms: value })),
      })),
      findings: document.findings.map((f) => ({ ...f, bias_by: 'pairs' as const })),
    });
    const mean = (a: AuditDocument, b: AuditDocument) =>
      figuresOf(compare(a, b)).find(({ at }) => at === 'asyncio 100 ttft_p50')!;
    expect(mean(paired(base, 1), again(paired(base, 5))).difference).toBe(4);
    expect(mean(paired(base, 1), again(base)).difference).toBe(0);
  });

  it('has one family: what is compared at once, and an interval the narrower the less it is', () => {
    const all = compare(base, again(base));
    // Rate, success and two of TTFT of three clients at two rates; k6 has no ITL and TPOT: 12 others of two clients and 6 of it.
    expect(all.family.primary.intervals).toBe(2 * 3 * 4);
    expect(all.family.primary.level_each).toBeCloseTo(1 - 0.05 / 24, 12);
    expect(all.family.besides.intervals).toBe(2 * (12 + 12 + 6));
    const few = compare(base, again(base), { clients: ['asyncio'], names: ['ttft_p99'] });
    expect(few.family.primary.intervals).toBe(2);
    expect(few.family.besides.intervals).toBe(0);
    const high = (comparison: typeof all) =>
      figuresOf(comparison).find(({ at }) => at === 'asyncio 100 ttft_p99')!.high!;
    expect(high(few)).toBeLessThan(high(all) * 0.6);
  });

  it('tells nothing from one repetition', () => {
    const once = sampleDocument({ clients: ['asyncio'], rates: [100], repetitions: 1 });
    const three = sampleDocument({ clients: ['asyncio'], rates: [100] });
    const comparison = compare(once, again(three));
    expect(inState(comparison, 'undetermined')).toHaveLength(16);
    expect(new Set(figuresOf(comparison).map(({ reason }) => reason))).toEqual(
      new Set(['no interval: one repetition in A']),
    );
    expect(comparison.family.primary.intervals + comparison.family.besides.intervals).toBe(0);
    expect(compareExitCode(comparison)).toBe(4);
    expect(figuresOf(compare(once, again(once)))[0]!.reason).toBe('no interval: one repetition in A and B');
  });

  it('has the total bias apart where a definition differs, and blames nobody for it', () => {
    const other: AuditDocument = {
      ...again(base),
      clients: base.clients.map((entry) =>
        entry.name === 'asyncio'
          ? {
              ...entry,
              facts: { ...entry.facts, definitions: { ...entry.facts.definitions, end: 'responseEnd' } },
            }
          : entry,
      ),
      trials: again(base).trials.map((trial) => ({
        ...trial,
        bias: trial.bias.map((row) =>
          trial.client === 'asyncio' && row.metric === 'e2e'
            ? {
                ...row,
                expected_ms: row.expected_ms! + 30,
                reported_ms: row.reported_ms! + 30,
                definition_bias_ms: row.definition_bias_ms! + 30,
                total_bias_ms: row.total_bias_ms! + 30,
              }
            : row,
        ),
      })),
    };
    const comparison = compare(base, other);
    const [client] = comparison.clients.filter(({ a }) => a === 'asyncio');
    expect(client!.definitions).toEqual([{ what: 'E2E runs to', a: 'lastToken', b: 'responseEnd' }]);
    const rows = inState(comparison, 'changed');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((at) => /^asyncio \d+ e2e_\w+_total$/.test(at))).toBe(true);
    expect(inState(comparison, 'worse', 'better')).toEqual([]);
    // What it does not decide has no such row.
    expect(figuresOf(comparison).some(({ figure }) => figure === 'ttft_p50_total')).toBe(false);
    expect(compareExitCode(comparison)).toBe(0);
  });

  it('knows which way is worse of the rate, of gaps and of CPU', () => {
    const moved = (of: (trial: AuditDocument['trials'][number]) => AuditDocument['trials'][number]) =>
      compare(base, again(mapTrials(base, (trial) => (trial.client === 'asyncio' ? of(trial) : trial))));
    const rate = (value: number) => moved((t) => ({ ...t, truth: { ...t.truth!, rate_fidelity: value } }));
    // Never varying is no doubt: what a ledger says is read to far below the floor.
    expect(inState(rate(0.9), 'worse')).toEqual(['asyncio 100 rate', 'asyncio 400 rate']);
    const jitter = (t: { repetition: number }) => 1e-4 * t.repetition;
    const noisy = (value: number) =>
      moved((t) => ({ ...t, truth: { ...t.truth!, rate_fidelity: value + jitter(t) } }));
    expect(inState(noisy(0.9), 'worse')).toEqual(['asyncio 100 rate', 'asyncio 400 rate']);
    // Too many requests are no better than too few.
    expect(inState(noisy(1.2), 'worse')).toEqual(['asyncio 100 rate', 'asyncio 400 rate']);
    const gaps = (value: number) =>
      moved((t) => ({ ...t, truth: { ...t.truth!, gap_cv2: value + jitter(t) } }));
    // Poisson arrivals were asked for: both more and less than 1 is worse.
    expect(inState(gaps(3), 'worse')).toContain('asyncio 100 gap_cv2');
    expect(inState(gaps(0.2), 'worse')).toContain('asyncio 100 gap_cv2');
    const cpu = (value: number) =>
      moved((t) => ({ ...t, observed: { ...t.observed!, busiest_thread_share: value + jitter(t) } }));
    expect(inState(cpu(0.9), 'worse')).toEqual(['asyncio 100 cpu', 'asyncio 400 cpu']);
    expect(inState(cpu(0.01), 'better')).toEqual(['asyncio 100 cpu', 'asyncio 400 cpu']);
  });
});

describe('false alarms', () => {
  const small = sampleDocument({ clients: ['asyncio'], rates: [100, 400] });
  // No floor, so that nothing but the intervals keeps an alarm away.
  const bare: AuditDocument = { ...small, findings: small.findings.map((f) => ({ ...f, floor_ms: 0 })) };

  it('are at most 5 % a comparison of the same client twice', () => {
    const pairs = 400;
    let alarms = 0;
    for (let seed = 0; seed < pairs; seed++) {
      const comparison = compare(drawn(bare, 2 * seed, 1), again(drawn(bare, 2 * seed + 1, 1)));
      if (inState(comparison, ...CHANGED).length > 0) alarms++;
    }
    expect(alarms / pairs).toBeLessThanOrEqual(0.05);
  });

  it('are not bought with blindness: a change of forty times the spread is found nearly always', () => {
    let found = 0;
    for (let seed = 0; seed < 100; seed++) {
      const other = shifted(drawn(bare, 2 * seed + 1, 1), {
        client: 'asyncio',
        rate: 400,
        metric: 'ttft',
        statistic: 'p99',
        by: 40,
      });
      if (inState(compare(drawn(bare, 2 * seed, 1), again(other)), 'worse').includes('asyncio 400 ttft_p99'))
        found++;
    }
    expect(found).toBeGreaterThan(85);
  });
});
