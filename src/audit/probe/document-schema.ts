/**
 * The shape of probe.json for checking what is read from disk, and the source of the JSON Schema that is published with the
 * package. Unknown fields are kept: a later version of the same schema may add some.
 */
import { z } from 'zod';
import { host } from '../document-schema.ts';
import { PROBE_SCHEMA, PROBE_VERDICTS, type ProbeDocument } from './document.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();
const verdict = z.enum(PROBE_VERDICTS).meta({ id: 'ProbeVerdict' });

const run = z
  .looseObject({
    id: text,
    probes: z.array(text),
    requests: whole,
    rate_rps: z.number(),
    elapsed_s: z.number(),
    command: z.array(text),
    exit_code: whole.nullable(),
    end: text,
    failure: text.nullable(),
    late_ms: figure,
    steal_share: figure,
  })
  .meta({ id: 'ProbeRun' });

const client = z
  .looseObject({
    client: text,
    version: text,
    path: text,
    origin: text,
    file: text.optional(),
    elapsed_s: z.number(),
    load_elapsed_s: z.number(),
    runs: z.array(run),
  })
  .meta({ id: 'ProbedClient' });

const sent = z
  .looseObject({
    place: whole,
    writes: z.array(z.looseObject({ at_ms: z.number(), bytes: whole, text, left_out: whole.optional() })),
    ending: text,
  })
  .meta({ id: 'SentAnswer' });

const probe = z
  .looseObject({
    id: text,
    group: text,
    scope: z.enum(['request', 'run', 'load']),
    title: text,
    about: text,
    source: text,
    right: text,
    known: z.array(
      z.looseObject({
        kind: text,
        what: text,
        arithmetic: text,
        definition: z.boolean(),
        reported: z.array(text),
      }),
    ),
    sent: z.array(sent),
    load: z.array(text),
  })
  .meta({ id: 'ShownProbe' });

const cell = z
  .looseObject({
    client: text,
    probe: text,
    verdict,
    kind: text.nullable(),
    words: text,
    size: z.looseObject({ figure: text, value: z.number(), unit: text, percent: figure }).nullable(),
    figures: z.array(
      z.looseObject({
        name: text,
        unit: text,
        right: figure,
        stated: figure,
        got: figure,
        by: z.enum(['printed', 'records', 'ledger']),
        tolerance: z.number(),
        tolerance_below: z.number().optional(),
        verdict,
        kind: text.nullable(),
      }),
    ),
    requests: whole,
    run: text.nullable(),
    confirms: verdict.nullable(),
  })
  .meta({ id: 'ProbeCell' });

export const probeDocumentSchema = z.looseObject({
  schema: z.literal(PROBE_SCHEMA),
  tare_version: text,
  started_at: text,
  elapsed_s: z.number(),
  state: z.enum(['finished', 'interrupted']),
  not_run: z.array(text),
  host,
  pinning_note: text,
  seed: z.number(),
  load: z.boolean(),
  clients: z.array(client),
  probes: z.array(probe),
  cells: z.array(cell),
});

/** Fails to compile when the schema lacks a field of the document or has it of another type. */
const asDocument = (value: z.infer<typeof probeDocumentSchema>): ProbeDocument => value;

/** Checks a value read from probe.json; throws a ZodError. */
export const parseProbeDocument = (value: unknown): ProbeDocument =>
  asDocument(probeDocumentSchema.parse(value));
