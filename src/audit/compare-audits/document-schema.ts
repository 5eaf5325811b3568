/** The shape of compare.json, and the source of its published JSON Schema. Unknown fields are kept: a later version may add some. */
import { z } from 'zod';
import {
  ATTRIBUTIONS,
  COMPARE_SCHEMA,
  CONDITION_GROUPS,
  CONDITION_STATES,
  type CompareDocument,
  FAMILIES,
  FIGURE_STATES,
} from './document.ts';
import { FIGURE_UNITS } from './figures.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();

const side = z.looseObject({ mean: figure, trials: whole, spread: figure }).meta({ id: 'Side' });
const figureComparison = z
  .looseObject({
    figure: text,
    unit: z.enum(FIGURE_UNITS),
    a: side,
    b: side,
    difference: figure,
    low: figure,
    high: figure,
    floor: figure,
    family: z.enum(FAMILIES),
    state: z.enum(FIGURE_STATES),
    reason: text,
    smallest_change: figure,
    caveat: text,
  })
  .meta({ id: 'FigureComparison' });

const outcomeState = z.enum(['worse', 'better', 'same', 'undetermined']);
const outcomes = z
  .looseObject({
    a: z.record(text, whole),
    b: z.record(text, whole),
    failed_a: whole,
    failed_b: whole,
    state: outcomeState,
    reason: text,
    saturated_a: whole,
    saturated_b: whole,
    saturation: outcomeState,
    saturation_reason: text,
    heavy: z.boolean(),
  })
  .meta({ id: 'OutcomeComparison' });

const verdict = z
  .looseObject({ verdict: text, holds_rps: figure, fails_rps: figure, sentence: text })
  .meta({ id: 'SideVerdict' });

const client = z
  .looseObject({
    a: text,
    b: text,
    version_a: text,
    version_b: text,
    definitions: z.array(z.looseObject({ what: text, a: text, b: text })),
    verdict_a: verdict,
    verdict_b: verdict,
    attribution: z.looseObject({ to: z.enum(ATTRIBUTIONS), sentence: text }),
    rates: z.array(
      z.looseObject({
        rate_rps: z.number(),
        outcomes: outcomes.nullable(),
        gone: z.boolean(),
        figures: z.array(figureComparison),
        notes: z.array(text),
      }),
    ),
  })
  .meta({ id: 'ClientComparison' });

const family = z.looseObject({ intervals: whole, level_each: z.number() }).meta({ id: 'Family' });

const audit = z
  .looseObject({
    folder: text,
    tare_version: text,
    started_at: text,
    state: z.enum(['finished', 'interrupted']),
  })
  .meta({ id: 'AuditSide' });

/** The whole document. */
export const compareDocumentSchema = z.looseObject({
  schema: z.literal(COMPARE_SCHEMA),
  tare_version: text,
  a: audit,
  b: audit,
  same_audit: z.boolean(),
  conditions: z.array(
    z.looseObject({
      group: z.enum(CONDITION_GROUPS),
      what: text,
      a: text,
      b: text,
      state: z.enum(CONDITION_STATES),
    }),
  ),
  family: z.looseObject({ primary: family, besides: family }),
  clients: z.array(client),
  not_compared: z.array(
    z.looseObject({ client: text, of: z.enum(['A', 'B', 'both']), reason: text, gone: z.boolean() }),
  ),
  counts: z.looseObject(
    Object.fromEntries(FIGURE_STATES.map((state) => [state, whole])) as Record<
      (typeof FIGURE_STATES)[number],
      typeof whole
    >,
  ),
  sentences: z.looseObject({
    headline: text,
    attribution: text,
    family: text,
    clients: z.array(text),
    verdicts: z.array(text.nullable()),
    caveats: z.array(text),
  }),
});

/** Fails to compile when the schema lacks a field of the document or has it of another type. */
const asDocument = (value: z.infer<typeof compareDocumentSchema>): CompareDocument => value;

/** @throws ZodError where it is no comparison. */
export const parseCompareDocument = (value: unknown): CompareDocument =>
  asDocument(compareDocumentSchema.parse(value));
