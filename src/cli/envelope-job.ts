/** From the flags of `tare envelope` to what is to be run: a new search, or one that is gone on with. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { allAdapters } from '../../adapters/registry.ts';
import type { AuditPlan, ClientEntry, Floor, Trial } from '../audit/document.ts';
import type { EnvelopeDocument, EnvelopeSearch, EnvelopeTrial } from '../audit/envelope/document.ts';
import { parseEnvelopeDocument } from '../audit/envelope/document-schema.ts';
import { clientEstimateS, FLOOR_S, leastS, trialsWithin } from '../audit/envelope/plan.ts';
import { checkLength, planBytes } from '../audit/plan.ts';
import { prepareAudit } from '../audit/prepare.ts';
import { ResultsFolder } from '../audit/results.ts';
import { REFERENCE_INFO } from '../audit/target-reference.ts';
import { PLANNED } from '../audit/warnings/planned.ts';
import type { Warning } from '../audit/warnings.ts';
import { rampFor } from '../measure/envelope/search.ts';
import { DEFAULT_TOLERANCE, formatTolerance, parseTolerance } from '../measure/envelope/tolerance.ts';
import { requireSpace } from '../system/disk.ts';
import { type HostInfo, readHost } from '../system/host.ts';
import { UserError } from '../system/user-error.ts';
import { type ClientChoice, chooseClients, keepClientFiles, keptChoice } from './client-choice.ts';
import { defaultFolder } from './default-folder.ts';
import type { EnvelopeFlags } from './envelope-flags.ts';

/** What is to be run. */
export interface EnvelopeJob {
  readonly folder: ResultsFolder;
  readonly choice: ClientChoice;
  readonly started: string;
  readonly plan: AuditPlan;
  readonly search: EnvelopeSearch;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly floor: Floor | null;
  readonly done: { readonly trials: readonly Trial[]; readonly judged: readonly EnvelopeTrial[] };
  readonly warnings: readonly Warning[];
}

/** Trials a client and seconds a trial: more of both for clients that were named than for all that are installed. */
const DEFAULTS = { named: { trials: 14, durationS: 5 }, all: { trials: 10, durationS: 4 } } as const;

/** A new search from the flags. */
async function begin(flags: EnvelopeFlags): Promise<EnvelopeJob> {
  if (flags.to < flags.from)
    throw new UserError(
      `--to ${flags.to} is below --from ${flags.from}: the search goes from the lower to the higher rate.`,
    );
  const host = await readHost();
  const choice = chooseClients(flags.client ?? null);
  const defaults = flags.client === undefined ? DEFAULTS.all : DEFAULTS.named;
  const durationS = flags.duration ?? defaults.durationS;
  const prepared = await prepareAudit(
    {
      clients: choice.names,
      rates: [flags.from],
      durationS,
      repetitions: 1,
      arrivals: flags.arrivals,
      target: REFERENCE_INFO,
      latency: flags.latency ?? null,
      promptTokens: flags.promptTokens,
      outputTokens: flags.tokens,
      seed: flags.seed,
      workers: flags.workers,
      pin: flags.pin,
      budgetS: null,
    },
    allAdapters,
    host,
    choice.byName,
  );
  const wanted = {
    from_rps: flags.from,
    to_rps: flags.to,
    ratio: flags.ratio,
    confirm: flags.confirm,
    tolerances: flags.tolerance ?? parseTolerance(DEFAULT_TOLERANCE),
  };
  const costs = prepared.plan.clients.map((name) => prepared.adapters.get(name)!.facts);
  const budget =
    flags.budget ??
    (flags.budgetTime === undefined
      ? defaults.trials
      : trialsWithin(flags.budgetTime, wanted, durationS, costs));
  const search: EnvelopeSearch = {
    ...wanted,
    tolerance: formatTolerance(wanted.tolerances),
    ramp: rampFor(wanted, budget),
    budget_trials: budget,
    budget_time_s: flags.budgetTime ?? null,
  };
  const whole = costs.reduce((sum, cost) => sum + clientEstimateS(search, budget, durationS, cost), FLOOR_S);
  const least = Math.ceil(leastS(search, durationS, costs));
  if (flags.budgetTime !== undefined && flags.budgetTime < least)
    throw new UserError(
      `--budget-time ${flags.budgetTime}s is not enough: ${search.tolerances.bias.length === 0 ? '' : 'the floor and '}one trial of each client take about ${least} s. Give more time, fewer clients or a shorter --duration.`,
    );
  const estimate = Math.round(Math.min(whole, flags.budgetTime ?? Infinity));
  checkLength(estimate, flags.yes);
  const plan: AuditPlan = { ...prepared.plan, estimated_s: estimate };
  const path = resolve(flags.out ?? defaultFolder('envelope', new Date()));
  // A client's trials near its limit are the large ones; the highest rate for half of them is more than any takes.
  requireSpace(path, planBytes({ ...plan, rates_rps: [flags.to], repetitions: Math.ceil(budget / 2) }));
  const folder = await ResultsFolder.create(path);
  await keepClientFiles(folder.path, choice);
  return {
    folder,
    choice,
    started: new Date().toISOString(),
    plan,
    search,
    host,
    clients: prepared.clients,
    floor: null,
    done: { trials: [], judged: [] },
    warnings: prepared.warnings,
  };
}

async function readEnvelope(dir: string): Promise<EnvelopeDocument> {
  const file = join(dir, 'envelope.json');
  try {
    return parseEnvelopeDocument(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${(error as Error).message.split('\n')[0]}): ${dir} is no results folder of tare envelope, or it is damaged.`,
    );
  }
}

/** A search to go on with: its plan, its clients and its floor are those it began with. */
async function goOn(path: string, flags: EnvelopeFlags): Promise<EnvelopeJob> {
  const document = await readEnvelope(resolve(path));
  const folder = await ResultsFolder.open(resolve(path));
  const { clients } = await folder.read();
  const choice = await keptChoice(folder.path, clients);
  for (const { name, found } of clients) {
    if (!document.plan.clients.includes(name)) continue;
    const now = await choice.byName(name).find();
    if (now.state === 'missing' || found.state === 'missing' || now.version !== found.version)
      throw new UserError(
        `${name} is no longer what the search in ${path} began with: its figures cannot be joined. Start a new search.`,
      );
  }
  const kept = await folder.finished();
  const judged = document.trials.filter(({ id }) => kept.some((trial) => trial.id === id));
  return {
    folder,
    choice,
    started: document.started_at,
    plan: document.plan,
    search: {
      ...document.search,
      budget_trials: flags.budget ?? document.search.budget_trials,
      budget_time_s: flags.budgetTime ?? document.search.budget_time_s,
    },
    host: document.host,
    clients,
    floor: document.floor,
    done: { trials: kept.filter(({ id }) => judged.some((one) => one.id === id)), judged },
    warnings: document.warnings.filter(({ code }) => PLANNED.some((planned) => planned.code === code)),
  };
}

/** @throws UserError for flags that cannot be met, or a folder that cannot be gone on with. */
export const envelopeJob = (flags: EnvelopeFlags): Promise<EnvelopeJob> =>
  flags.resume === undefined ? begin(flags) : goOn(flags.resume, flags);
