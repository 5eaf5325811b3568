/** One client of an audit: its curve, the models fitted to it, and what they say at each rate. Pure. */
import type { CurvePoint, FittedModel, ModelKind, QueueFit } from '../../measure/queue/types.ts';
import type { AuditDocument, ClientEntry } from '../document.ts';
import { FEWEST_RATES, type Refusal, refusalOf, risesAboveFloor } from './applies.ts';
import type { ClientModel, Growth, ModelOfKind, ModelRate } from './document.ts';
import { type Grain, grainOf } from './grain.ts';
import { growthOf } from './growth.ts';
import { loopsOf, threadsSpin } from './loops.ts';
import { inPieces, parametersPerRequest, times } from './per-request.ts';
import { curveOf, type RatePoint, type RateTrials, ratesWithFigures } from './points.ts';
import type { QueueTools } from './tools.ts';

export interface FitChoice {
  /** Rates as asked that are left out of the fit; null: each in turn. */
  readonly holdOut: readonly number[] | null;
  readonly seed: number;
  readonly tools: QueueTools;
}

/** What a client's model rests on, for those who go on computing with it. */
export interface FittedClient {
  readonly model: ClientModel;
  /** null where none was chosen. */
  readonly chosen: FittedModel | null;
  /** The whole fit, in pieces; null where nothing was fitted. */
  readonly fit: QueueFit | null;
  /** Pieces that queue, a request: 1, or its tokens where they come one by one. */
  readonly pieces: number;
  readonly curve: readonly RatePoint[];
  readonly loops: number;
}

/** CPU time is no cost where its threads turn while they wait. */
const SPINNING =
  'Its threads turn while they wait for the next instant: their CPU time is no cost of requests, so the service rate by CPU is not given.';

const versionOf = ({ found }: ClientEntry): string | null => (found.state === 'found' ? found.version : null);

/** A rate with what the model says of it; what the model says is filled in where there is one. */
function rateOf({ askedRps, trials, point }: RatePoint, heldOut: boolean, loops: number): ModelRate {
  const { rateRps, ttftBias, e2eBias, cpuMsPerRequest } = point;
  return {
    asked_rps: askedRps,
    arrived_rps: rateRps,
    trials,
    requests: point.requests,
    duration_s: point.durationS,
    output_tokens: point.tokens,
    saturated: point.saturated,
    held_out: heldOut,
    gap_cv2: point.gapCv2,
    ttft_bias_ms: ttftBias?.mean ?? null,
    ttft_bias_se_ms: ttftBias?.se ?? null,
    e2e_bias_ms: e2eBias?.mean ?? null,
    e2e_bias_se_ms: e2eBias?.se ?? null,
    cpu_ms_per_request: cpuMsPerRequest,
    rho: null,
    rho_by_cpu: cpuMsPerRequest === null ? null : (cpuMsPerRequest * rateRps) / loops / 1000,
    growth: null,
  };
}

const blank = (document: AuditDocument, entry: ClientEntry) => ({
  client: entry.name,
  client_version: versionOf(entry),
  chosen: null,
  grain: null,
  grain_words: null,
  loops: null,
  loops_how: null,
  t0: entry.facts.definitions.t0,
  models: [],
  // What was measured stands there in any case, as of one loop.
  rates: curveOf(document, entry.name, ratesWithFigures(document, entry.name, true), {
    loops: 1,
    cpu: false,
  }).map((one) => rateOf(one, false, 1)),
  capacity_rps: null,
  cpu_mu_low_rate_rps: null,
  cpu_mu_high_rate_rps: null,
  agreement: null,
});

function refused(
  document: AuditDocument,
  entry: ClientEntry,
  {
    code,
    why,
    notes = [],
    rates,
  }: Refusal & { readonly notes?: readonly string[]; readonly rates?: readonly ModelRate[] },
): FittedClient {
  const model: ClientModel = {
    ...blank(document, entry),
    ...(rates === undefined ? {} : { rates }),
    state: 'refused',
    refusal: code,
    why,
    notes,
  };
  return { model, chosen: null, fit: null, pieces: 1, curve: [], loops: 1 };
}

/** λ beyond which the delay grows: of the model, or of what came through. */
function growthAt({ askedRps, dueS, point }: RatePoint, capacityRps: number | null): Growth | null {
  const measured = point.ttftBias?.mean ?? point.e2eBias?.mean ?? null;
  const byModel = capacityRps === null ? null : growthOf(askedRps, capacityRps, dueS, 'model', measured);
  if (byModel !== null || !point.saturated) return byModel;
  // The target saw all that the client could send, and no more.
  return growthOf(askedRps, point.rateRps, dueS, 'arrivals', measured);
}

/** Rates that saturated where the model has room. */
function contradictions(rates: readonly ModelRate[], capacityRps: number | null): string[] {
  if (capacityRps === null) return [];
  return rates.flatMap(({ asked_rps: asked, arrived_rps: arrived, saturated, rho }) =>
    saturated && asked <= capacityRps
      ? [
          `the model is contradicted: the client saturated at ${asked}/s (${arrived.toPrecision(3)}/s arrived), where the model has ρ ${(rho ?? asked / capacityRps).toFixed(2)}`,
        ]
      : [],
  );
}

function ofKind(fitted: FittedModel, pieces: number, curve: readonly RatePoint[]): ModelOfKind {
  const asked = (rateRps: number): number =>
    curve.reduce((best, one) =>
      Math.abs(one.point.rateRps * pieces - rateRps) < Math.abs(best.point.rateRps * pieces - rateRps)
        ? one
        : best,
    ).askedRps;
  return {
    kind: fitted.kind,
    parameters: parametersPerRequest(fitted, pieces),
    held_out_error: fitted.heldOutError,
    residuals: fitted.residuals.map((one) => ({
      asked_rps: asked(one.rateRps),
      figure: one.figure,
      held_out: one.heldOut,
      measured_ms: one.measuredMs,
      measured_se_ms: one.se,
      predicted_ms: one.predictedMs,
    })),
  };
}

const isUsable = ({ saturated, ttftBias, e2eBias }: CurvePoint): boolean =>
  !saturated && (ttftBias !== null || e2eBias !== null);

const DISTURBED =
  'The machine disturbed so many trials that no curve is left without them: this is the queue of a client that was kept from its core, and holds for no quieter machine.';

/** Trials that the machine did not disturb, where they make a curve; else all of them, and that is said. */
function chosenTrials(
  document: AuditDocument,
  client: string,
): { readonly rates: readonly RateTrials[]; readonly notes: readonly string[]; readonly disturbed: number } {
  const quiet = ratesWithFigures(document, client, false);
  const all = ratesWithFigures(document, client, true);
  const steady = (rates: readonly RateTrials[]) => rates.filter(({ saturated }) => !saturated).length;
  const notesOf = (rates: readonly RateTrials[]) => rates.flatMap(({ leftOut }) => leftOut);
  if (steady(quiet) < FEWEST_RATES && steady(all) >= FEWEST_RATES)
    return { rates: all, notes: [DISTURBED, ...notesOf(all)], disturbed: 0 };
  const gone = all.filter(({ askedRps }) => !quiet.some((one) => one.askedRps === askedRps));
  const without = gone.map(
    ({ askedRps }) => `${askedRps}/s is left out: the machine disturbed every trial there.`,
  );
  return { rates: quiet, notes: [...notesOf(quiet), ...without], disturbed: gone.length };
}

const perRequest = (muRps: number | null, pieces: number): number | null =>
  muRps === null ? null : muRps / pieces;

/** A model that is farther off than this at rates it has not seen tells nothing, even if the trials are too unlike one another to refute it. */
const TOO_FAR = 0.5;

/** The chosen model, or why there is none after all. */
function choiceOf(fit: QueueFit): {
  readonly chosen: FittedModel | null;
  readonly kind: ModelKind | null;
  readonly why: string;
} {
  const chosen = fit.models.find(({ kind }) => kind === fit.chosen) ?? null;
  const error = chosen?.heldOutError ?? null;
  if (chosen !== null && error !== null && error > TOO_FAR)
    return {
      chosen: null,
      kind: null,
      why: `its trials differ too much to tell: ${Math.round(100 * error)} % off at rates that were not fitted, which their own spread explains. Audit it on a quiet machine, longer and with more repetitions`,
    };
  return { chosen, kind: fit.chosen, why: fit.why };
}

function grainNotes(grain: Grain): string[] {
  return grain === 'request'
    ? []
    : [
        'Tokens come one by one, so the curve is fitted token by token: the wait is that of one token in the line of all, and a request costs all its tokens. With few streams at a time waits are shorter than that.',
      ];
}

/** `disturbed`: rates that are left out since the machine disturbed every trial there. */
function fewerWords(usable: number, disturbed: number): string {
  const has = `too few steady rates: it has ${usable} ${usable === 1 ? 'rate' : 'rates'} below saturation with a mean TTFT or E2E, and a model needs ${FEWEST_RATES}, one of which is predicted from the others`;
  return disturbed === 0
    ? `${has}: audit it at more rates`
    : `${has}; at ${disturbed} more the machine disturbed every trial: audit it again where nothing else runs`;
}

/** Of the rates to hold out those that the client has: what was not fitted at any rate cannot be held out. */
function heldOutOf(
  asked: readonly number[],
  usable: readonly RatePoint[],
): { readonly heldOut: readonly number[]; readonly notes: readonly string[] } {
  const heldOut = asked.filter((rate) => usable.some(({ askedRps }) => askedRps === rate));
  const none = asked.filter((rate) => !heldOut.includes(rate));
  return {
    heldOut,
    notes: none.map(
      (rate) => `${rate}/s is not held out: it has no steady rate with figures there, so it was never fitted`,
    ),
  };
}

/** Words of a fit that was made token by token: its rates and costs are of tokens. */
const inGrain = (words: string, grain: Grain): string =>
  grain === 'request' ? words : `in tokens: ${words.replaceAll('a request', 'a token')}`;

/** Fits a client. */
export function fitClient(document: AuditDocument, entry: ClientEntry, choice: FitChoice): FittedClient {
  const refusal = refusalOf(document, entry);
  if (refusal !== null) return refused(document, entry, refusal);
  const grain = grainOf(document.plan.latency, document.plan.output_tokens);
  if (grain.grain === null) return refused(document, entry, { code: 'token-gaps', why: grain.why });
  const { rates, notes: chosenNotes, disturbed } = chosenTrials(document, entry.name);
  const steady = rates.filter(({ saturated }) => !saturated).flatMap(({ trials }) => trials);
  const found = loopsOf(
    rates.flatMap(({ trials }) => trials),
    entry.facts,
  );
  if (found.loops === null) return refused(document, entry, { code: 'thread-pool', why: found.why });
  const { loops } = found;
  const isSpinning = threadsSpin(steady, loops);
  const curve = curveOf(document, entry.name, rates, { loops, cpu: !isSpinning });
  const usable = curve.filter(({ point }) => isUsable(point));
  if (usable.length < FEWEST_RATES)
    return refused(document, entry, {
      code: 'fewer-rates',
      notes: chosenNotes,
      // How a delay grows beyond what came through needs no model.
      rates: curve.map((one) => ({ ...rateOf(one, false, loops), growth: growthAt(one, null) })),
      why: fewerWords(usable.length, disturbed),
    });
  if (
    !risesAboveFloor(
      document,
      usable.map(({ point }) => point),
    )
  )
    return refused(document, entry, {
      code: 'within-floor',
      notes: chosenNotes,
      why: 'what it adds rises with the rate by less than the floor of this machine, so no queue can be told from none: audit it at higher rates',
    });
  const pieces =
    grain.grain === 'request' ? 1 : curve.reduce((sum, { point }) => sum + point.tokens, 0) / curve.length;
  const { heldOut, notes: heldOutNotes } = heldOutOf(choice.holdOut ?? [], usable);
  const isHeldOut = (askedRps: number): boolean => heldOut.includes(askedRps);
  // What comes to its queue is the process that it was asked for; what the target saw of it is clumped where the loop was late.
  const points = curve.map(({ point }) => ({ ...inPieces(point, pieces), gapCv2: null }));
  const holdOut = curve.flatMap((one, i) => (isHeldOut(one.askedRps) ? [points[i]!.rateRps] : []));
  const fit = choice.tools.fit(points, {
    loops,
    seed: choice.seed,
    ...(holdOut.length > 0 ? { holdOut } : {}),
  });
  if (fit.models.length === 0)
    return refused(document, entry, { code: 'fewer-rates', notes: chosenNotes, why: fit.why });
  const { chosen, kind: chosenKind, why } = choiceOf(fit);
  const models = fit.models.map((one) => ofKind(one, pieces, curve));
  const capacity = models.find(({ kind }) => kind === chosenKind)?.parameters.capacity_rps.value ?? null;
  const modelled = curve.map(
    (one, i): ModelRate => ({
      ...rateOf(one, isHeldOut(one.askedRps), loops),
      rho:
        chosen === null
          ? null
          : // What it was asked for is what came to its queue, whatever got through to the target.
            choice.tools.predict(chosen, one.point.saturated ? one.askedRps * pieces : points[i]!.rateRps)
              .rho,
      growth: growthAt(one, capacity),
    }),
  );
  const model: ClientModel = {
    ...blank(document, entry),
    state: chosen === null ? 'unexplained' : 'fitted',
    refusal: null,
    chosen: chosenKind,
    why,
    grain: grain.grain,
    grain_words: grain.words,
    loops,
    loops_how: found.how,
    models,
    rates: modelled,
    capacity_rps: chosen === null || fit.capacityRps === null ? null : times(fit.capacityRps, 1 / pieces),
    cpu_mu_low_rate_rps: perRequest(fit.cpuMuRps.atLowRate, pieces),
    cpu_mu_high_rate_rps: perRequest(fit.cpuMuRps.atHighRate, pieces),
    agreement:
      fit.agreement === null ? null : { ...fit.agreement, words: inGrain(fit.agreement.words, grain.grain) },
    notes: [
      ...contradictions(modelled, capacity),
      ...heldOutNotes,
      ...chosenNotes,
      ...found.notes,
      ...(isSpinning ? [SPINNING] : []),
      ...grainNotes(grain.grain),
      ...fit.notes.map((note) => inGrain(note, grain.grain)),
    ],
  };
  return { model, chosen, fit: { ...fit, chosen: chosenKind, why }, pieces, curve, loops };
}
