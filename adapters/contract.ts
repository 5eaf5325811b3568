/**
 * An adapter is what knows one client: how to find it, launch it and read its results, and how it defines its metrics. Facts are
 * data, with their place in the client's own source; what can be computed from them (the `expected` figures) is computed in
 * src/measure, never in an adapter.
 */
import type { Definitions } from '../src/measure/definitions.ts';
import type { MetricTable } from '../src/measure/metrics.ts';
import type { Workload } from '../src/measure/workload.ts';

export type { Definitions };

/** What a fact is about. */
export const ASPECTS = [
  't0',
  'ttft',
  'itl',
  'tpot',
  'ntpot',
  'e2e',
  'throughput',
  'failures',
  'tokenSource',
  'processes',
  'connections',
  'warmup',
  'schedule',
  'statistics',
  'join',
  'other',
] as const;
export type Aspect = (typeof ASPECTS)[number];

/** A fact with its evidence: what, and where in the client's source or manual. */
export interface Fact {
  readonly about: Aspect;
  readonly what: string;
  readonly where: string;
}

/** Another way to run a client: what is asked, and carried, otherwise. */
export const VARIANTS = ['plain-json', 'tls', 'http2', 'server-tokens', 'client-tokens'] as const;
export type Variant = (typeof VARIANTS)[number];

/** A variant that a client has or lacks, with its evidence. */
export interface VariantFact {
  /**
   * `plain-json`: whole answers, no stream. `tls`, `http2`: over an https URL. `server-tokens`: counts the server's way where it tokenizes
   * otherwise; `client-tokens`: tokenizes where it does not otherwise.
   */
  readonly variant: Variant;
  readonly can: boolean;
  /** By which flag, or why not. */
  readonly how: string;
  /** In its source or manual. */
  readonly where: string;
}

export interface ClientFacts {
  /** Absent: what it can is not known. */
  readonly variants?: readonly VariantFact[];
  readonly definitions: Definitions;
  /** Processes, threads and event loops as documented, in one line. */
  readonly architecture: string;
  /** What its event loop is. */
  readonly runtime: 'asyncio' | 'uvloop' | 'gevent' | 'tokio' | 'goroutines' | 'libuv' | 'threads';
  /** Processes that send load: a number, or how it follows from flags and cores. */
  readonly processes: string;
  readonly connections: 'kept' | 'one a request' | 'one a user';
  /** How a record of the client's is joined with a row of the ledger; `none`: it keeps no records, or nothing joins them. */
  readonly joins: 'requestId' | 'responseId' | 'connectionOrder' | 'none';
  /** Its records stand in the order in which it sent the requests, though they hold no start. */
  readonly recordsAsSent?: true;
  readonly arrivals: readonly ('constant' | 'poisson' | 'gamma' | 'trace')[];
  /** It has no equal gaps: asked for "constant" it sends a Poisson process, whose rate strays by chance. */
  readonly constantIsPoisson?: boolean;
  readonly openLoop: boolean;
  /** Version that the facts were read in. */
  readonly version: string;
  readonly evidence: readonly Fact[];
  /** Seconds from launch to the first request, and after the last answer, on two cores: for planning and deadlines only. */
  readonly startupS: number;
  readonly teardownS: number;
}

/** A client found on this machine. */
export interface Found {
  readonly state: 'found';
  readonly version: string;
  /** What is run, for people: a path. */
  readonly path: string;
  /** How it came here: "the user's own", "client-only set-up by tare setup", "part of Tare". */
  readonly origin: string;
  /** Warnings that do not prevent a run. */
  readonly notes: readonly string[];
  /** Whatever the adapter needs at launch (paths). JSON, since it is kept in audit.json. */
  readonly handle: Readonly<Record<string, string>>;
}

/** A client that cannot run here: why, and the one line that mends it. */
export interface Missing {
  readonly state: 'missing';
  readonly reason: string;
  readonly remedy: string;
}

export interface LaunchRequest {
  readonly workload: Workload;
  /** Base URL of the target, e.g. http://127.0.0.1:8150, no trailing slash. */
  readonly url: string;
  readonly model: string;
  /** The trial's folder for this client's files; exists and is empty. */
  readonly dir: string;
  readonly found: Found;
  /** Worker processes, for a client that has them; otherwise ignored. */
  readonly workers: number | null;
  /** Cores that the client may use. */
  readonly cpus: readonly number[] | null;
  /** Asked for only where the facts say that it can. */
  readonly variants?: readonly Variant[];
  /** The authority that signed the target's certificate, PEM; the usual variables of the environment name it as well. */
  readonly caFile?: string;
}

/** The command of a trial. Files it needs are written by `prepare`. */
export interface ClientCommand {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  readonly cwd: string;
  /** Values in argv or env that must not reach any file. */
  readonly secrets?: readonly string[];
  /** Commands that `parse` runs afterwards on what the client left, in `cwd`. For people: they are run by the adapter itself. */
  readonly after?: readonly { readonly argv: readonly string[]; readonly stdout?: string }[];
}

/** One request as the client kept it. Absent is null. */
export interface ClientRecord {
  /** The x-request-id that it sent, or the response's payload id: for joining with the ledger. */
  readonly requestId: string | null;
  readonly responseId: string | null;
  /** Its own name of the connection, where only order on it tells which request this is. */
  readonly connection?: string | null;
  /** Its own start stamp, ns, on whatever clock it uses (only differences are used). */
  readonly startNs: number | null;
  /** The instant it was really sent, on the same clock, where `startNs` is another (the scheduled one). */
  readonly sentNs?: number | null;
  readonly ok: boolean;
  readonly ttftMs: number | null;
  readonly e2eMs: number | null;
  /** Gaps, ms. */
  readonly itlMs: readonly number[] | null;
  readonly outputTokens: number | null;
}

/** What a client reported. Figures are the client's own, untouched but for units. */
export interface ClientReport {
  readonly metrics: MetricTable;
  /** Requests/s that the client prints as achieved. */
  readonly achievedRps: number | null;
  readonly durationS: number | null;
  readonly completed: number | null;
  readonly failed: number | null;
  readonly outputTokens: number | null;
  /** Requests that it says it never sent (k6's dropped iterations). */
  readonly dropped: number | null;
  readonly records: readonly ClientRecord[] | null;
  /** In words, for the report: what was odd. */
  readonly notes: readonly string[];
}

export type Parsed =
  | { readonly state: 'parsed'; readonly report: ClientReport }
  /** The client ran and failed by its own account. */
  | {
      readonly state: 'failed';
      readonly reason: string;
      /** What it printed all the same, where no request succeeded: a probe looks at that. */
      readonly report?: ClientReport;
    }
  /** It left no result, or one that cannot be read. */
  | { readonly state: 'unparsable'; readonly reason: string };

export interface ParseRequest {
  readonly dir: string;
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** All that it wrote there, bytes; the file holds less where it was cut at the launcher's cap, or the disk was full. */
  readonly stdoutBytes?: number;
  readonly stderrBytes?: number;
  readonly exitCode: number | null;
  readonly workload: Workload;
}

export interface Adapter {
  /** As in `--client NAME`. */
  readonly name: string;
  readonly title: string;
  readonly facts: ClientFacts;
  /** Cheap and safe: looks, asks for a version, never sends load. */
  find(): Promise<Found | Missing>;
  /** Installs it into its own environment under the cache folder; `say` gets progress lines. Absent: cannot be installed by Tare. */
  setup?(say: (line: string) => void): Promise<void>;
  /** Writes what the client needs into `dir` and gives its command. */
  prepare(request: LaunchRequest): Promise<ClientCommand>;
  /** Reads what it left. Never throws on bad output. */
  parse(request: ParseRequest): Promise<Parsed>;
  /** Why this workload cannot be asked of this client (an arrival process it lacks …), or null. */
  refuses?(workload: Workload): string | null;
}
