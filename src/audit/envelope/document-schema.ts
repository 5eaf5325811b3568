/**
 * The shape of envelope.json for checking what is read from disk, and the source of the JSON Schema that is published with the package.
 * Unknown fields are kept: a later version of the same schema may add some.
 */
import { z } from 'zod';
import { BRACKET_STATES, LIMITS } from '../../measure/envelope/bracket.ts';
import { GROUNDS } from '../../measure/envelope/judge.ts';
import { PURPOSES } from '../../measure/envelope/tally.ts';
import { METRICS, STATISTICS } from '../../measure/metrics.ts';
import { auditDocumentSchema, host } from '../document-schema.ts';
import { ENVELOPE_SCHEMA, type EnvelopeDocument } from './document.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();
const termVerdict = z.enum(['holds', 'fails', 'undetermined']);

const rateTerm = z.looseObject({
  name: z.literal('rate'),
  verdict: termVerdict,
  of: z.enum(['requests', 'arrivals', 'completions', 'successes']),
  share: z.number(),
  achieved_rps: figure,
  allowed_share: z.number(),
  reason: text,
});
const biasTerm = z.looseObject({
  name: text,
  verdict: termVerdict,
  bias_ms: figure,
  low_ms: figure,
  high_ms: figure,
  allowed_ms: z.number(),
  floor_ms: figure,
  by: z.enum(GROUNDS),
  reason: text,
});

const trial = z
  .looseObject({
    id: text,
    client: text,
    rate_rps: z.number(),
    order: whole,
    purpose: z.enum(PURPOSES),
    verdict: z.enum(['holds', 'fails', 'undetermined', 'target']),
    reason: text,
    outcome: text,
    duration_s: z.number(),
    elapsed_s: z.number(),
    started_at: text,
    requests: whole.nullable(),
    arrival_rps: figure,
    terms: z.array(z.union([rateTerm, biasTerm])),
    not_given: z.array(text),
    busiest_thread_share: figure,
    target_cpu_share: figure,
    target_lateness_p50_ms: figure,
    target_lateness_p99_ms: figure,
    disturbed: text.nullable(),
  })
  .meta({ id: 'EnvelopeTrial' });

const side = z
  .looseObject({
    rate_rps: z.number(),
    trials: whole,
    holds: whole,
    fails: whole,
    target: whole,
    undetermined: whole,
    confidence: z.number(),
  })
  .meta({ id: 'BracketSide' });

const bracket = z
  .looseObject({
    state: z.enum(BRACKET_STATES),
    limit: z.enum(LIMITS),
    holds: side.nullable(),
    fails: side.nullable(),
    target_rps: figure,
    confidence: figure,
    // Not in documents of Tare 0.1.
    likely: z
      .looseObject({ low_rps: figure, high_rps: figure, confidence: z.number() })
      .nullable()
      .optional(),
    not_monotone: z.looseObject({ fails_rps: z.number(), holds_rps: z.number() }).nullable(),
    unclear_rps: z.array(z.number()),
  })
  .meta({ id: 'Bracket' });

const sideFigures = z
  .looseObject({
    rate_rps: z.number(),
    trials: z.array(text),
    fidelity: figure,
    fidelity_low: figure,
    fidelity_high: figure,
    terms: z.array(
      z.looseObject({
        name: text,
        trials: whole,
        bias_ms: figure,
        low_ms: figure,
        high_ms: figure,
        interval: z.enum(['between trials', 'hull of trials', 'none']),
        allowed_ms: z.number(),
        floor_ms: figure,
      }),
    ),
  })
  .meta({ id: 'SideFigures' });

const client = z
  .looseObject({
    name: text,
    title: text,
    found: z.discriminatedUnion('state', [
      z.looseObject({ state: z.literal('found'), version: text, path: text, origin: text }),
      z.looseObject({ state: z.literal('missing'), reason: text, remedy: text }),
    ]),
    state: z.enum(['searched', 'notMeasured', 'notRun']),
    reason: text,
    bracket: bracket.nullable(),
    at_holds: sideFigures.nullable(),
    at_fails: sideFigures.nullable(),
    failed_first: z.looseObject({ name: text, words: text, trials: whole, of: whole }).nullable(),
    why: z
      .looseObject({
        cause: text,
        sentence: text,
        busiest_thread: text.nullable(),
        busiest_thread_share: figure,
        cpu_share: figure,
        core_wait_share: figure,
      })
      .nullable(),
    not_given: z.array(text),
    trials: whole,
    elapsed_s: z.number(),
  })
  .meta({ id: 'EnvelopeClient' });

const search = z
  .looseObject({
    tolerance: text,
    tolerances: z.looseObject({
      rate: z.number(),
      bias: z.array(
        z.looseObject({
          metric: z.enum(METRICS),
          statistic: z.enum(STATISTICS),
          absolute_ms: z.number(),
          relative: z.number(),
        }),
      ),
    }),
    from_rps: z.number(),
    to_rps: z.number(),
    ramp: z.number(),
    ratio: z.number(),
    confirm: whole,
    budget_trials: whole,
    budget_time_s: figure,
  })
  .meta({ id: 'EnvelopeSearch' });

const audit = auditDocumentSchema.shape;

/** The whole document. */
export const envelopeDocumentSchema = z.looseObject({
  schema: z.literal(ENVELOPE_SCHEMA),
  tare_version: text,
  started_at: text,
  finished_at: text.nullable(),
  state: z.enum(['finished', 'interrupted']),
  host,
  plan: audit.plan,
  search,
  floor: audit.floor,
  clients: z.array(client),
  trials: z.array(trial),
  noise: z.looseObject({
    assumed: z.number(),
    repeated_trials: whole,
    disagree: whole,
    used: z.number(),
  }),
  warnings: audit.warnings,
  provenance: z.array(z.looseObject({ label: text, text })),
});

/** @throws ZodError where it has not the shape of a search. */
export const parseEnvelopeDocument = (value: unknown): EnvelopeDocument =>
  envelopeDocumentSchema.parse(value) as unknown as EnvelopeDocument;
