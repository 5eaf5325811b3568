/** What the probe target really did: one row a completion request, as a JSON file. Instants in ns of CLOCK_MONOTONIC. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { EXIT, UserError } from '../system/user-error.ts';
import { writeWhole } from '../system/write-whole.ts';

export const PROBE_LEDGER_SCHEMA = 'tare-probe-ledger/1';

const whole = z.int().min(0);
const instant = z.number().finite();

const WRITE = z.object({
  due_ns: instant,
  /** Just before the system call. */
  at_ns: instant,
});

const ROW = z.object({
  /** null: it got the plain base profile, for it was a warm-up or asked for no stream. */
  probe: z.string().nullable(),
  /** From 0: among the requests that this probe answered, or among those without a probe. */
  place: whole,
  /** One of the client's first, which are not counted. */
  warm_up: z.boolean(),
  /** Its row, from 0: in order of `read_ns`. */
  ordinal: whole,
  /** Of its TCP connection, from 0, in order of acceptance. */
  connection: whole,
  /** Its place among all requests on its connection, from 0. */
  on_connection: whole,
  request_id: z.string().nullable(),
  response_id: z.string(),
  kind: z.enum(['chat', 'text']),
  /** Whether it asked for a stream. */
  streamed: z.boolean(),
  asked_tokens: whole,
  include_usage: z.boolean(),
  ignore_eos: z.boolean(),
  prompt_tokens: whole,
  /** Its head was parsed. */
  arrival_ns: instant,
  /** Its body was complete, and the answers before it on its connection were out: instants of its answer count from here. */
  read_ns: instant,
  /** Those that were made. */
  writes: z.array(WRITE),
  /** Just after its last act: a write, FIN or RST; or when the client was gone. null: the target ended before. */
  end_ns: instant.nullable(),
  /** `complete`: every write was made; `clientClosed`: the client hung up before; `unfinished`: the target ended before. */
  outcome: z.enum(['complete', 'clientClosed', 'unfinished']),
  /** The client hung up before the end of the answer, the closing of the connection included. */
  client_closed_ns: instant.nullable(),
});

const LEDGER = z.object({
  schema: z.literal(PROBE_LEDGER_SCHEMA),
  /** The target's own eight hexadecimal digits, in the ids of its answers. */
  tag: z.string(),
  model: z.string(),
  /** Slots in their order, and how many requests came before them. */
  probes: z.array(z.string()),
  plain_first: whole,
  pacing: z.enum(['spin', 'block']),
  requests: z.array(ROW),
  /** Requests that have no row: paths that are not served, and bodies that were refused. */
  unserved: z.array(z.object({ asked: z.string(), requests: whole })),
});

export type ProbeLedger = z.infer<typeof LEDGER>;
export type ProbeLedgerRow = z.infer<typeof ROW>;

/** Writes it whole, or not at all. Throws a UserError where the file cannot be written. */
export async function writeProbeLedger(path: string, ledger: ProbeLedger): Promise<void> {
  try {
    await writeWhole(path, `${JSON.stringify(ledger)}\n`);
  } catch (error) {
    throw new UserError(
      `the probe ledger could not be written to ${path} (${(error as NodeJS.ErrnoException).code}); the truth of this run is lost`,
      EXIT.harnessInvalid,
    );
  }
}

/** Reads one. Throws a UserError for a file that is missing or is no probe ledger. */
export async function readProbeLedger(path: string): Promise<ProbeLedger> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UserError(
      `no probe ledger can be read from ${path} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path} is no probe ledger: it is not JSON (${(error as Error).message})`);
  }
  const checked = LEDGER.safeParse(parsed);
  if (checked.success) return checked.data;
  const { path: where, message } = checked.error.issues[0]!;
  throw new UserError(`${path} is no probe ledger: ${where.join('.') || 'the document'}: ${message}`);
}
