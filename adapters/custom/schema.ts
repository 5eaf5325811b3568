/** The shape of a client file. What each key means is in docs/your-own-client.md; a test holds the two together. */
import { z } from 'zod';
import { METRICS } from '../../src/measure/metrics.ts';
import { VARIANTS } from '../contract.ts';
import { AFTER_FILE } from './after.ts';
import { expressionFault } from './expression.ts';
import { FROM_USER, type Scope } from './placeholders.ts';
import { templateFaults } from './template.ts';
import { INSTANT_UNITS, RATE_UNITS, TIME_UNITS } from './units.ts';
import {
  ABOUT,
  CONNECTIONS,
  END,
  FAILURES,
  ITL,
  NTPOT,
  PERCENTILES,
  RUNTIME,
  T0,
  THROUGHPUT,
  THROUGHPUT_OF,
  TOKEN_SOURCE,
  TPOT,
  TTFT,
  wordsOf,
} from './words.ts';

/** A word is a string whatever YAML takes it for: see read.ts. */
const text = z.string().min(1, 'it is empty');

const LAUNCH: readonly Scope[] = ['locate', 'always'];

/** A string with placeholders of these scopes; every fault names the piece that it is about. */
const template = (...scopes: readonly Scope[]) =>
  z.string().superRefine((value, context) => {
    for (const { message, piece } of templateFaults(value, scopes))
      context.addIssue({ code: 'custom', message, params: { piece } });
  });

/** A value of `env`: also ${NAME}, from the user's environment. */
const envValue = z.string().superRefine((value, context) => {
  for (const { message, piece } of templateFaults(value.replace(FROM_USER, ''), LAUNCH))
    context.addIssue({ code: 'custom', message, params: { piece } });
});

/** A file's name in the trial's folder. */
const fileName = text
  .refine(
    (value) => !/[/\\\0]/.test(value) && value !== '.' && value !== '..',
    'a file’s name, without a path',
  )
  .refine((value) => value !== AFTER_FILE, `${AFTER_FILE} is what Tare writes itself: choose another name`);

const expression = text.superRefine((value, context) => {
  const message = expressionFault(value);
  if (message !== null) context.addIssue({ code: 'custom', message, params: { piece: value } });
});

const pattern = text.superRefine((value, context) => {
  try {
    new RegExp(value, 'm');
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message, params: { piece: value } });
  }
});

const number = z
  .string()
  .refine(
    (value) => value.trim() !== '' && Number(value) >= 0 && Number.isFinite(Number(value)),
    'it must be a number from 0 on',
  )
  .transform(Number);

const flag = z.enum(['true', 'false'], 'it must be true or false').transform((value) => value === 'true');

const words = (...scopes: readonly Scope[]) =>
  z.array(template(...scopes)).min(1, 'it is empty: a list of words is needed, the program first');

const timed = <const U extends readonly [string, ...string[]]>(units: U) =>
  z.strictObject({ value: expression, unit: z.enum(units) });
const length = timed(TIME_UNITS);

const figures = z.strictObject({
  unit: z.enum(TIME_UNITS),
  mean: expression.optional(),
  p50: expression.optional(),
  p90: expression.optional(),
  p99: expression.optional(),
  n: expression.optional(),
});

const FORMATS = ['json', 'jsonl', 'csv', 'text'] as const;

/** Where an output is and how it is written. */
const source = {
  /** `stdout`, `stderr`, or a file's name in the trial's folder. */
  from: fileName,
  format: z.enum(FORMATS),
  /** csv: names of the columns, for a file without a header. */
  columns: z.array(text).optional(),
  /** text: expressions with named groups. */
  patterns: z.array(pattern).min(1).optional(),
};

const result = z.strictObject({
  ...source,
  figures: z
    .strictObject(
      Object.fromEntries(METRICS.map((metric) => [metric, figures.optional()])) as Record<
        (typeof METRICS)[number],
        z.ZodOptional<typeof figures>
      >,
    )
    .prefault({}),
  achieved_rate: timed(wordsOf(RATE_UNITS)).optional(),
  duration: length.optional(),
  completed: expression.optional(),
  failed: expression.optional(),
  dropped: expression.optional(),
  output_tokens: expression.optional(),
  /** What the client says of a failure: text, or the first of a list. */
  error: expression.optional(),
});

const records = z.strictObject({
  ...source,
  /** json: the list of records within the document. */
  rows: expression.optional(),
  ok: expression,
  start: timed(INSTANT_UNITS).optional(),
  ttft: length.optional(),
  e2e: length.optional(),
  itl: length.optional(),
  output_tokens: expression.optional(),
  request_id: expression.optional(),
  response_id: expression.optional(),
  error: expression.optional(),
});

const definitions = z.strictObject({
  t0: z.enum(wordsOf(T0)),
  t0_detail: text,
  ttft: z.enum(wordsOf(TTFT)),
  itl: z.enum(wordsOf(ITL)),
  tpot: z.enum(wordsOf(TPOT)),
  ntpot: z.enum(wordsOf(NTPOT)),
  end: z.enum(wordsOf(END)),
  token_source: z.enum(wordsOf(TOKEN_SOURCE)),
  throughput: z.enum(wordsOf(THROUGHPUT)),
  throughput_of: z.enum(wordsOf(THROUGHPUT_OF)),
  failures: z.enum(wordsOf(FAILURES)),
  percentiles: z.enum(wordsOf(PERCENTILES)).optional(),
  warmup_requests: number.refine(Number.isInteger, 'it must be a whole number'),
});

const facts = z.strictObject({
  architecture: text,
  runtime: z.enum(wordsOf(RUNTIME)),
  processes: text,
  connections: z.enum(wordsOf(CONNECTIONS)),
  open_loop: flag,
  /** The version that they were read in. */
  version: text.optional(),
  startup_s: number.prefault('1'),
  teardown_s: number.prefault('0.5'),
  evidence: z.array(z.strictObject({ about: z.enum(wordsOf(ABOUT)), what: text, where: text })).prefault([]),
});

/** Another way to run it: words added at the end of the command, and the evidence for it. */
const variant = z.strictObject({
  can: flag.prefault('true'),
  how: text,
  where: text,
  args: z.array(template(...LAUNCH, 'tls')).prefault([]),
});

const file = z.union([template(...LAUNCH), z.strictObject({ each_request: template(...LAUNCH, 'line') })]);

export const clientSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]*$/,
      'small letters, digits and hyphens only: it names folders and chart legends',
    )
    .max(40, 'at most 40 characters: it names folders and chart legends'),
  title: text.optional(),
  /** Where to look, in this order: a name on PATH, or a path. */
  program: z.union([template('locate').transform((one) => [one]), z.array(template('locate')).min(1)]),
  version: z.strictObject({ command: words('locate'), pattern }).optional(),
  /** What to do where the program is not there. */
  remedy: text.optional(),
  /** Only for clients that ship with Tare: what `tare setup` runs. */
  install: z
    .strictObject({
      needs: text,
      needs_remedy: text,
      command: words('locate'),
      env: z.record(text, template('locate')).prefault({}),
    })
    .optional(),
  command: words(...LAUNCH),
  env: z.record(text, envValue.nullable()).prefault({}),
  files: z.record(fileName, file).prefault({}),
  arrivals: z
    .strictObject({
      constant: z.array(template(...LAUNCH)).optional(),
      poisson: z.array(template(...LAUNCH)).optional(),
      gamma: z.array(template(...LAUNCH, 'gamma')).optional(),
      trace: z.array(template(...LAUNCH, 'trace')).optional(),
    })
    .refine((kinds) => Object.keys(kinds).length > 0, 'name at least one: constant, poisson, gamma or trace'),
  /** Commands that turn the client's output into what is read; run after the load, so not part of what is measured. */
  after: z.array(z.strictObject({ command: words('locate'), stdout: fileName.optional() })).prefault([]),
  result: result.optional(),
  records: records.optional(),
  /** For `tare profile`: what else it can, and what it cannot. */
  variants: z.partialRecord(z.enum(VARIANTS), variant).prefault({}),
  exit_codes: z.array(number).prefault(['0']),
  fails_when: z.array(z.strictObject({ if: expression, reason: text })).prefault([]),
  definitions,
  facts,
});

export type ClientSpec = z.output<typeof clientSchema>;
export type Source = Pick<z.output<typeof result>, 'from' | 'format' | 'columns' | 'patterns'>;
