/**
 * From figures that a client reported to what the server's own may have been, by the model of that client in an audit. What the mathematics may
 * say is in src/measure/queue/correct.ts; here stands whether the audit speaks of that run at all. Pure.
 */
import { correct } from '../../measure/queue/correct.ts';
import type { Tail } from '../../measure/queue/correct-types.ts';
import { predictInterval } from '../../measure/queue/predict.ts';
import { hostKey } from '../../system/profile-store.ts';
import type { AuditDocument, ClientEntry } from '../document.ts';
import { type FittedClient, fitClient } from './client-model.ts';
import { CORRECT_SCHEMA, type CorrectDocument, type CorrectedFigure } from './correct-document.ts';
import type { NamedFigure } from './figure-name.ts';
import { type QueueTools, queueTools } from './tools.ts';

export interface CorrectRequest {
  readonly entry: ClientEntry;
  /** Of the run, all loops together. */
  readonly rateRps: number;
  readonly figures: readonly NamedFigure[];
  /** Output tokens of a request of the run; null: as in the audit. */
  readonly tokens: number | null;
  /** Requests of the run; null: not known. */
  readonly requests: number | null;
  /** Version of the client that the figures are of; null: not stated. */
  readonly clientVersion: string | null;
  readonly tail: Tail;
  readonly seed: number;
  /** The machine that the command runs on, as `hostKey` names it; null: not known. */
  readonly here: string | null;
  readonly version: string;
  readonly tools?: QueueTools;
}

/** Requests with so many tokens more or less cost as much, in part. */
const SAME_TOKENS = 0.05;

/** Why the audit does not speak of the run; null where it does. */
function otherRun(document: AuditDocument, request: CorrectRequest, fitted: FittedClient): string | null {
  const { entry, clientVersion, tokens } = request;
  const audited = entry.found.state === 'found' ? entry.found.version : null;
  if (clientVersion !== null && clientVersion !== audited)
    return `the figures are of ${entry.name} ${clientVersion}, and the audit is of ${audited ?? 'no stated version'}: another version costs another time. Audit that version`;
  const { output_tokens: own } = document.plan;
  const isOther = tokens !== null && Math.abs(tokens / own - 1) > SAME_TOKENS;
  if (isOther && fitted.model.grain !== 'token')
    return `the run had ${tokens} output tokens a request and the audit ${own}: what a request costs is only known for those. Audit the client with --tokens ${tokens}`;
  return null;
}

const refused = (one: NamedFigure, reason: string): CorrectedFigure => ({
  figure: one.name,
  reported_ms: one.valueMs,
  state: 'refused',
  reason,
  method: null,
  low_ms: null,
  high_ms: null,
  client_mean_low_ms: null,
  client_mean_high_ms: null,
  higher: null,
  assumptions: [],
});

/** Quantiles of the same metric, that bound one another. */
const othersOf = (one: NamedFigure, all: readonly NamedFigure[]) =>
  all.flatMap((other) =>
    other === one || other.metric !== one.metric || other.statistic === 'mean'
      ? []
      : [{ quantile: other.statistic.quantile, valueMs: other.valueMs }],
  );

function corrected(
  one: NamedFigure,
  request: CorrectRequest,
  { fit, model }: FittedClient,
  tokens: number,
  pieces: number,
): CorrectedFigure {
  if (fit === null) return refused(one, `no model of ${model.client}: ${model.why}`);
  const result = correct(
    {
      metric: one.metric,
      statistic: one.statistic,
      valueMs: one.valueMs,
      tokens,
      requests: request.requests === null ? null : request.requests * pieces,
      others: othersOf(one, request.figures),
    },
    fit,
    request.rateRps * pieces,
    request.tail,
  );
  if (result.state === 'refused')
    return refused(
      one,
      pieces === 1 ? result.reason : `${result.reason} (rates of tokens: ${pieces} a request)`,
    );
  return {
    figure: one.name,
    reported_ms: one.valueMs,
    state: 'interval',
    reason: null,
    method: result.method,
    low_ms: result.lowMs,
    high_ms: result.highMs,
    client_mean_low_ms: result.biasMs.low,
    client_mean_high_ms: result.biasMs.high,
    higher:
      result.higher === null
        ? null
        : { quantile: result.higher.quantile, at_least_ms: result.higher.atLeastMs },
    assumptions: [...result.assumptions],
  };
}

/** What is said of a model that is not reckoned with limits nothing. */
const isOfChosen = (note: string, { fit }: FittedClient): boolean =>
  fit === null ||
  fit.tie ||
  !/^(in tokens: )?(M\/G\/1|gated loop):/.test(note) ||
  note.includes(fit.chosen === 'mg1' ? 'M/G/1:' : 'gated loop:');

/** What the answer holds for. What is not stated of the run is taken to be as in the audit, and that is said. */
function limitsOf(document: AuditDocument, request: CorrectRequest, fitted: FittedClient): string[] {
  const { plan, host } = document;
  const { entry, here } = request;
  const machine = hostKey(host);
  const version = entry.found.state === 'found' ? entry.found.version : 'of no stated version';
  const untold = [
    ...(request.clientVersion === null ? ['the client’s version'] : []),
    ...(request.tokens === null ? ['the output tokens'] : []),
  ];
  return [
    `It holds for ${entry.name} ${version} on ${machine}, with ${plan.client_cpus === null ? 'all cores' : `cores ${plan.client_cpus.join(',')}`} for the client; prompts of ${plan.prompt_tokens} words${fitted.model.grain === 'token' ? '' : `, ${plan.output_tokens} output tokens`}, ${plan.arrivals} arrivals.`,
    ...(here !== null && here !== machine
      ? [
          `This machine is another one (${here}): figures that were measured here are not those of the audit’s machine.`,
        ]
      : []),
    ...(untold.length === 0 ? [] : [`Not stated, and taken to be as in the audit: ${untold.join(' and ')}.`]),
    fitted.model.grain === 'token'
      ? 'The audit’s target gave its tokens apart; a server that gives several at a time makes another queue.'
      : 'The audit’s target gave the tokens of an answer together; tokens that come one by one queue one by one, and wait less: audit with --latency as the server’s for those.',
    ...fitted.model.notes.filter((note) => isOfChosen(note, fitted)),
  ];
}

/** The document of a correction. */
export function correctFigures(document: AuditDocument, request: CorrectRequest): CorrectDocument {
  const { plan, host } = document;
  const fitted = fitClient(document, request.entry, {
    holdOut: null,
    seed: request.seed,
    tools: request.tools ?? queueTools,
  });
  const tokens = request.tokens ?? plan.output_tokens;
  const pieces = fitted.model.grain === 'token' ? tokens : 1;
  const reason = otherRun(document, request, fitted);
  const { chosen } = fitted;
  return {
    schema: CORRECT_SCHEMA,
    tare_version: request.version,
    client: request.entry.name,
    client_version: fitted.model.client_version,
    rate_rps: request.rateRps,
    output_tokens: tokens,
    requests: request.requests,
    tail: request.tail,
    model:
      chosen === null
        ? null
        : {
            kind: chosen.kind,
            rho: { ...predictInterval(chosen, request.rateRps * pieces).rho },
            fitted_low_rps: chosen.fittedRps.low / fitted.pieces,
            fitted_high_rps: chosen.fittedRps.high / fitted.pieces,
            held_out_error: chosen.heldOutError,
          },
    audit: {
      started_at: document.started_at,
      host: hostKey(host),
      latency: plan.latency,
      output_tokens: plan.output_tokens,
      prompt_tokens: plan.prompt_tokens,
    },
    figures: request.figures.map((one) =>
      reason === null ? corrected(one, request, fitted, tokens, pieces) : refused(one, reason),
    ),
    limits: limitsOf(document, request, fitted),
  };
}
