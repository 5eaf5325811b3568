import { describe, expect, it } from 'vitest';
import { asyncioAdapter } from '../../adapters/asyncio/adapter.ts';
import type { Adapter } from '../../adapters/contract.ts';
import { refuseArrivals } from '../../adapters/kit/arrivals.ts';
import { orderTrials } from '../../src/audit/plan.ts';
import { type AuditOptions, prepareAudit } from '../../src/audit/prepare.ts';
import { readHost } from '../../src/system/host.ts';
import { REFERENCE_TARGET } from '../reports/sample.ts';

/** An installed client with these arrivals. */
const client = (name: string, arrivals: Adapter['facts']['arrivals']): Adapter => {
  const facts = { ...asyncioAdapter.facts, arrivals };
  return {
    ...asyncioAdapter,
    name,
    facts,
    find: async () => ({ state: 'found', version: '1', path: '/x', origin: 'test', notes: [], handle: {} }),
    refuses: (workload) => refuseArrivals(name, facts, workload),
  };
};
const all = client('all', ['constant', 'poisson']);
const random = client('random', ['poisson']);
const even = client('even', ['constant']);

async function prepare(arrivals: string, clients: readonly Adapter[] = [all, random, even], rates = [50]) {
  const options: AuditOptions = {
    target: REFERENCE_TARGET,
    clients: clients.map(({ name }) => name),
    rates,
    durationS: 1,
    repetitions: 1,
    arrivals,
    latency: 'zero',
    promptTokens: 8,
    outputTokens: 4,
    seed: 1,
    workers: null,
    pin: false,
    budgetS: null,
  };
  const byName = (name: string) => clients.find((one) => one.name === name)!;
  const prepared = await prepareAudit(options, clients, await readHost(), byName);
  const costs = new Map(clients.map(({ name, facts }) => [name, facts]));
  const kinds = Object.fromEntries(
    orderTrials(prepared.plan, costs).map((trial) => [trial.client, trial.workload.arrivals.kind]),
  );
  return { ...prepared, kinds, codes: prepared.warnings.map(({ code }) => code) };
}

describe('arrivals of an audit', () => {
  it('auto: constant, and Poisson for a client that has no other, which is said', async () => {
    const { kinds, plan, codes, warnings } = await prepare('auto');
    expect(kinds).toEqual({ all: 'constant', random: 'poisson', even: 'constant' });
    expect(plan).toMatchObject({ arrivals: 'constant', arrivals_otherwise: { random: 'poisson' } });
    expect(codes).toEqual(['other-arrivals']);
    expect(warnings[0]!.evidence).toMatch(/^random cannot be asked for constant arrivals/);
  });
  it.each([
    ['constant', { all: 'constant', even: 'constant' }],
    ['poisson', { all: 'poisson', random: 'poisson' }],
  ])('%s, asked for by name: a client that lacks it is left out, which is said', async (arrivals, wanted) => {
    const { kinds, plan, codes } = await prepare(arrivals);
    expect(kinds).toEqual(wanted);
    expect(plan.arrivals_otherwise).toEqual({});
    expect(codes).toEqual(['client-left-out']);
  });
  it('says nothing where all have it', async () => {
    expect((await prepare('auto', [all, even])).codes).toEqual([]);
  });
  it('is an error where the only client asked for cannot', async () => {
    await expect(prepare('constant', [random])).rejects.toThrow(
      /random has no constant arrivals; it has poisson/,
    );
    expect((await prepare('auto', [random])).kinds).toEqual({ random: 'poisson' });
  });
});

describe('rates of an audit', () => {
  const refuses: Adapter['refuses'] = ({ rateRps }) =>
    Number.isInteger(rateRps) ? null : `whole takes whole rates only, not ${rateRps} requests/s`;
  const whole: Adapter = { ...all, name: 'whole', refuses };
  it('leave out a client that cannot be asked for one of them, before any trial', async () => {
    const { plan, codes, warnings } = await prepare('constant', [all, whole], [50, 2.5]);
    expect(plan.clients).toEqual(['all']);
    expect(codes).toEqual(['client-left-out']);
    expect(warnings[0]!.evidence).toBe('whole takes whole rates only, not 2.5 requests/s');
    await expect(prepare('constant', [whole], [50, 2.5])).rejects.toThrow(/not 2\.5 requests\/s/);
    expect((await prepare('constant', [whole], [50])).plan.clients).toEqual(['whole']);
  });
});
