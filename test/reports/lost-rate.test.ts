import { describe, expect, it } from 'vitest';
import { lostRates } from '../../reports/lost-rate.ts';
import type { AuditDocument, Observed } from '../../src/audit/document.ts';
import { sampleDocument } from './sample.ts';

const base = sampleDocument({ rates: [100, 800], clients: ['drifter', 'asyncio'] });

/** The audit with what /proc saw of `client`, and its facts, changed. */
const seen = (
  client: string,
  observed: Partial<Observed> | null,
  facts: Partial<AuditDocument['clients'][number]['facts']> = {},
): AuditDocument => ({
  ...base,
  clients: base.clients.map((entry) =>
    entry.name === client ? { ...entry, facts: { ...entry.facts, ...facts } } : entry,
  ),
  trials: base.trials.map((trial) =>
    trial.client === client
      ? { ...trial, observed: observed === null ? null : { ...trial.observed!, ...observed } }
      : trial,
  ),
});
const cause = (...change: Parameters<typeof seen>) =>
  lostRates(seen(...change)).find((lost) => lost.client === change[0]);

describe('lostRates', () => {
  it('names who lost the lowest rate first; nobody who held all', () => {
    const lost = lostRates(base);
    expect(lost.map(({ client, rate_rps }) => [client, rate_rps])).toEqual([['drifter', 100]]);
    expect(lost[0]!.fidelity!).toBeLessThan(0.98);
    expect(lostRates(sampleDocument({ rates: [100], clients: ['asyncio'] }))).toEqual([]);
  });
  it.each<[string, Parameters<typeof seen>, string, RegExp]>([
    [
      'a thread that takes a core',
      ['drifter', { busiest_thread_share: 0.97 }],
      'busy loop',
      /has no time left: asyncio/,
    ],
    [
      'threads that take the cores together',
      ['drifter', { busiest_thread_share: 0.3, cpu_share: 0.96 }],
      'busy cores',
      /take 96 % of the one core/,
    ],
    [
      'no busy thread: the schedule',
      ['drifter', { busiest_thread_share: 0.3, cpu_share: 0.4 }],
      'schedule',
      /no thread of it is busy \(busiest: python3, 30 % of a core\), so it is not the CPU/,
    ],
    [
      'a thread that was kept from a core',
      ['drifter', { busiest_thread_share: 0.3, cpu_share: 0.3, core_wait_share: 0.31 }],
      'no core',
      /had no core for 31 % of the time, though all of them took only 30 % of one core: something else/,
    ],
    [
      'threads in one another’s way',
      ['drifter', { busiest_thread_share: 0.2, cpu_share: 0.66, core_wait_share: 0.93 }],
      'crowded',
      /took 66 % of one core: they stand in one another's way/,
    ],
    [
      'a thread near its limit',
      ['drifter', { busiest_thread_share: 0.79, cpu_share: 0.8 }],
      'schedule',
      /is near its limit, and it does not send when it should either/,
    ],
    [
      'a closed loop',
      ['drifter', { busiest_thread_share: 0.3, cpu_share: 0.4 }, { openLoop: false }],
      'closed loop',
      /closed loop/,
    ],
    ['nothing seen', ['drifter', null], 'unknown', /not known/],
  ])('%s', (_, change, kind, words) => {
    const lost = cause(...change)!;
    expect(lost.cause).toBe(kind);
    expect(lost.sentence).toMatch(words);
  });
  it('brings what the source says of it', () => {
    const drift = {
      about: 'schedule',
      what: 'sleeps each gap, lag adds up',
      where: 'bench.py get_request()',
    } as const;
    const other = { about: 't0', what: 'x', where: 'y' } as const;
    const lost = cause(
      'drifter',
      { busiest_thread_share: 0.3, cpu_share: 0.4 },
      { evidence: [other, drift] },
    )!;
    expect(lost.evidence).toEqual([drift]);
  });
});
