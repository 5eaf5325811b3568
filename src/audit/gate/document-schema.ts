/** The shape of gate.json for checking what is read from disk, and the source of the JSON Schema that is published with the package. Unknown fields are kept. */
import { z } from 'zod';
import { METRICS, STATISTICS } from '../../measure/metrics.ts';
import { auditDocumentSchema, host } from '../document-schema.ts';
import { CHECK_KINDS, CHECK_STATES, GATE_SCHEMA, type GateDocument, VERDICTS } from './document.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();
const audit = auditDocumentSchema.shape;

const check = z
  .looseObject({
    kind: z.enum(CHECK_KINDS),
    name: text,
    client: text,
    rate_rps: figure,
    state: z.enum(CHECK_STATES),
    unit: z.enum(['ms', 'share', 'runs']),
    value: figure,
    low: figure,
    high: figure,
    confidence: figure,
    limit_low: figure,
    limit_high: figure,
    floor: figure,
    trials: whole,
    before: figure.optional(),
    now: figure.optional(),
    compared_with: text.optional(),
    reason: text,
    remedy: text,
  })
  .meta({ id: 'GateCheck' });

const tolerance = z
  .looseObject({
    rate: z.number(),
    bias: z.array(
      z.looseObject({
        metric: z.enum(METRICS),
        statistic: z.enum(STATISTICS),
        absolute_ms: z.number(),
        relative: z.number(),
      }),
    ),
  })
  .meta({ id: 'Tolerance' });

/** The whole document. */
export const gateDocumentSchema = z.looseObject({
  schema: z.literal(GATE_SCHEMA),
  tare_version: text,
  of: z.enum(['clients', 'load']),
  started_at: text,
  finished_at: text,
  elapsed_s: z.number(),
  state: z.enum(['finished', 'interrupted']),
  verdict: z.enum(VERDICTS),
  exit_code: whole,
  reason: text,
  checks: z.array(check),
  warnings: audit.warnings,
  tolerance: text.nullable(),
  tolerances: tolerance.nullable(),
  allow: text.nullable(),
  budget_s: figure,
  error_rate: z
    .looseObject({
      at_most: z.number(),
      checks: whole,
      first_look: whole,
      looks: z.record(text, whole),
    })
    .nullable(),
  baseline: z
    .looseObject({
      from: text,
      tare_version: text,
      started_at: text,
      clients: z.record(text, text),
      refused: text.nullable(),
      note: text.optional(),
    })
    .nullable(),
  against: text.nullable(),
  host: host.nullable(),
  plan: audit.plan.nullable(),
  floor: audit.floor,
  clients: audit.clients,
  counted: z.array(
    z.looseObject({ id: text, client: text, rate_rps: z.number(), left_out: text.nullable() }),
  ),
  trials: audit.trials,
});

/** @throws ZodError where it has not the shape of a gate's document. */
export const parseGateDocument = (value: unknown): GateDocument =>
  gateDocumentSchema.parse(value) as unknown as GateDocument;
