/** The shape of model.json: the source of the JSON Schema that is published with the package, and what is read is held to. */
import { z } from 'zod';
import { REFUSALS } from './applies.ts';
import { MODEL_SCHEMA, type ModelDocument } from './document.ts';

const figure = z.number().nullable();
const text = z.string();
const whole = z.int();
const kind = z.enum(['mg1', 'gated']);

const estimate = z
  .looseObject({ value: z.number(), low: figure, high: figure })
  .meta({ id: 'ModelEstimate', description: 'With its 95 % bootstrap interval.' });

const parameters = z
  .looseObject({
    mu_rps: estimate.nullable(),
    cv2: estimate.nullable(),
    turn_ms: estimate.nullable(),
    request_ms: estimate.nullable(),
    ttft_base_ms: estimate.nullable(),
    e2e_base_ms: estimate.nullable(),
    capacity_rps: estimate,
  })
  .meta({ id: 'ModelParameters' });

const ofKind = z
  .looseObject({
    kind,
    parameters,
    held_out_error: figure,
    residuals: z.array(
      z
        .looseObject({
          asked_rps: z.number(),
          figure: z.enum(['ttft', 'e2e']),
          held_out: z.boolean(),
          measured_ms: z.number(),
          measured_se_ms: figure,
          predicted_ms: figure,
        })
        .meta({ id: 'ModelResidual' }),
    ),
  })
  .meta({ id: 'ModelOfKind' });

const growth = z
  .looseObject({
    duration_s: z.number(),
    growth_ms_per_s: z.number(),
    mean_of_run_ms: z.number(),
    measured_over_predicted: figure,
    capacity_rps: z.number(),
    capacity_by: z.enum(['model', 'arrivals']),
  })
  .meta({ id: 'Growth' });

const rate = z
  .looseObject({
    asked_rps: z.number(),
    arrived_rps: z.number(),
    trials: whole,
    requests: whole,
    duration_s: z.number(),
    output_tokens: z.number(),
    saturated: z.boolean(),
    held_out: z.boolean(),
    gap_cv2: figure,
    ttft_bias_ms: figure,
    ttft_bias_se_ms: figure,
    e2e_bias_ms: figure,
    e2e_bias_se_ms: figure,
    cpu_ms_per_request: figure,
    rho: figure,
    rho_by_cpu: figure,
    growth: growth.nullable(),
  })
  .meta({ id: 'ModelRate' });

const client = z
  .looseObject({
    client: text,
    client_version: text.nullable(),
    state: z.enum(['fitted', 'unexplained', 'refused']),
    refusal: z.enum(REFUSALS).nullable(),
    chosen: kind.nullable(),
    why: text,
    grain: z.enum(['request', 'token']).nullable(),
    grain_words: text.nullable(),
    loops: whole.nullable(),
    loops_how: text.nullable(),
    t0: z.enum(['scheduled', 'sent']),
    models: z.array(ofKind),
    rates: z.array(rate),
    capacity_rps: estimate.nullable(),
    cpu_mu_low_rate_rps: figure,
    cpu_mu_high_rate_rps: figure,
    agreement: z.looseObject({ agrees: z.boolean(), factor: z.number(), words: text }).nullable(),
    notes: z.array(text),
  })
  .meta({ id: 'ClientModel' });

/** model.json. */
export const modelDocumentSchema = z.looseObject({
  schema: z.literal(MODEL_SCHEMA),
  tare_version: text,
  audit: z.looseObject({
    started_at: text,
    tare_version: text,
    host: z.looseObject({ cpu_model: text, cores: z.number(), node: text, kernel: text }),
    latency: text,
    output_tokens: z.number(),
    prompt_tokens: z.number(),
    arrivals: text,
    repetitions: whole,
    seed: z.number(),
  }),
  held_out_rps: z.array(z.number()).nullable(),
  seed: z.number(),
  clients: z.array(client),
});

/** Fails to compile when the schema lacks a field of the document or has it of another type. */
const asDocument = (value: z.infer<typeof modelDocumentSchema>): ModelDocument => value;

/** Checks a value read from a file; throws a ZodError. */
export const parseModelDocument = (value: unknown): ModelDocument =>
  asDocument(modelDocumentSchema.parse(value));
