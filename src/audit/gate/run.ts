/**
 * Runs a gate: a quick floor, then rounds in which each client and rate that is not decided gets one repetition, in a random order, until all is
 * decided or the time is over. Whoever is compared with runs in the same rounds, so that what the machine does falls on both.
 */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import type { HostInfo } from '../../system/host.ts';
import type { Launcher } from '../../system/launcher.ts';
import { UserError } from '../../system/user-error.ts';
import type { AuditPlan, ClientEntry, Floor, Trial } from '../document.ts';
import { shuffled } from '../envelope/rounds.ts';
import { QUICK_FLOOR } from '../floor.ts';
import { type FloorEvent, measureFloor } from '../measure-floor.ts';
import { type PlannedTrial, TRIAL_OVERHEAD_S } from '../plan.ts';
import type { ResultsFolder } from '../results.ts';
import { targetSource } from '../target-kinds.ts';
import { deadlineS, runTrial, type TrialContext } from '../trial.ts';
import type { Warning } from '../warnings.ts';
import { cellName, type GateCheck } from './document.ts';
import { FAILURES, isSettled, leftOut } from './judge.ts';
import { type Planned, plannedRepetition } from './plan.ts';
import { checksOf, type Judging, ruleOf } from './rules.ts';

export type GateEvent =
  | FloorEvent
  | { readonly kind: 'trialStart'; readonly trial: PlannedTrial; readonly leftS: number }
  | {
      readonly kind: 'trialEnd';
      readonly trial: Trial;
      readonly leftOut: string | null;
      readonly leftS: number;
    }
  | { readonly kind: 'settled'; readonly client: string; readonly rate_rps: number };

export interface GateInput extends Judging {
  readonly plan: AuditPlan;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly cells: readonly Planned[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly floorAdapter: Adapter;
  readonly folder: ResultsFolder;
  readonly launcher: Launcher;
  readonly signal: AbortSignal;
  readonly budgetS: number;
  readonly warnings: readonly Warning[];
  readonly onEvent: (event: GateEvent) => void;
  /** Monotonic clock, s. */
  readonly nowS: () => number;
  /** Run a trial, measure the floor: the audit's own unless a test hands in others. */
  readonly runTrial?: typeof runTrial;
  readonly measureFloor?: typeof measureFloor;
}

/** What a gate's run left. */
export interface GateRun {
  readonly floor: Floor | null;
  readonly trials: readonly Trial[];
  readonly checks: readonly GateCheck[];
  /** How it ended: `settled`, its time was over, Ctrl-C, or no floor could be had. */
  readonly end: 'settled' | 'budget' | 'interrupted' | 'noFloor';
  readonly elapsedS: number;
  /** Clients that could not even be launched, with why. */
  readonly refused: ReadonlyMap<string, string>;
}

/** A client hangs that has had this many times what a repetition takes; one that had less was ended by the budget. */
const LEAST_PATIENCE = 1.25;

class Gate {
  readonly #input: GateInput;
  readonly #trials: Trial[] = [];
  readonly #tookS = new Map<string, number[]>();
  readonly #settled = new Set<Planned>();
  readonly #refused = new Map<string, string>();
  readonly #beganS: number;
  #floor: Floor | null = null;

  constructor(input: GateInput) {
    this.#input = input;
    this.#beganS = input.nowS();
  }

  #leftS(): number {
    return this.#input.budgetS - (this.#input.nowS() - this.#beganS);
  }

  #of({ client, rate_rps }: Planned): Trial[] {
    return this.#trials.filter((t) => t.client === client && t.workload.rateRps === rate_rps);
  }

  /** What a repetition takes, by those there were, else by the estimate. */
  #lengthS(planned: PlannedTrial): number {
    const took = this.#tookS.get(`${planned.client}\0${planned.rateRps}`) ?? [];
    return took.length === 0 ? planned.estimatedS : Math.max(...took);
  }

  #planned(cell: Planned, order: number): PlannedTrial {
    const { plan, adapters } = this.#input;
    const { facts } = adapters.get(cell.client)!;
    return plannedRepetition(plan, cell, facts, this.#of(cell).length + 1, order);
  }

  /** Cells that get a repetition in the next round: those not settled, and beside any of a rate the one they are compared with. */
  #open(): Planned[] {
    const open = this.#input.cells.filter(
      (cell) => !cell.isAgainst && !this.#settled.has(cell) && !this.#refused.has(cell.client),
    );
    return this.#input.cells.filter((cell) =>
      cell.isAgainst
        ? !this.#refused.has(cell.client) && open.some(({ rate_rps }) => rate_rps === cell.rate_rps)
        : open.includes(cell),
    );
  }

  async #measureFloor(context: TrialContext): Promise<boolean> {
    const { plan, floorAdapter, onEvent, tolerance, cells } = this.#input;
    if (tolerance.bias.length === 0) return true;
    const like = this.#planned(cells[0]!, 0).workload;
    const measure = this.#input.measureFloor ?? measureFloor;
    this.#floor = (await measure({ ...context, plan }, floorAdapter, like, onEvent, QUICK_FLOOR)).floor;
    return this.#floor !== null;
  }

  /**
   * Seconds that a repetition may take, with all around it: what is left, and no more than twice its estimate, or less where otherwise two that hang, which
   * fail, would not fit for each client and rate that is open.
   */
  #mostS(planned: PlannedTrial): number {
    const leftS = this.#leftS();
    const toComeS = this.#open().reduce((sum, cell) => {
      const hung = this.#of(cell).filter(({ outcome }) => outcome.kind === 'timedOut').length;
      return sum + Math.max(0, FAILURES - hung) * this.#planned(cell, 0).estimatedS;
    }, 0);
    const patience = Math.min(2, leftS / Math.max(toComeS, planned.estimatedS));
    return Math.min(leftS, Math.max(patience * planned.estimatedS, LEAST_PATIENCE * this.#lengthS(planned)));
  }

  /** One repetition; why it is none where it was cut short. */
  async #repeat(planned: PlannedTrial, context: TrialContext): Promise<'done' | 'interrupted' | 'budget'> {
    const { adapters, clients, host, plan, onEvent, signal, nowS } = this.#input;
    const adapter = adapters.get(planned.client)!;
    const entry = clients.find(({ name }) => name === planned.client)!;
    onEvent({ kind: 'trialStart', trial: planned, leftS: this.#leftS() });
    const fromS = nowS();
    const mostS = this.#mostS(planned);
    // The client's own deadline: what starting and ending the target take is not its time.
    const ownS = Math.min(deadlineS(planned, adapter), Math.max(1, mostS - TRIAL_OVERHEAD_S));
    let trial: Trial;
    try {
      const run = this.#input.runTrial ?? runTrial;
      trial = await run(planned, adapter, entry.found as Found, { ...context, deadlineS: ownS });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#refused.set(planned.client, error.message);
      return 'done';
    }
    if (signal.aborted && trial.outcome.kind === 'incomplete') return 'interrupted';
    // Ended by the budget and not by a time of its own: that is no verdict on it.
    if (trial.outcome.kind === 'timedOut' && mostS < LEAST_PATIENCE * planned.estimatedS) return 'budget';
    const key = `${planned.client}\0${planned.rateRps}`;
    // One that hung took what it was given: that is not how long one takes.
    if (trial.outcome.kind !== 'timedOut')
      this.#tookS.set(key, [...(this.#tookS.get(key) ?? []), nowS() - fromS]);
    this.#trials.push(trial);
    const cores = plan.client_cpus?.length ?? host.allowed_cpus.length;
    onEvent({ kind: 'trialEnd', trial, leftOut: leftOut(trial, cores), leftS: this.#leftS() });
    return 'done';
  }

  #judge(cell: Planned): GateCheck[] {
    return checksOf(cell, this.#trials, this.#input, ruleOf(this.#input, this.#floor));
  }

  #settle(): void {
    for (const cell of this.#input.cells) {
      if (cell.isAgainst || this.#settled.has(cell)) continue;
      if (!isSettled(this.#judge(cell), this.#input.tolerance.bias.length > 0)) continue;
      this.#settled.add(cell);
      this.#input.onEvent({ kind: 'settled', client: cell.client, rate_rps: cell.rate_rps });
    }
  }

  async #rounds(context: TrialContext): Promise<GateRun['end']> {
    const { plan, signal } = this.#input;
    for (let round = 0; ; round++) {
      const open = this.#open();
      if (open.length === 0) return 'settled';
      const names = new Map(open.map((cell) => [cellName(cell.client, cell.rate_rps), cell]));
      const order = shuffled([...names.keys()], plan.seed, round).map((name) => names.get(name)!);
      // A round is whole or not at all: who is compared must have met the same.
      const roundS = order.reduce((sum, cell) => sum + this.#lengthS(this.#planned(cell, 0)), 0);
      if (roundS > this.#leftS()) return 'budget';
      for (const cell of order) {
        if (signal.aborted) return 'interrupted';
        if (this.#refused.has(cell.client)) continue;
        const ended = await this.#repeat(this.#planned(cell, this.#trials.length), context);
        if (ended !== 'done') return ended;
      }
      this.#settle();
      if (signal.aborted) return this.#open().length === 0 ? 'settled' : 'interrupted';
    }
  }

  async run(): Promise<GateRun> {
    const { launcher, folder, plan, signal } = this.#input;
    const context: TrialContext = { launcher, folder, plan, target: targetSource(plan.target), signal };
    const hasFloor = await this.#measureFloor(context);
    const end = signal.aborted ? 'interrupted' : hasFloor ? await this.#rounds(context) : 'noFloor';
    return {
      floor: this.#floor,
      trials: this.#trials,
      // Without a floor nothing ran, and there is nothing to say of anyone.
      checks: hasFloor
        ? this.#input.cells.filter(({ isAgainst }) => !isAgainst).flatMap((cell) => this.#judge(cell))
        : [],
      end,
      elapsedS: this.#input.nowS() - this.#beganS,
      refused: this.#refused,
    };
  }
}

/** Runs it. @throws UserError where the folder cannot be written. */
export const runGate = (input: GateInput): Promise<GateRun> => new Gate(input).run();
