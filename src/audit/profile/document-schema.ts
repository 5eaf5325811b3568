/**
 * The shape of profile.json for checking what is read from disk, and the source of the JSON Schema that is published with the
 * package. Unknown fields are kept: a later version of the same schema may add some.
 */
import { z } from 'zod';
import { LAYERS } from '../../measure/cost.ts';
import { host } from '../document-schema.ts';
import { PROFILE_SCHEMA, type ProfileDocument } from './document.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();
const counts = z.record(text, whole);
const unit = z.enum(['busiest thread', 'all threads']).meta({ id: 'BoundBy' });

const cost = z
  .looseObject({ us: z.number(), low_us: z.number(), high_us: z.number() })
  .meta({ id: 'CostUs' });

const pointCost = z
  .looseObject({
    busiest_us: z.number(),
    group_us: z.number(),
    busiest_share: z.number(),
    group_share: z.number(),
    system_part: figure,
    loops: whole.nullable(),
    requests: z.number(),
    window_s: z.number(),
    load_s: z.number(),
    sent_rps: z.number(),
    completed_rps: figure,
    delivered_tokens: z.number(),
    written: z.looseObject({
      streamed_share: z.number(),
      token_writes: z.number(),
      body_bytes: z.number(),
      front: z.looseObject({ connections: counts, requests: counts }).nullable(),
    }),
    startup_s: z.number(),
    teardown_s: z.number(),
    core_wait_share: figure,
    steal_share: figure,
  })
  .meta({ id: 'PointCost' });

const point = z
  .looseObject({
    id: text,
    cell: text,
    tokens: whole,
    prompt_tokens: whole,
    repetition: whole,
    order: whole,
    purpose: z.enum(['pilot', 'usual', 'half', 'saturation']),
    rate_rps: z.number(),
    rate_limited_by: z.enum(['target', 'requests']).nullable(),
    elapsed_s: z.number(),
    cost: pointCost.nullable(),
    why: text.nullable(),
  })
  .meta({ id: 'ProfilePoint' });

const miss = z.looseObject({
  tokens: z.number(),
  prompt_bytes: z.number(),
  measured_us: z.number(),
  line_us: z.number(),
  share: z.number(),
  low_share: z.number(),
  high_share: z.number(),
});

const line = z
  .looseObject({
    request: cost,
    token: cost.nullable(),
    prompt_byte: cost.nullable(),
    residual_share: z.number(),
    residual_us: z.number(),
    points: whole,
    df: whole,
    linearity: z.looseObject({ tolerance_share: z.number(), misses: z.array(miss).nullable() }),
  })
  .meta({ id: 'CostLine' });

const goodTo = z
  .looseObject({
    tokens: whole,
    prompt_bytes: z.number(),
    extrapolated: z.boolean(),
    busiest_us: cost.nullable(),
    group_us: cost,
    rho: z.number(),
    good_to: z
      .looseObject({ rps: z.number(), low_rps: z.number(), high_rps: figure, bound_by: unit })
      .nullable(),
  })
  .meta({ id: 'GoodTo' });

const layer = z
  .looseObject({
    id: text,
    layer: z.enum(LAYERS),
    tokenization: z.enum(['on', 'off', 'not stated']),
    front: z.enum(['tls', 'http2']).nullable(),
    state: z.enum(['measured', 'cannot', 'not known', 'failed', 'interrupted']),
    how: text,
    latency: text,
    extent: z
      .looseObject({ size: z.enum(['full', 'short']), repetitions: whole, duration_s: z.number() })
      .nullable(),
    busiest: line.nullable(),
    group: line.nullable(),
    load: z.looseObject({ median_rho: z.number(), least_rps: z.number(), most_rps: z.number() }).nullable(),
    half_load: z.looseObject({ ratio: z.number(), low: figure, high: figure }).nullable(),
    good_to: z.array(goodTo),
    points: z.array(point),
    warnings: z.array(text),
  })
  .meta({ id: 'ProfileLayer' });

const saturation = z.union([
  z.looseObject({
    layer: text,
    tokens: whole,
    asked_rps: z.number(),
    completed_rps: z.number(),
    predicted_rps: z.number(),
    busiest_share: z.number(),
    group_share: z.number(),
    cost_us: z.number(),
    ratio: z.number(),
  }),
  z.looseObject({ why: text }),
]);

const client = z
  .looseObject({
    name: text,
    title: text,
    version: text,
    architecture: text,
    runtime: text,
    bound_by: unit,
    loops: whole,
    workers: whole.nullable(),
    startup_s: figure,
    teardown_s: figure,
    elapsed_s: z.number(),
    layers: z.array(layer),
    saturation: saturation.nullable(),
    kept_in: text.nullable(),
  })
  .meta({ id: 'ClientProfile' });

export const profileDocumentSchema = z.looseObject({
  schema: z.literal(PROFILE_SCHEMA),
  tare_version: text,
  started_at: text,
  elapsed_s: z.number(),
  state: z.enum(['finished', 'interrupted']),
  host,
  pinning_note: text,
  target_pacing: z.literal('block'),
  client_cores: whole,
  seed: z.number(),
  clients: z.array(client),
});

/** Fails to compile when the schema lacks a field of the document or has it of another type. */
const asDocument = (value: z.infer<typeof profileDocumentSchema>): ProfileDocument => value;

/** Checks a value read from profile.json; throws a ZodError. */
export const parseProfileDocument = (value: unknown): ProfileDocument =>
  asDocument(profileDocumentSchema.parse(value));
