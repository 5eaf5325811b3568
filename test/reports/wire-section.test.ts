import { expect, it } from 'vitest';
import { auditCommand } from '../../reports/page/audit-command.ts';
import { wireSection } from '../../reports/page/wire.ts';
import type { WireFigures } from '../../src/audit/document.ts';
import { sampleDocument } from './sample.ts';

const spread = (p50_ms: number, p99_ms: number) => ({ n: 100, p50_ms, p99_ms });
const summary = (p50_ms: number, p99_ms: number) => ({
  n: 100,
  mean_ms: p50_ms,
  p50_ms,
  p90_ms: p99_ms,
  p99_ms,
});

const WIRE: WireFigures = {
  requests: 100,
  joined: 99,
  joined_share: 0.99,
  other_requests: 1,
  connections: 12,
  not_understood: {},
  packets: 2764,
  dropped: 3,
  loss_share: 3 / 2767,
  unseen_bytes: 1460,
  capture_bytes: 675_100,
  clock_uncertainty_us: 0.086,
  against: {
    request_to_arrival_ms: spread(0.191, 0.81),
    first_to_wire_ms: spread(0.015, 0.097),
    wire_to_end_ms: spread(0.046, 0.135),
    ttft_apart_ms: spread(0.213, 0.87),
    e2e_apart_ms: spread(0.211, 0.839),
    ledger: { ttft: summary(50, 51.3), e2e: summary(200, 202) },
    wire: { ttft: summary(50.2, 51.5), e2e: summary(200, 202) },
    impossible: 0,
  },
  realized: { ttft: summary(50.2, 51.5), e2e: summary(200, 202) },
  client_minus_wire: { ttft_ms: spread(0.623, 4.97), e2e_ms: spread(0.75, 3.51) },
  statement: '',
};

const document = sampleDocument({ clients: ['asyncio'], rates: [100], repetitions: 1 });
const trials = document.trials.map((trial) => ({ ...trial, repetition: 1, wire: WIRE }));

it('stands in the page only where something was captured', () => {
  expect(wireSection(document).text).toBe('');
  expect(wireSection({ ...document, trials: trials.map((trial) => ({ ...trial, wire: null })) }).text).toBe(
    '',
  );
});

it('shows loss, waiting, agreement and what the client reported beyond the wire', () => {
  const { text } = wireSection({ ...document, trials });
  const cells = [...text.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map((match) => match[1]);
  expect(cells).toEqual([
    '1',
    '100',
    '99',
    '0.1 %, 1,460 bytes',
    '0.191 / 0.810',
    '0.015 / 0.097',
    '50.0 / 51.3',
    '50.2 / 51.5',
    '0.213 / 0.870',
    '0.211 / 0.839',
    '+0.623 / +4.97',
  ]);
});

it('has its rows by client, rate and repetition, in whatever order they ran', () => {
  const many = sampleDocument({ clients: ['asyncio', 'k6'], rates: [100, 1600], repetitions: 2 });
  const ran = many.trials.map((trial) => ({
    ...trial,
    repetition: trial.repetition + 1,
    wire: { ...WIRE, unfinished: 2 },
  }));
  ran.reverse();
  const { text } = wireSection({ ...many, trials: ran });
  const rows = [...text.matchAll(/row">([^<]*)<\/th><td[^>]*>(\d)<\/td><td[^>]*>([^<]*)</g)];
  expect(rows.map(([, client, repetition, rate]) => `${client} ${rate} ${repetition}`)).toEqual(
    many.plan.clients.flatMap((client) =>
      ['100 1', '100 2', '1,600 1', '1,600 2'].map((of) => `${client} ${of}`),
    ),
  );
  expect(text).toContain('1,460 bytes, 2 answers cut');
});

it('is asked for again by the command that repeats the audit', () => {
  expect(auditCommand(document)).not.toContain('--wire');
  expect(auditCommand({ ...document, plan: { ...document.plan, wire: 'read' } })).toMatch(/ --wire$/);
  expect(auditCommand({ ...document, plan: { ...document.plan, wire: 'keep' } })).toMatch(/ --wire-keep$/);
});
