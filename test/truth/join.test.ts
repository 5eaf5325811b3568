import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Joinable, joinRecords } from '../../src/truth/join.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

const record = (change: Partial<Joinable>): Joinable => ({
  requestId: null,
  responseId: null,
  startNs: null,
  ...change,
});
const rows = [
  { at: 0, tokens: [1], requestId: 'warm-up', connection: 0 },
  { at: 10, tokens: [1], requestId: 'a', responseId: 'x', connection: 1 },
  { at: 20, tokens: [1], requestId: 'b', responseId: 'y', connection: 0 },
  { at: 30, tokens: [1], requestId: 'c', responseId: 'z', connection: 1 },
];
const ledger = ledgerOf(rows);

describe('by id', () => {
  it('finds each record’s row, whatever the order, and says how many joined', () => {
    const records = ['c', 'a', 'unknown', 'b'].map((requestId) => record({ requestId }));
    const join = joinRecords(records, ledger, 1, 'requestId');
    expect([...join.row]).toEqual([3, 1, -1, 2]);
    expect(join).toMatchObject({ by: 'requestId', joined: 3, reason: null });
  });
  it('does not see the warm-up', () => {
    expect([...joinRecords([record({ requestId: 'warm-up' })], ledger, 1, 'requestId').row]).toEqual([-1]);
  });
  it('takes the payload’s id where that is what the client keeps, or where the other joins nothing', () => {
    const records = ['z', 'y'].map((responseId) => record({ responseId }));
    for (const how of ['responseId', 'requestId'] as const)
      expect(joinRecords(records, ledger, 0, how)).toMatchObject({ by: 'responseId', joined: 2 });
  });
  it('leaves an id out that stands twice on either side: which of the two is not known', () => {
    const twice = ledgerOf([rows[1]!, { ...rows[2]!, requestId: 'a' }, rows[3]!]);
    expect([
      ...joinRecords([record({ requestId: 'a' }), record({ requestId: 'c' })], twice, 0, 'requestId').row,
    ]).toEqual([-1, 2]);
    const same = [record({ requestId: 'a' }), record({ requestId: 'a' })];
    expect(joinRecords(same, ledger, 0, 'requestId')).toMatchObject({ by: null, joined: 0 });
  });
  it('says why nothing joined', () => {
    expect(joinRecords([record({ requestId: 'q' })], ledger, 0, 'requestId').reason).toMatch(/no id/);
    expect(joinRecords([record({})], ledger, 0, 'none').reason).toMatch(/nothing in its records/);
  });
});

describe('by order on a connection', () => {
  it('joins the k-th of the j-th connection with the k-th of the j-th', () => {
    const records = [
      record({ connection: 'second', startNs: 40 }),
      record({ connection: 'first', startNs: 30 }),
      record({ connection: 'second', startNs: 20 }),
      record({ connection: 'first', startNs: 1 }),
    ];
    const join = joinRecords(records, ledger, 0, 'connectionOrder');
    expect([...join.row]).toEqual([3, 2, 1, 0]);
  });
  it('needs no names where each request has a connection of its own: they are numbered as they were accepted', () => {
    const own = ledgerOf([2, 0, 1].map((connection, i) => ({ at: i, tokens: [1], connection })));
    const records = [5, 6, 7].map((startNs) => record({ startNs }));
    expect([...joinRecords(records, own, 0, 'connectionOrder').row]).toEqual([1, 2, 0]);
  });
  it.each([
    ['other numbers of requests', [1, 2, 3], /kept 3 records where 4 requests arrived/],
    ['kept connections without names', [1, 2, 3, 4], /name no connection/],
  ])('refuses %s', (_, starts, reason) => {
    const join = joinRecords(
      starts.map((startNs) => record({ startNs })),
      ledger,
      0,
      'connectionOrder',
    );
    expect(join).toMatchObject({ by: null, joined: 0 });
    expect(join.reason).toMatch(reason);
  });
  it('refuses connections that carried other numbers of requests', () => {
    const records = ['a', 'a', 'a', 'b'].map((connection, startNs) => record({ connection, startNs }));
    expect(joinRecords(records, ledger, 0, 'connectionOrder').reason).toMatch(/other numbers of requests/);
  });
});

it('joins every shuffled record with its own row, by id and by order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 60 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (connections, keys) => {
        // Connections are numbered in the order of their first request.
        const ordinal = new Map<number, number>();
        for (const c of connections) if (!ordinal.has(c)) ordinal.set(c, ordinal.size);
        const built = ledgerOf(
          connections.map((c, i) => ({
            at: i,
            tokens: [1],
            requestId: `q${i}`,
            connection: ordinal.get(c)!,
          })),
        );
        const shuffled = connections
          .map((c, i) => ({ i, key: keys.next().value as number, connection: `c${c}` }))
          .sort((a, b) => a.key - b.key);
        const records = shuffled.map(({ i, connection }) =>
          record({ requestId: `q${i}`, startNs: i, connection }),
        );
        for (const how of ['requestId', 'connectionOrder'] as const)
          expect([...joinRecords(records, built, 0, how).row]).toEqual(shuffled.map(({ i }) => i));
      },
    ),
  );
});
