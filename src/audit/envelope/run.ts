/**
 * Runs the search of every client: the floor, then rounds in which each client that is not done gets one trial, in a random order, so that a
 * drift of the machine falls on all alike. Ends early with what it has, and goes on from there.
 */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import { nextStep, type Step } from '../../measure/envelope/search.ts';
import type { Purpose } from '../../measure/envelope/tally.ts';
import type { HostInfo } from '../../system/host.ts';
import type { Launcher } from '../../system/launcher.ts';
import { EXIT, UserError } from '../../system/user-error.ts';
import type { AuditDocument, AuditPlan, ClientEntry, Floor, Trial } from '../document.ts';
import { type FloorEvent, measureFloor } from '../measure-floor.ts';
import type { ResultsFolder } from '../results.ts';
import { targetSource } from '../target-kinds.ts';
import { runTrial, type TrialContext } from '../trial.ts';
import type { Warning } from '../warnings.ts';
import type { EnvelopeDocument, EnvelopeSearch, EnvelopeTrial } from './document.ts';
import { auditOf, documentOf, type EnvelopeState } from './documents.ts';
import { judgeTrial } from './judge-trial.ts';
import { clientEstimateS, envelopeWorkload, plannedTrial } from './plan.ts';
import type { Ended } from './result.ts';
import { shuffled } from './rounds.ts';

export type EnvelopeEvent =
  | FloorEvent
  | {
      readonly kind: 'trialStart';
      readonly client: string;
      readonly rate_rps: number;
      readonly purpose: Purpose;
      readonly trial: number;
      readonly budget: number;
      /** At most, s. */
      readonly leftS: number;
    }
  | { readonly kind: 'trialEnd'; readonly trial: EnvelopeTrial; readonly leftS: number }
  | { readonly kind: 'clientEnd'; readonly client: string; readonly left: number; readonly reason: string };

export interface EnvelopeInput {
  readonly version: string;
  readonly startedAt: string;
  /** Its `rates_rps` are filled in from the trials. */
  readonly plan: AuditPlan;
  readonly search: EnvelopeSearch;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly floorAdapter: Adapter;
  readonly folder: ResultsFolder;
  readonly launcher: Launcher;
  readonly signal: AbortSignal;
  /** Of a search that is gone on with. */
  readonly done: { readonly trials: readonly Trial[]; readonly judged: readonly EnvelopeTrial[] };
  readonly floor: Floor | null;
  readonly warnings: readonly Warning[];
  readonly onEvent: (event: EnvelopeEvent) => void;
  /** Keeps what is known so far. */
  readonly save: (document: EnvelopeDocument, audit: () => AuditDocument) => Promise<void>;
  /** Monotonic clock, s. */
  readonly nowS: () => number;
  /** Run a trial, measure the floor: the audit's own unless a test hands in others. */
  readonly runTrial?: typeof runTrial;
  readonly measureFloor?: typeof measureFloor;
}

export interface EnvelopeOutcome {
  readonly document: EnvelopeDocument;
  /** The same trials in the shape of an audit. */
  readonly audit: AuditDocument;
}

class Searches {
  readonly #input: EnvelopeInput;
  readonly #trials: Trial[];
  readonly #judged: EnvelopeTrial[];
  readonly #ended = new Map<string, Ended>();
  readonly #beganS: number;
  #floor: Floor | null;

  constructor(input: EnvelopeInput) {
    this.#input = input;
    this.#trials = [...input.done.trials];
    this.#judged = [...input.done.judged];
    this.#floor = input.floor;
    this.#beganS = input.nowS();
  }

  #of(client: string): EnvelopeTrial[] {
    return this.#judged.filter((trial) => trial.client === client);
  }

  /** Seconds that the clients which are not done may take at most, by how the trials so far compared with their estimates. */
  #leftS(): number {
    const { plan, search, adapters } = this.#input;
    const estimate = (name: string, trials: number) =>
      clientEstimateS(search, trials, plan.duration_s, adapters.get(name)!.facts);
    let [estimatedS, actualS, toComeS] = [0, 0, 0];
    for (const name of plan.clients) {
      const done = this.#of(name);
      const soFarS = estimate(name, done.length);
      estimatedS += soFarS;
      actualS += done.reduce((sum, { elapsed_s }) => sum + elapsed_s, 0);
      if (!this.#ended.has(name)) toComeS += estimate(name, search.budget_trials) - soFarS;
    }
    const leftS = toComeS * (estimatedS > 0 ? actualS / estimatedS : 1);
    return Math.max(0, Math.min(leftS, this.#timeLeftS()));
  }

  #timeLeftS(): number {
    const { search, nowS } = this.#input;
    return search.budget_time_s === null ? Infinity : search.budget_time_s - (nowS() - this.#beganS);
  }

  #end(client: string, ended: Ended): void {
    this.#ended.set(client, ended);
    const left = this.#input.plan.clients.filter((name) => !this.#ended.has(name)).length;
    this.#input.onEvent({ kind: 'clientEnd', client, left, reason: ended.reason });
  }

  /** The next step of a client; a trial that would not fit into the time is none. */
  #step(client: string): Step {
    const { search, plan, adapters } = this.#input;
    const tries = this.#of(client);
    const step = nextStep(search, tries, search.budget_trials - tries.length);
    if (step.kind === 'done') return step;
    const planned = plannedTrial(plan, search.tolerances, adapters.get(client)!.facts, {
      client,
      rateRps: step.rate_rps,
      nth: 1,
      order: 0,
    });
    return planned.estimatedS > this.#timeLeftS() ? { kind: 'done', why: 'budget' } : step;
  }

  async #measureFloor(context: TrialContext): Promise<void> {
    const { plan, search, floorAdapter, onEvent, signal } = this.#input;
    if (this.#floor !== null || signal.aborted || search.tolerances.bias.length === 0) return;
    const like = envelopeWorkload(plan, search.tolerances, search.from_rps, 1, plan.clients[0]!);
    const measured = await (this.#input.measureFloor ?? measureFloor)(context, floorAdapter, like, onEvent);
    this.#floor = measured.floor;
    if (measured.floor === null && !signal.aborted)
      throw new UserError(
        'no plausible floor could be measured: other work disturbed it each time, so that no bias could be told from none.\nEnd what else runs on this machine, or judge the rate alone with --tolerance rate=2%.',
        EXIT.harnessInvalid,
      );
  }

  /** One trial of a client; false where it was cut short. */
  async #try(client: string, step: Step & { kind: 'try' }, context: TrialContext): Promise<boolean> {
    const { plan, search, adapters, clients, onEvent, signal } = this.#input;
    const adapter = adapters.get(client)!;
    const before = this.#of(client);
    const nth = before.filter(({ rate_rps }) => rate_rps === step.rate_rps).length + 1;
    const planned = plannedTrial(plan, search.tolerances, adapter.facts, {
      client,
      rateRps: step.rate_rps,
      nth,
      order: this.#judged.length,
    });
    const refused = adapter.refuses?.(planned.workload) ?? null;
    if (refused !== null) {
      this.#end(client, { why: 'budget', reason: refused });
      return true;
    }
    const { rate_rps, purpose } = step;
    onEvent({
      kind: 'trialStart',
      client,
      rate_rps,
      purpose,
      trial: before.length + 1,
      budget: search.budget_trials,
      leftS: this.#leftS(),
    });
    let trial: Trial;
    try {
      const { found } = clients.find(({ name }) => name === client)!;
      trial = await (this.#input.runTrial ?? runTrial)(planned, adapter, found as Found, context);
    } catch (error) {
      // Another client may run all the same. A folder that cannot be written fails again when it is written next.
      if (!(error instanceof UserError)) throw error;
      this.#end(client, { why: 'budget', reason: error.message });
      return true;
    }
    if (signal.aborted && trial.outcome.kind === 'incomplete') return false;
    const judged = judgeTrial(trial, purpose, {
      tolerance: search.tolerances,
      floor: this.#floor,
      facts: adapter.facts,
      cores: plan.client_cpus?.length ?? this.#input.host.allowed_cpus.length,
      given: new Set(before.flatMap(({ terms }) => terms.map(({ name }) => name))),
    });
    this.#trials.push(trial);
    this.#judged.push(judged);
    await this.#save(this.#state(null));
    onEvent({ kind: 'trialEnd', trial: judged, leftS: this.#leftS() });
    return true;
  }

  async run(): Promise<EnvelopeOutcome> {
    const { plan, signal } = this.#input;
    const context: TrialContext = {
      launcher: this.#input.launcher,
      folder: this.#input.folder,
      plan,
      target: targetSource(plan.target),
      signal,
    };
    await this.#save(this.#state(null));
    await this.#measureFloor(context);
    for (let round = 0; !signal.aborted; round++) {
      const active = plan.clients.filter((name) => !this.#ended.has(name));
      if (active.length === 0) break;
      for (const client of shuffled(active, plan.seed, round)) {
        if (signal.aborted) break;
        const step = this.#step(client);
        if (step.kind === 'done')
          this.#end(client, {
            why: step.why,
            reason: this.#of(client).length === 0 ? 'no time was left for its first trial' : '',
          });
        else if (!(await this.#try(client, step, context))) break;
      }
    }
    const state = this.#state(new Date().toISOString());
    const document = await this.#save(state);
    return { document, audit: auditOf(state, document) };
  }

  async #save(state: EnvelopeState): Promise<EnvelopeDocument> {
    const document = documentOf(state);
    await this.#input.save(document, () => auditOf(state, document));
    return document;
  }

  #state(finishedAt: string | null): EnvelopeState {
    return {
      ...this.#input,
      floor: this.#floor,
      trials: this.#trials,
      judged: this.#judged,
      ended: this.#ended,
      finishedAt,
    };
  }
}

/** Runs what is not done yet. @throws UserError where the floor cannot be measured or the folder not be written. */
export const runEnvelope = (input: EnvelopeInput): Promise<EnvelopeOutcome> => new Searches(input).run();
