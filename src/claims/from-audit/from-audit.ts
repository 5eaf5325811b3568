/** An audit's own figures as a claim, stated in full: what `tare claim new --from` writes. Pure. */
import { Document, isCollection, isScalar, isSeq, visit } from 'yaml';
import type { AuditDocument, ClientEntry, Trial } from '../../audit/document.ts';
import { rateWords } from '../../measure/definition-words.ts';
import { statistic as statisticOf } from '../../measure/metrics.ts';
import { UserError } from '../../system/user-error.ts';
import { versionOf } from '../evidence/conditions.ts';
import { hostWords } from '../evidence/hosts.ts';
import {
  arrivalsOf,
  clientHostOf,
  clientLoadOf,
  loopOf,
  processesOf,
  SOURCE,
  secondClientOf,
  successOf,
  WINDOW,
  warmUpOf,
  windowOf,
} from './measured.ts';
import { type Published, selectFigures } from './select.ts';

export interface FromAudit {
  readonly document: AuditDocument;
  /** The client's name in the audit. */
  readonly client: string;
  /** null: every rate of the audit. */
  readonly rates: readonly number[] | null;
  /** Medians and the like too: no other figure of a claim confirms one, so that they stay undetermined. */
  readonly percentiles: boolean;
  readonly claimant?: string;
}

/** Of a claim that has percentiles; for its notes and for who asked for them. */
export const PERCENTILES =
  'Its percentiles stay undetermined: no other figure of a claim confirms a percentile. The raw results of every request would, and a claim cannot hold them yet.';

const NOT_STATED = 'not stated';
const ms = (value: number): string => value.toFixed(2);
const listed = (names: readonly string[]): string => names.join(', ');

function entryOf({ document, client }: FromAudit): ClientEntry {
  const entry = document.clients.find(({ name }) => name === client);
  if (entry?.found.state === 'found') return entry;
  const there = document.clients.filter(({ found }) => found.state === 'found').map(({ name }) => name);
  throw new UserError(
    `the audit has no figures of "${client}". Its clients: ${listed(there)}; give one with --client.`,
  );
}

function ratesOf({ document, client, rates }: FromAudit): readonly number[] {
  const had = document.rates.filter((one) => one.client === client).map((one) => one.rate_rps);
  const asked = rates ?? had;
  const missing = asked.filter((rate) => !had.includes(rate));
  if (missing.length > 0)
    throw new UserError(
      `the audit has not ${client} at ${listed(missing.map(String))}/s; its rates are ${listed(had.map(String))}. Give one of them with --rate.`,
    );
  return [...asked].sort((a, b) => a - b);
}

/** Trials at these rates; a rate that was not held has the figures of another rate, and is refused. */
function trialsOf({ document, client }: FromAudit, rates: readonly number[]): readonly Trial[] {
  const trials = document.trials
    .filter((trial) => trial.client === client && rates.includes(trial.workload.rateRps))
    .sort((a, b) => a.workload.rateRps - b.workload.rateRps || a.repetition - b.repetition);
  const bad = trials.find(({ outcome, reported }) => outcome.kind !== 'measured' || reported === null);
  if (bad !== undefined)
    throw new UserError(
      `${client} at ${bad.workload.rateRps}/s is ${bad.outcome.kind} (${bad.id}), so its figures are not of that rate. Leave the rate out: --rate takes those to publish.`,
    );
  if (trials.length === 0) throw new UserError(`the audit has no trial of ${client} at these rates.`);
  return trials;
}

/** Half a unit of the last printed digit, and as much for the cut of the rate itself. */
const RATE_DIGITS = 0.01;

/** Requests over the time of sending give the printed rate again. A client that counts the drain in prints another, which nothing here confirms. */
const isRateOfSending = ({ reported, workload }: Trial): boolean =>
  reported?.achievedRps != null &&
  Math.abs(reported.achievedRps - workload.requests / workload.durationS) <= RATE_DIGITS;

/** Name, digits and unit of each figure of a trial. */
function figuresOf(
  trial: Trial,
  figures: readonly Published[],
  withRate: boolean,
): [string, string, string][] {
  const { metrics, achievedRps, completed, failed } = trial.reported!;
  return [
    ...figures.map(({ metric, statistic }): [string, string, string] => [
      `${metric}_${statistic}`,
      ms(statisticOf(metrics[metric], statistic)!),
      'ms',
    ]),
    ...(withRate
      ? [['request_throughput', achievedRps!.toFixed(2), 'req/s'] as [string, string, string]]
      : []),
    ...(completed === null ? [] : [['completed', String(completed), ''] as [string, string, string]]),
    ...(failed === null ? [] : [['failed', String(failed), ''] as [string, string, string]]),
  ];
}

const common = ({ plan }: AuditDocument) => ({
  'input-tokens': String(plan.prompt_tokens),
  'output-tokens': String(plan.output_tokens),
  'output-length': 'fixed',
});
const duration = ({ workload }: Trial): string => `${workload.durationS} s`;

/** One rate: a row a trial. Several: a table. */
function loads(
  document: AuditDocument,
  trials: readonly Trial[],
  figures: readonly Published[],
  withRate: boolean,
): object {
  const rates = new Set(trials.map(({ workload }) => workload.rateRps));
  if (rates.size === 1)
    return {
      rows: trials.map((trial) => ({
        id: `run-${trial.repetition}`,
        system: SYSTEM,
        rate: `${trial.workload.rateRps} req/s`,
        requests: String(trial.workload.requests),
        duration: duration(trial),
        ...common(document),
        figures: Object.fromEntries(
          figuresOf(trial, figures, withRate).map(([name, text, unit]) => [name, `${text} ${unit}`.trim()]),
        ),
      })),
    };
  const head = figuresOf(trials[0]!, figures, withRate);
  return {
    tables: [
      {
        id: 'sweep',
        system: SYSTEM,
        columns: [
          'rate req/s',
          'requests',
          'duration',
          ...head.map(([name, , unit]) => `${name} ${unit}`.trim()),
        ],
        common: common(document),
        rows: trials.map((trial) => [
          String(trial.workload.rateRps),
          String(trial.workload.requests),
          duration(trial),
          ...figuresOf(trial, figures, withRate).map(([, text]) => text),
        ]),
      },
    ],
  };
}

const SYSTEM = 'target';

function systemOf({ plan, tare_version, host }: AuditDocument): object {
  const isOurs = plan.target.kind === 'reference';
  return {
    name: SYSTEM,
    engine: isOurs
      ? 'Tare reference target'
      : plan.target.kind === 'external'
        ? NOT_STATED
        : plan.target.kind,
    version: isOurs ? tare_version : (plan.target.version ?? NOT_STATED),
    model: isOurs
      ? `${plan.target.model}: no model runs, delays are drawn (${plan.latency})`
      : plan.target.model,
    hardware: plan.target.remote ? NOT_STATED : hostWords(host),
    'prefix-cache': isOurs ? 'off' : NOT_STATED,
  };
}

const NUMBER = /^\d+(\.(\d+))?$/;

/** Rows of a table in one line each, numbers without quotation marks and with all their digits. */
function written(document: Document): string {
  visit(document, {
    Scalar: (_, node) => {
      const digits = typeof node.value === 'string' ? NUMBER.exec(node.value) : null;
      if (digits === null) return;
      node.value = Number(node.value);
      node.minFractionDigits = digits[2]?.length ?? 0;
    },
    Pair: (_, pair) => {
      const key = isScalar(pair.key) ? pair.key.value : null;
      if ((key === 'columns' || key === 'client') && isCollection(pair.value)) pair.value.flow = true;
      if (key === 'rows' && isSeq(pair.value))
        for (const row of pair.value.items) if (isSeq(row)) row.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/**
 * The YAML of a claim: every trial of a client at some rates as it printed it, and how it was measured.
 * @throws UserError where the audit has no such figures, or bounds the client's bias for none of them
 */
export function claimFromAudit(from: FromAudit): string {
  const { document, client } = from;
  const entry = entryOf(from);
  const rates = ratesOf(from);
  const trials = trialsOf(from, rates);
  const selection = selectFigures(
    document,
    client,
    rates,
    trials,
    from.percentiles ? ['mean', 'p50', 'p90', 'p99'] : ['mean'],
  );
  if (selection.figures.length === 0)
    throw new UserError(
      `this audit bounds no figure of ${client} at ${listed(rates.map(String))}/s well enough to publish it (${selection.leftOut[0] ?? 'it prints none'}). Give fewer rates with --rate, or audit it with more repetitions.`,
    );
  const withRate = trials.every(isRateOfSending);
  const repetitions = Math.min(
    ...rates.map((rate) => trials.filter(({ workload }) => workload.rateRps === rate).length),
  );
  const processes = processesOf(document, entry, trials);
  const success = successOf(trials);
  const { definitions } = entry.facts;
  const at = rates.length === 1 ? `${rates[0]}` : `${rates[0]} to ${rates.at(-1)}`;
  const yaml = new Document({
    'tare-claim': 1,
    title: `${client} at ${at} requests/s against ${document.plan.target.kind === 'reference' ? 'the Tare reference target' : `a ${document.plan.target.kind} target`}`,
    claimant: from.claimant ?? 'fill in who publishes this',
    systems: [systemOf(document)],
    measurement: {
      client: { name: client, version: versionOf(entry) || NOT_STATED },
      processes: processes === null ? NOT_STATED : String(processes),
      loop: loopOf(entry, processes) ?? NOT_STATED,
      t0: definitions.t0,
      streaming: 'yes',
      'token-source': SOURCE[definitions.tokenSource],
      arrivals: arrivalsOf(entry, trials) ?? NOT_STATED,
      'warm-up': warmUpOf(trials) ?? NOT_STATED,
      window: WINDOW,
      repetitions: String(repetitions),
      'success-rate': success === null ? NOT_STATED : `${Number(success.toFixed(3))} %`,
      'client-host': clientHostOf(document),
      'client-load': clientLoadOf(trials) ?? NOT_STATED,
      'second-client': secondClientOf(document, client, rates) ?? NOT_STATED,
      'client-bias': selection.bound === null ? NOT_STATED : biasOf(rates, selection.bound, repetitions),
    },
    ...loads(document, trials, selection.figures, withRate),
    notes: [
      `Made by tare claim new from an audit of ${document.started_at}: each row is one run, as the client printed it, rounded to 0.01.`,
      `Its TTFT, TPOT and E2E are those of ${client} by its own definitions: t0 ${definitions.t0} (${definitions.t0Detail}).`,
      windowOf(entry),
      from.percentiles ? PERCENTILES : 'Means only: no other figure of a claim confirms a percentile.',
      ...(withRate || trials.some(({ reported }) => reported?.achievedRps == null)
        ? []
        : [
            `Left out: request_throughput: ${client} prints ${rateWords(definitions)}, which requests over the time of sending do not give again`,
          ]),
      ...selection.leftOut.map((line) => `Left out: ${line}`),
    ],
  });
  yaml.commentBefore = ' An audit’s own figures, stated in full. Check them: tare claim check FILE';
  return written(yaml);
}

function biasOf(
  rates: readonly number[],
  bound: { readonly ms: number; readonly of: string },
  repetitions: number,
): object {
  return {
    'at-most': `${ms(bound.ms)} ms`,
    how: `TTFT and E2E, ${bound.of} the most: tare audit at ${listed(rates.map(String))}/s against this target of known delays, ${repetitions} ${repetitions === 1 ? 'repetition' : 'repetitions'}, 95 %, with the floor of the machine`,
  };
}
