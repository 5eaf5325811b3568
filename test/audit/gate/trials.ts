/** Repetitions with figures that are given, as `runTrial` would leave them, and a gate whose trials are such. */
import type { Adapter } from '../../../adapters/contract.ts';
import type { Floor, Outcome, Trial } from '../../../src/audit/document.ts';
import { cellsOf } from '../../../src/audit/gate/plan.ts';
import type { GateInput } from '../../../src/audit/gate/run.ts';
import type { PlannedTrial } from '../../../src/audit/plan.ts';
import type { ResultsFolder } from '../../../src/audit/results.ts';
import { parseTolerance } from '../../../src/measure/envelope/tolerance.ts';
import { METRICS, STATISTICS } from '../../../src/measure/metrics.ts';
import type { Launcher } from '../../../src/system/launcher.ts';
import { sampleDocument } from '../../reports/sample.ts';

/** What a repetition shows. */
export interface Shown {
  /** Bias by figure, ms; those not named are 0. */
  readonly bias?: Readonly<Record<string, number>>;
  /** Share of the rate that arrived. */
  readonly share?: number;
  readonly outcome?: Outcome;
  readonly steal?: number;
  readonly coreWait?: number;
  /** CPU that the target itself used, share of a core. */
  readonly targetCpu?: number;
  readonly without?: readonly string[];
  readonly failed?: number;
  readonly elapsed_s?: number;
  /** It gave no figures, and its ledger has this share of the rate all the same. */
  readonly keepsTruth?: number;
  /** All figures that the client printed, ms. */
  readonly printed?: readonly number[];
}

const known = new Map<string, Trial>();

function base(client: string): Trial {
  const model = client === 'k6' ? 'k6' : 'tare-multi';
  const trial =
    known.get(model) ?? sampleDocument({ clients: [model], rates: [200], repetitions: 1 }).trials[0]!;
  known.set(model, trial);
  return trial;
}

/** A trial of what was planned. */
export function shownTrial(planned: PlannedTrial, shown: Shown = {}): Trial {
  const trial = base(planned.client);
  const { workload } = planned;
  const share = shown.share ?? shown.keepsTruth ?? 1;
  const outcome =
    shown.outcome ?? (share < 0.98 ? { kind: 'saturated', reason: 'it sent less' } : { kind: 'measured' });
  const hasFigures = outcome.kind === 'measured' || outcome.kind === 'saturated';
  const requests = Math.round(workload.requests * Math.min(1, share));
  const failed = shown.failed ?? 0;
  const truth = trial.truth!;
  return {
    ...trial,
    id: planned.id,
    client: planned.client,
    repetition: planned.repetition,
    order: planned.order,
    workload,
    elapsed_s: shown.elapsed_s ?? planned.estimatedS,
    outcome,
    truth:
      hasFigures || shown.keepsTruth !== undefined
        ? {
            ...truth,
            requests,
            arrival_rps: workload.rateRps * share,
            completion_rps: workload.rateRps * share,
            rate_fidelity: share,
            outcomes: { complete: requests },
            target: {
              ...truth.target,
              ...(shown.targetCpu === undefined
                ? {}
                : { pacing: 'block', cpuNs: shown.targetCpu * truth.target.windowNs }),
            },
          }
        : null,
    reported: hasFigures
      ? {
          ...trial.reported!,
          completed: requests - failed,
          failed,
          ...(shown.printed === undefined
            ? {}
            : {
                metrics: {
                  ...trial.reported!.metrics,
                  ...Object.fromEntries(
                    METRICS.map((metric) => [
                      metric,
                      Object.fromEntries(shown.printed!.map((ms, i) => [`p${i}_ms`, ms])),
                    ]),
                  ),
                } as NonNullable<Trial['reported']>['metrics'],
              }),
        }
      : null,
    observed: {
      ...trial.observed!,
      steal_share: shown.steal ?? 0,
      core_wait_share: shown.coreWait ?? 0,
    },
    bias: hasFigures
      ? METRICS.flatMap((metric) =>
          STATISTICS.map((statistic) => {
            const name = `${metric}_${statistic}`;
            const row = trial.bias.find((one) => one.metric === metric && one.statistic === statistic)!;
            const queueing =
              shown.without?.includes(name) === true || row.queueing_bias_ms === null
                ? null
                : (shown.bias?.[name] ?? 0);
            return { ...row, queueing_bias_ms: queueing };
          }),
        )
      : [],
  };
}

/** The same floor for every figure, ms. */
export const floorAt = (ms: number): Floor => ({
  how: 'given',
  rate_rps: 200,
  requests: 1600,
  clock_resolution_ns: 1,
  floor_ms: Object.fromEntries(
    METRICS.map((metric) => [metric, Object.fromEntries(STATISTICS.map((name) => [name, ms]))]),
  ) as Floor['floor_ms'],
});

export interface Scripted {
  readonly clients?: readonly string[];
  readonly rates?: readonly number[];
  readonly tolerance?: string;
  readonly against?: string;
  readonly budgetS?: number;
  readonly floorMs?: number | null;
  /** What the n-th repetition (from 1) of a client at a rate shows. */
  readonly script?: (client: string, nth: number, rate: number) => Shown;
  readonly change?: Partial<GateInput>;
}

/** A gate of scripted repetitions; `clock.s` goes on by what they take, `ran` says in which order. */
export function scriptedGate(of: Scripted = {}, clock = { s: 0 }, ran: string[] = []): GateInput {
  const clients = of.clients ?? ['tare-multi'];
  const rates = of.rates ?? [200];
  const { against = null } = of;
  const everyone = [...clients, ...(against === null ? [] : [against])];
  const sample = sampleDocument({
    clients: everyone.map((name) => (name === 'k6' ? name : 'tare-multi')),
    rates: [],
  });
  const entries = everyone.map((name) => ({
    ...(sample.clients.find((entry) => entry.name === name) ?? sample.clients[0]!),
    name,
  }));
  const script = of.script ?? (() => ({}));
  return {
    plan: {
      ...sample.plan,
      clients: everyone,
      rates_rps: rates,
      arrivals: 'constant',
      arrivals_otherwise: {},
      duration_s: 4,
      client_cpus: [1],
    },
    host: sample.host,
    clients: entries,
    cells: cellsOf(clients, rates, against),
    adapters: new Map(entries.map(({ name, title, facts }) => [name, { name, title, facts } as Adapter])),
    floorAdapter: {} as Adapter,
    folder: {} as ResultsFolder,
    launcher: {} as Launcher,
    signal: new AbortController().signal,
    budgetS: of.budgetS ?? 57,
    warnings: [],
    tolerance: parseTolerance(of.tolerance ?? 'rate=2%,ttft_p50=1ms,ttft_p99=5ms'),
    explicit: of.tolerance !== undefined,
    allow: { rate: 0.02, bias: [] },
    baseline: null,
    baselineOptional: false,
    against,
    onEvent() {},
    nowS: () => clock.s,
    measureFloor: async () => {
      clock.s += 20;
      return {
        floor: of.floorMs === null ? null : floorAt(of.floorMs ?? 0.3),
        machine: null,
      };
    },
    ...of.change,
    runTrial: async (planned, ...rest) => {
      ran.push(`${planned.client}@${planned.rateRps}#${planned.repetition}`);
      if (of.change?.runTrial !== undefined) return of.change.runTrial(planned, ...rest);
      const trial = shownTrial(planned, script(planned.client, planned.repetition, planned.rateRps));
      clock.s += trial.elapsed_s;
      return trial;
    },
  };
}

/** Values that scatter around one like those of repetitions: fixed, with a standard deviation of about `spread`. */
export const scattered = (around: number, spread: number, nth: number): number =>
  around + spread * [0.3, -1.2, 0.9, 1.1, -0.8, -0.2, 0.5, -1, 1.3, -0.6][(nth - 1) % 10]!;
