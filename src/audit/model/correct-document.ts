/** `tare-correct/1`: what `tare correct` says of reported figures. Data, and its shape for the published schema. */
import { z } from 'zod';

export const CORRECT_SCHEMA = 'tare-correct/1';

const figure = z.number().nullable();
const text = z.string();

const corrected = z
  .looseObject({
    figure: text,
    reported_ms: z.number(),
    state: z.enum(['interval', 'refused']),
    /** Why there is none; null where there is one. */
    reason: text.nullable(),
    method: z.enum(['subtraction', 'bounds']).nullable(),
    /** What the server's own value may have been. */
    low_ms: figure,
    high_ms: figure,
    /** The client's own mean part, that was reckoned with. */
    client_mean_low_ms: figure,
    client_mean_high_ms: figure,
    /** Of a quantile: the reported one bounds this higher quantile of the server's from below. */
    higher: z.looseObject({ quantile: z.number(), at_least_ms: z.number() }).nullable(),
    assumptions: z.array(text),
  })
  .meta({ id: 'CorrectedFigure' });

export const correctDocumentSchema = z.looseObject({
  schema: z.literal(CORRECT_SCHEMA),
  tare_version: text,
  client: text,
  client_version: text.nullable(),
  rate_rps: z.number(),
  output_tokens: z.number(),
  requests: figure,
  tail: z.enum(['markov', 'model']),
  /** The model that is taken away; null where there is none. */
  model: z
    .looseObject({
      kind: z.enum(['mg1', 'gated']),
      rho: z.looseObject({ value: z.number(), low: figure, high: figure }),
      fitted_low_rps: z.number(),
      fitted_high_rps: z.number(),
      held_out_error: figure,
    })
    .nullable(),
  audit: z.looseObject({
    started_at: text,
    host: text,
    latency: text,
    output_tokens: z.number(),
    prompt_tokens: z.number(),
  }),
  figures: z.array(corrected),
  /** What the answer holds for, and nothing else. */
  limits: z.array(text),
});

export type CorrectDocument = z.infer<typeof correctDocumentSchema>;
export type CorrectedFigure = z.infer<typeof corrected>;
