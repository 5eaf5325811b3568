/**
 * The queue model against a client whose service time is known: our own, held to one event loop that burns 60 or 120 µs of CPU time for each of 16
 * tokens, so that a request costs 0.96 or 1.92 ms and what the client itself needs. That is measured by the same client without a burn, at a low and
 * a high rate: an unburdened loop wakes for each request at low rates, a busy one takes several in a turn. The cost by the curve must lie within
 * 5 % of what is known, and the difference between both burns within 5 % of 0.96 ms, in which the client's own cost cancels out.
 * One JSON document on stdout, a table on stderr. Exit codes: 0 within, 3 not, 4 no model. About three and a half minutes; nothing else should run.
 *
 *   node dist/scripts/model-known.js [--seconds 8] [--repeat 1] [--out DIR]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { Adapter } from '../adapters/contract.ts';
import { createTareAdapter, tareBlockingAdapter } from '../adapters/tare/adapter.ts';
import { TARE_BURN } from '../adapters/tare/facts.ts';
import { runAudit } from '../src/audit/audit.ts';
import { chooseTarget } from '../src/audit/choose-target.ts';
import type { AuditDocument, Floor } from '../src/audit/document.ts';
import { fitClient } from '../src/audit/model/client-model.ts';
import type { ClientModel, ModelEstimate } from '../src/audit/model/document.ts';
import { cpuMsPerRequest } from '../src/audit/model/loops.ts';
import { queueTools } from '../src/audit/model/tools.ts';
import { prepareAudit } from '../src/audit/prepare.ts';
import { ResultsFolder } from '../src/audit/results.ts';
import { mean } from '../src/measure/quantile.ts';
import { readHost } from '../src/system/host.ts';
import { processGroupLauncher } from '../src/system/process-group.ts';
import { EXIT } from '../src/system/user-error.ts';
import { version } from '../src/system/version.ts';

const TOKENS = 16;
const WITHIN = 0.05;

/** A ladder up to ρ ≈ 0.85 of each burn; of the client without one a low and a high rate, for its CPU time only. */
const LADDERS = [
  { name: 'burn-0', burnUs: 0, rates: [300, 3000] },
  { name: 'burn-60', burnUs: 60, rates: [150, 300, 450, 600, 750] },
  { name: 'burn-120', burnUs: 120, rates: [80, 160, 240, 320, 400] },
] as const;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    repeat: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Without a burn it is the same client all the same: one blocking worker. */
const adapterOf = ({ name, burnUs }: (typeof LADDERS)[number]): Adapter =>
  createTareAdapter({ ...TARE_BURN, name, burnPerTokenUs: burnUs });

async function audit(
  ladder: (typeof LADDERS)[number],
  parent: string,
  floor: Floor | null,
): Promise<AuditDocument> {
  const host = await readHost();
  const adapter = adapterOf(ladder);
  const prepared = await prepareAudit(
    {
      clients: [ladder.name],
      rates: ladder.rates,
      durationS: Number(values.seconds),
      repetitions: Number(values.repeat),
      arrivals: 'poisson',
      target: await chooseTarget({ target: 'reference', model: null, allowRemote: false }),
      latency: 'zero',
      promptTokens: 32,
      outputTokens: TOKENS,
      seed: 1,
      workers: 1,
      pin: true,
      budgetS: null,
    },
    [adapter],
    host,
    () => adapter,
  );
  return runAudit({
    version,
    startedAt: new Date().toISOString(),
    plan: prepared.plan,
    host,
    clients: prepared.clients,
    adapters: prepared.adapters,
    floorAdapter: tareBlockingAdapter,
    folder: await ResultsFolder.create(join(parent, ladder.name)),
    launcher: processGroupLauncher,
    signal: new AbortController().signal,
    done: [],
    floor,
    warnings: prepared.warnings,
    onEvent: (event) => {
      if (event.kind === 'trialStart') say(`${event.trial.id} …`);
    },
  });
}

/** CPU time of a request of the client without a burn, ms, at its low and its high rate. */
function ownCost(document: AuditDocument): { readonly atLowRate: number; readonly atHighRate: number } {
  const at = (rate: number): number =>
    mean(
      document.trials
        .filter(({ workload }) => workload.rateRps === rate)
        .flatMap((trial) => cpuMsPerRequest(trial, 1) ?? []),
    );
  const [low, high] = LADDERS[0].rates;
  return { atLowRate: at(low), atHighRate: at(high) };
}

/** What a request costs a loop when it is busy, by the chosen model, ms. */
function costOf(model: ClientModel): ModelEstimate | null {
  const parameters = model.models.find(({ kind }) => kind === model.chosen)?.parameters;
  if (parameters === undefined) return null;
  if (parameters.request_ms !== null) return parameters.request_ms;
  const { value, low, high } = parameters.mu_rps!;
  return {
    value: 1000 / value,
    low: high === null ? null : 1000 / high,
    high: low === null ? null : 1000 / low,
  };
}

/** How far a value is from an interval, relative to its nearer end; 0 inside. */
const apart = (value: number, low: number, high: number): number =>
  value < low ? value / low - 1 : value > high ? value / high - 1 : 0;

const fixed = (value: number | null): string => (value === null ? '–' : value.toFixed(3));

const parent = values.out === undefined ? await mkdtemp(join(tmpdir(), 'tare-known-')) : resolve(values.out);
try {
  const documents: AuditDocument[] = [];
  for (const ladder of LADDERS) documents.push(await audit(ladder, parent, documents[0]?.floor ?? null));
  const own = ownCost(documents[0]!);
  const rows = LADDERS.slice(1).map(({ name, burnUs }, i) => {
    const document = documents[i + 1]!;
    const { model } = fitClient(document, document.clients[0]!, {
      holdOut: null,
      seed: 1,
      tools: queueTools,
    });
    const burned = (TOKENS * burnUs) / 1000;
    const [low, high] = [own.atHighRate, own.atLowRate].sort((a, b) => a - b) as [number, number];
    const cost = costOf(model);
    return {
      client: name,
      burned_ms: burned,
      known_low_ms: burned + low,
      known_high_ms: burned + high,
      chosen: model.chosen,
      why: model.why,
      held_out_errors: Object.fromEntries(model.models.map((one) => [one.kind, one.held_out_error])),
      cost_ms: cost,
      off: cost === null ? null : apart(cost.value, burned + low, burned + high),
      cost_by_cpu_low_rate_ms: model.cpu_mu_low_rate_rps === null ? null : 1000 / model.cpu_mu_low_rate_rps,
      cost_by_cpu_high_rate_ms:
        model.cpu_mu_high_rate_rps === null ? null : 1000 / model.cpu_mu_high_rate_rps,
      notes: model.notes,
    };
  });
  const [first, second] = rows;
  const both = first!.cost_ms !== null && second!.cost_ms !== null;
  const difference = both ? second!.cost_ms!.value - first!.cost_ms!.value : null;
  const expected = second!.burned_ms - first!.burned_ms;
  const table = new Table({
    head: ['client', 'known, ms', 'by the curve, ms [95 %]', 'off', 'by CPU, low to high rate, ms', 'model'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows)
    table.push([
      row.client,
      `${fixed(row.known_low_ms)} to ${fixed(row.known_high_ms)}`,
      row.cost_ms === null
        ? row.why
        : `${fixed(row.cost_ms.value)} [${fixed(row.cost_ms.low)}, ${fixed(row.cost_ms.high)}]`,
      row.off === null ? '–' : `${(100 * row.off).toFixed(1)} %`,
      `${fixed(row.cost_by_cpu_low_rate_ms)} to ${fixed(row.cost_by_cpu_high_rate_ms)}`,
      row.chosen ?? 'none',
    ]);
  say(table.toString());
  say(
    `Without a burn a request costs ${fixed(own.atLowRate)} ms at ${LADDERS[0].rates[0]}/s and ${fixed(own.atHighRate)} ms at ${LADDERS[0].rates[1]}/s. Difference of both burns: ${fixed(difference)} ms by the curve, ${fixed(expected)} ms burned.`,
  );
  const differenceOff = difference === null ? null : difference / expected - 1;
  process.stdout.write(
    `${JSON.stringify({ schema: 'tare-model-known/1', own_cost_ms: { at_low_rate: own.atLowRate, at_high_rate: own.atHighRate }, rows, difference_ms: difference, difference_expected_ms: expected, difference_off: differenceOff }, null, 2)}\n`,
  );
  const offs = [...rows.map(({ off }) => off), differenceOff];
  process.exitCode = offs.some((off) => off === null)
    ? EXIT.undetermined
    : offs.every((off) => Math.abs(off!) <= WITHIN)
      ? EXIT.fine
      : EXIT.outOfTolerance;
} finally {
  if (values.out === undefined) await rm(parent, { recursive: true, force: true });
}
