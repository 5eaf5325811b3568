/**
 * The shape of claim.json: what was claimed, what came of it, and everything that reports are made from. Unknown fields are kept: a later
 * version of the same schema may add some.
 */
import { z } from 'zod';
import { CHECK_IDS } from './arithmetic-check.ts';
import { CHECKLIST_IDS } from './checklist/item.ts';
import { CLAIM_STATISTICS, METRIC_UNIT } from './claim.ts';
import { VERDICTS } from './verdict/figure.ts';

export const CLAIM_SCHEMA = 'tare-claim/1';

const text = z.string();
const texts = z.array(text);
const verdict = z.enum(VERDICTS);

/** `value` ± `half` in `unit`; value null for "inf". */
const quantity = z.looseObject({ value: z.number().nullable(), half: z.number(), unit: text, text });

const figure = z.looseObject({
  id: text,
  metric: z.enum(Object.keys(METRIC_UNIT) as [keyof typeof METRIC_UNIT]),
  statistic: z.enum(CLAIM_STATISTICS).nullable(),
  quantity,
  line: z.int(),
});

const row = z.looseObject({
  id: text,
  system: text,
  rate: quantity.nullable(),
  concurrency: quantity.nullable(),
  requests: quantity.nullable(),
  duration: quantity.nullable(),
  input_tokens: quantity.nullable(),
  output_tokens: quantity.nullable(),
  output_length: z.enum(['fixed', 'mean', 'max']).nullable(),
  run: z.enum(['cold', 'warm']).nullable(),
  prompts_of: text.nullable(),
  figures: z.array(figure),
  line: z.int(),
});

const claim = z.looseObject({
  title: text,
  claimant: text,
  sources: z.array(
    z.looseObject({
      url: text,
      title: text.nullable(),
      published: text.nullable(),
      read: text.nullable(),
      says: text.nullable(),
    }),
  ),
  systems: z.array(
    z.looseObject({
      name: text,
      engine: text.nullable(),
      version: text.nullable(),
      model: text.nullable(),
      hardware: text.nullable(),
      prefix_cache: z.enum(['on', 'off']).nullable(),
    }),
  ),
  client: z.looseObject({ name: text.nullable(), version: text.nullable() }),
  rows: z.array(row),
  headlines: z.array(
    z.looseObject({
      id: text,
      text,
      ratio: quantity,
      bound: z.enum(['exactly', 'up to', 'at least']),
      better: z.enum(['higher', 'lower']),
      of: text.nullable(),
      over: text.nullable(),
      line: z.int(),
    }),
  ),
  notes: texts,
});

const check = z.looseObject({
  check: z.enum(CHECK_IDS),
  title: text,
  state: z.enum(['agrees', 'contradicts', 'limits', 'not applicable']),
  rows: texts,
  figures: texts,
  headlines: texts,
  inputs: z.array(z.looseObject({ name: text, text })),
  working: texts,
  finding: text,
  explanations: texts,
  questions: texts,
});

/** What stands out (src/claims/verdict/digest.ts). */
const digestEntry = z.looseObject({
  state: z.enum(['contradicts', 'limits']),
  check: z.enum(CHECK_IDS),
  title: text,
  finding: text,
  working: texts,
  explanations: texts,
  also: texts,
});

const checklistAnswer = z.looseObject({
  id: z.enum(CHECKLIST_IDS),
  title: text,
  state: z.enum(['stated', 'not stated', 'contradicted']),
  answer: text,
  why: text,
  question: text.nullable(),
  figures: texts,
});

const knownClient = z.looseObject({
  name: text,
  title: text,
  version: text,
  architecture: text,
  processes: text,
  /** Definitions and findings are of this script, which Tare ships; the claim's may be another. Absent as null. */
  script: text.nullable().optional(),
  definitions: z.array(z.looseObject({ about: text, what: text, where: text })),
  findings: z.array(z.looseObject({ what: text, consequence: text, versions: text, source: text })),
});

const biasPlace = {
  row: text,
  figure: text.nullable(),
  audit: z.looseObject({ folder: text, client: text, version: text }).nullable(),
  caveats: texts,
};
const expectedBias = z.discriminatedUnion('state', [
  z.looseObject({
    ...biasPlace,
    state: z.literal('bounded'),
    low_ms: z.number(),
    high_ms: z.number(),
    queueing_low_ms: z.number().nullable(),
    queueing_high_ms: z.number().nullable(),
    rates_rps: z.tuple([z.number(), z.number()]),
    of: text,
    words: text,
  }),
  z.looseObject({
    ...biasPlace,
    state: z.literal('order of magnitude'),
    low_ms: z.number(),
    high_ms: z.number(),
    rates_rps: z.tuple([z.number(), z.number()]),
    of: text,
    words: text,
    reason: text,
  }),
  z.looseObject({ ...biasPlace, state: z.literal('unknown'), reason: text }),
]);

export const claimDocumentSchema = z.looseObject({
  schema: z.literal(CLAIM_SCHEMA),
  tare_version: text,
  /** The claim's file as it was given. */
  file: text,
  verdict,
  /** One sentence. */
  summary: text,
  claim,
  figures: z.array(
    z.looseObject({
      figure: text,
      verdict,
      reasons: texts,
      missing: z.array(z.enum(CHECKLIST_IDS)),
      confirmed_by: texts,
    }),
  ),
  headlines: z.array(z.looseObject({ headline: text, verdict, reasons: texts })),
  digest: z.array(digestEntry),
  checks: z.array(check),
  checklist: z.array(checklistAnswer),
  /** null: the claim names no client, or one that Tare does not know. */
  known_client: knownClient.nullable(),
  expected_bias: z.array(expectedBias),
  questions: z.array(z.looseObject({ text, because: text })),
});
export type ClaimDocument = z.infer<typeof claimDocumentSchema>;
export type ClaimRowJson = ClaimDocument['claim']['rows'][number];
