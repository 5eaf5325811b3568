/**
 * audit.json: the whole of an audit, as data. Everything in reports/ is made from this document alone, so that a results folder
 * re-read gives the same report byte for byte. Every field names its unit.
 */
import type { ClientFacts, ClientReport, Found, Missing } from '../../adapters/contract.ts';
import type { ArrivalIdentity } from '../measure/arrival-process/types.ts';
import type { BiasRow, BiasVerdict, IntervalKind } from '../measure/bias.ts';
import type { FigureDecomposition } from '../measure/decomposition.ts';
import type { Fault } from '../measure/diagnosis/fault.ts';
import type { RunFigures } from '../measure/expected-run.ts';
import type { LedgerMeta } from '../measure/ledger.ts';
import type { Metric, MetricTable, Statistic } from '../measure/metrics.ts';
import type { RecordClock } from '../measure/record-clock.ts';
import type { LedgerAgainstWire, Spread } from '../measure/wire.ts';
import type { Workload } from '../measure/workload.ts';
import type { HostInfo } from '../system/host.ts';
import type { MachineFloor } from '../system/machine-floor.ts';
import type { ObservedFigures } from '../system/observed-figures.ts';
import type { JoinKey } from '../truth/join.ts';

export const AUDIT_SCHEMA = 'tare-audit/1';

export const TARGET_KINDS = ['reference', 'llm-d-inference-sim', 'external'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The server under load. Only the reference target keeps a ledger: without one there is no truth to compare with, and no bias. */
export interface TargetInfo {
  readonly kind: TargetKind;
  /** Base URL of a server that runs already; null for a target that Tare starts, a fresh one a trial. */
  readonly url: string | null;
  /** It is beyond loopback, and the user said yes to that. */
  readonly remote: boolean;
  /** null where it does not say. */
  readonly version: string | null;
  /** Its program; null for a server that runs already. */
  readonly path: string | null;
  /** The model that clients ask it for. */
  readonly model: string;
}

export interface AuditPlan {
  readonly target: TargetInfo;
  readonly clients: readonly string[];
  readonly rates_rps: readonly number[];
  readonly repetitions: number;
  readonly duration_s: number;
  readonly arrivals: string;
  /** Clients that were asked for another process, since they lack this one. */
  readonly arrivals_otherwise: Readonly<Record<string, string>>;
  /** What the target is told to inject; `not injected` where Tare does not configure it. */
  readonly latency: string;
  readonly prompt_tokens: number;
  readonly output_tokens: number;
  readonly seed: number;
  /** null: as many as the client's own default. */
  readonly workers: number | null;
  /** Cores of the target and of the client; null when not pinned, with the reason in `pinning_note`. */
  readonly target_cpus: readonly number[] | null;
  readonly client_cpus: readonly number[] | null;
  readonly pinning_note: string;
  readonly estimated_s: number;
  /** Each trial's port is captured: `read` and the file deleted, or the file kept. Absent: it is not. */
  readonly wire?: 'read' | 'keep';
}

/** How a trial ended. A figure exists only for `measured` and `saturated`. */
export type Outcome =
  | { readonly kind: 'measured' }
  /** It ran, and sent or completed less than 98 % of what was asked. */
  | { readonly kind: 'saturated'; readonly reason: string }
  | { readonly kind: 'clientFailed'; readonly reason: string }
  | { readonly kind: 'timedOut'; readonly reason: string }
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'unparsable'; readonly reason: string }
  | { readonly kind: 'clientMissing'; readonly reason: string };

/** What the ledger says of a trial, warm-up requests left out. */
export interface Truth {
  readonly requests: number;
  readonly warmup_requests: number;
  /** (requests − 1) / (last arrival − first arrival). */
  readonly arrival_rps: number | null;
  /** Completions per second between the 5th and the 95th hundredth of them: neither the drain nor one late answer counts. */
  readonly completion_rps: number | null;
  readonly rate_fidelity: number | null;
  /** Squared coefficient of variation of the gaps between arrivals. */
  readonly gap_cv2: number | null;
  /** Which process the arrivals are, and how they depart from the one asked; absent from results of earlier versions. */
  readonly arrivals?: ArrivalIdentity | undefined;
  readonly peak_in_flight: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly injected: MetricTable;
  readonly realized: MetricTable;
  readonly expected: MetricTable;
  /** What the client would print of the run as a whole. */
  readonly expected_run: RunFigures;
  /** Emission lateness (realized − injected per token), the target's own error. */
  readonly lateness_p50_ms: number | null;
  readonly lateness_p99_ms: number | null;
  readonly lateness_max_ms: number | null;
  readonly target: LedgerMeta;
}

/** What a target that keeps no ledger exports of its own (Prometheus counters), over one trial. */
export interface Exported {
  /** Requests that it counts as answered. */
  readonly requests: number;
  /** Means of its own histograms, by its own definitions; null where it has none. */
  readonly ttft_mean_ms: number | null;
  readonly e2e_mean_ms: number | null;
  /** Which series of which page. */
  readonly where: string;
}

/** What is known of a trial's requests where the target keeps no ledger: by the client's own account, so never the truth. */
export interface ClientSide {
  /** `records`: from the instants that its own records say it sent at. `printed`: its printed rate. `none`: it gives neither. */
  readonly source: 'records' | 'printed' | 'none';
  /** In words: from what, and what is in it that should not be. */
  readonly how: string;
  readonly requests: number | null;
  readonly sent_rps: number | null;
  /** As in Truth, from its records. */
  readonly completion_rps: number | null;
  readonly rate_fidelity: number | null;
  readonly gap_cv2: number | null;
  readonly peak_in_flight: number | null;
  /** null: the target exports no such counter. */
  readonly exported: Exported | null;
}

/** What /proc said of the client's processes between the first arrival and the last end. */
export type Observed = Omit<ObservedFigures, 'covered_from_ns' | 'covered_to_ns'>;

export interface Trial {
  readonly id: string;
  readonly client: string;
  readonly repetition: number;
  /** Place in the random order, from 0. */
  readonly order: number;
  readonly workload: Workload;
  readonly started_at: string;
  readonly elapsed_s: number;
  readonly command: readonly string[];
  readonly exit_code: number | null;
  readonly outcome: Outcome;
  readonly truth: Truth | null;
  /** Only where the target keeps no ledger. */
  readonly client_side: ClientSide | null;
  /** Without per-request records: those stay in the trial's folder. */
  readonly reported: Omit<ClientReport, 'records'> | null;
  readonly observed: Observed | null;
  /** null: the client keeps no records. */
  readonly joined: Joined | null;
  /** What the client was found to do otherwise than stated of it; null without figures or ledger. */
  readonly faults?: readonly Fault[] | null;
  /** Bias of this trial, for every metric and statistic. */
  readonly bias: readonly TrialBias[];
  readonly warnings: readonly string[];
  /** Where the bias arises, stage by stage; null without joined records. Absent from audits of earlier versions. */
  readonly decomposition?: Decomposition | null;
  /** The second witness; null or absent where nothing was captured. */
  readonly wire?: WireFigures | null;
}

/** Stages of TTFT and E2E over the requests that were joined with the ledger. */
export interface Decomposition {
  /** Which clock the client's stamps are on. */
  readonly clock: RecordClock['clock'];
  /** What was taken from its stamps to have them on CLOCK_MONOTONIC; null for an unknown clock. */
  readonly clock_offset_ns: number | null;
  readonly clock_how: string;
  /** The kernel's stamps split the ways there and back; false, too, where too few requests were captured for that. */
  readonly wire: boolean;
  /** null: the client has no such figure. */
  readonly ttft: FigureDecomposition | null;
  readonly e2e: FigureDecomposition | null;
}

/** What a capture of the trial's port says (docs/wire.md): instants by the kernel, whatever client and target make of them. */
export interface WireFigures {
  /** Completion requests seen, warm-up ones among them. */
  readonly requests: number;
  /** Of the ledger's requests so many were found on the wire, wholly captured; null without a ledger. */
  readonly joined: number | null;
  readonly joined_share: number | null;
  /** Requests whose answer was not captured to its end (the capture ended first): in none of the figures below. */
  readonly unfinished?: number;
  /** The file ends within a packet: the capture was killed. */
  readonly is_truncated?: boolean;
  readonly other_requests: number;
  readonly connections: number;
  /** Connections that could not be read (HTTP/2, pipelining, not HTTP). */
  readonly not_understood: Readonly<Record<string, number>>;
  readonly packets: number;
  /** Packets that the kernel dropped since tcpdump was late, by its own count. */
  readonly dropped: number | null;
  /** dropped / (packets + dropped). */
  readonly loss_share: number | null;
  /** Bytes that the receiver acknowledged and the capture does not hold. */
  readonly unseen_bytes: number;
  readonly capture_bytes: number;
  /** Of the offset between the capture's clock and the ledger's. */
  readonly clock_uncertainty_us: number;
  /** null without a ledger, or where nothing joined. */
  readonly against: LedgerAgainstWire | null;
  /** TTFT and E2E by the wire alone; of answers with tokens that were seen to their end. */
  readonly realized: LedgerAgainstWire['wire'];
  /** reported − wire of the same request, by the client's definition of what ends it; null where records were not joined. */
  readonly client_minus_wire: { readonly ttft_ms: Spread; readonly e2e_ms: Spread } | null;
  /** In words. */
  readonly statement: string;
}

export interface TrialBias extends BiasRow {
  /** 95 % interval of the queueing bias within this trial (blocks of requests), where records allow one. */
  readonly within_low_ms: number | null;
  readonly within_high_ms: number | null;
  /** Why there is no such interval, where the client keeps records; null where there is one. */
  readonly within_reason?: string | null | undefined;
  /** The same statistic of reported − expected taken request by request, over those that were joined with the ledger. */
  readonly paired_ms: number | null;
  readonly paired_low_ms: number | null;
  readonly paired_high_ms: number | null;
  /** Why `paired_ms` has no interval. */
  readonly paired_reason?: string | null | undefined;
  /** `paired_ms` of that tenth of the trial in which it is farthest from zero: what stands for an interval's end where there is none. */
  readonly paired_worst_tenth_ms?: number | null | undefined;
}

/** How many of a client's records were joined with the ledger's rows, and by what. */
export interface Joined {
  readonly by: JoinKey | null;
  readonly records: number;
  readonly joined: number;
  /** Joined records / requests that reached the target. */
  readonly share: number;
  /** Why nothing was joined. */
  readonly reason: string | null;
}

/** One cell of the result: a client at a rate, over its repetitions. */
export interface Finding {
  readonly client: string;
  readonly rate_rps: number;
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly trials: number;
  readonly realized_ms: number | null;
  readonly expected_ms: number | null;
  readonly reported_ms: number | null;
  readonly definition_bias_ms: number | null;
  readonly queueing_bias_ms: number | null;
  readonly total_bias_ms: number | null;
  /**
   * The bias that is judged: of requests one by one where nearly all were joined with the ledger (`pairs`), else of the printed figures
   * (`figures`: the queueing bias above).
   */
  readonly bias_ms: number | null;
  readonly bias_by: 'pairs' | 'figures';
  /** The least share of requests that was joined, over the trials; null where records were not kept or not joined. */
  readonly joined_share: number | null;
  /** 95 % interval of `bias_ms`. */
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  /** Where the interval comes from: `between trials` (two or more repetitions), `within a trial` (blocks of one), `none`. */
  readonly interval: IntervalKind;
  readonly floor_ms: number | null;
  readonly verdict: BiasVerdict;
  /** Why, in words. */
  readonly reason: string;
}

/** A client at a rate: the rate side. */
export interface RateFinding {
  readonly client: string;
  readonly rate_rps: number;
  readonly trials: number;
  /** Who says so: the target's ledger, the client's own records, or what it prints; null: nobody. */
  readonly source: 'ledger' | 'records' | 'printed' | null;
  readonly achieved_rps: number | null;
  readonly reported_rps: number | null;
  /** What the client would print by its own division, were it infinitely fast: with the drain in it where it divides so. */
  readonly expected_rps: number | null;
  readonly fidelity: number | null;
  readonly fidelity_low: number | null;
  readonly fidelity_high: number | null;
  readonly gap_cv2: number | null;
  readonly peak_in_flight: number | null;
  readonly busiest_thread_share: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The smallest bias that this machine can tell from zero now, and how it was got. */
export interface Floor {
  readonly how: string;
  readonly rate_rps: number;
  readonly requests: number;
  /** By metric and statistic, ms; null where it could not be had. */
  readonly floor_ms: Readonly<Record<Metric, Readonly<Record<Statistic, number | null>>>>;
  readonly clock_resolution_ns: number;
  /** The target's own lateness while it was measured; the larger of two runs. */
  readonly target_lateness_p50_ms?: number | null;
  readonly target_lateness_p99_ms?: number | null;
  readonly steal_share?: number | null;
  /** How far ledger and wire are apart, ms, the larger of both runs; null without a capture. It is in the floor of what is timed from the arrival. */
  readonly wire_apart_ms?: { readonly p50: number; readonly p99: number } | null;
  /** Absent in documents of before. */
  readonly against_itself?: AgainstItself;
  /** What the machine alone adds; null where it could not be measured. Absent in documents of before. */
  readonly machine?: MachineFloor | null;
}

/** The same client twice (A/A). */
export interface AgainstItself {
  /** Figures compared: metrics × statistics. */
  readonly figures: number;
  /** Those that differ by more than the two runs' 95 % intervals allow; by chance one in twenty does. */
  readonly beyond: number;
  /** The largest of them. */
  readonly most: {
    readonly metric: Metric;
    readonly statistic: Statistic;
    readonly difference_ms: number;
    readonly allowed_ms: number;
  } | null;
}

export interface ClientEntry {
  readonly name: string;
  readonly title: string;
  readonly found: Found | Missing;
  readonly facts: ClientFacts;
}

export interface AuditDocument {
  readonly schema: typeof AUDIT_SCHEMA;
  readonly tare_version: string;
  /** Git commit that the build was made of, `…+changes` where tracked files differed from it; absent or null where the build did not know it. */
  readonly tare_commit?: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** `finished`, or `interrupted` with what was done. */
  readonly state: 'finished' | 'interrupted';
  readonly host: HostInfo;
  readonly plan: AuditPlan;
  readonly floor: Floor | null;
  /** What the machine alone adds, where no floor could be had to hold it. */
  readonly machine?: MachineFloor | null;
  readonly clients: readonly ClientEntry[];
  readonly trials: readonly Trial[];
  readonly findings: readonly Finding[];
  readonly rates: readonly RateFinding[];
  readonly warnings: readonly { readonly code: string; readonly evidence: string; readonly remedy: string }[];
}

/** What the machine alone adds, floor or not; null where it was not measured. */
export const machineOf = ({
  floor,
  machine,
}: Pick<AuditDocument, 'floor' | 'machine'>): MachineFloor | null => floor?.machine ?? machine ?? null;
