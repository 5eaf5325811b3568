/** The result of `tare probe`, as it leaves the process. Every figure names its unit. */
import type { HostInfo } from '../../system/host.ts';

export const PROBE_SCHEMA = 'tare-probe/1';

/** Mildest first, but for the last two, which are no verdict on the client. */
export const PROBE_VERDICTS = [
  'right',
  'other definition',
  'faulty',
  'crashed',
  'not applicable',
  'undetermined',
] as const;
export type ProbeVerdict = (typeof PROBE_VERDICTS)[number];

/** A figure of a cell: what is right, what the client says. */
export interface CellFigure {
  /** `success`, `tokens`, `ttft mean`, `ttft p50`, …; of a probe of load its own words. */
  readonly name: string;
  readonly unit: string;
  readonly right: number | null;
  /** What the client's stated definitions make of it, where that is not the right figure; else null. */
  readonly stated: number | null;
  /** What the client says; null: nothing. */
  readonly got: number | null;
  /** `printed`: its own summary; `records`: its record of each request; `ledger`: what the target saw. */
  readonly by: 'printed' | 'records' | 'ledger';
  /** How much more than right still is right; how much less, where that is not the same. */
  readonly tolerance: number;
  readonly tolerance_below?: number;
  readonly verdict: ProbeVerdict;
  /** The fault or definition that explains it, where it is not right; null where nothing known does. */
  readonly kind: string | null;
}

/** One client under one probe. */
export interface ProbeCell {
  readonly client: string;
  readonly probe: string;
  readonly verdict: ProbeVerdict;
  /** The fault, or the definition, in kebab case; `unnamed` where nothing known explains the figures. null where it is right or not judged. */
  readonly kind: string | null;
  /** One or two sentences: what it did, or why it is not judged. */
  readonly words: string;
  /** How far off the figure is that shows it best: got − right; `percent` of what is right, −97.5 for −97.5 %. */
  readonly size: {
    readonly figure: string;
    readonly value: number;
    readonly unit: string;
    readonly percent: number | null;
  } | null;
  readonly figures: readonly CellFigure[];
  /** Requests of this probe that were judged. */
  readonly requests: number;
  /** The run that the figures are of: its id in the client's `runs`; null where none was made. */
  readonly run: string | null;
  /** Verdict of an earlier run that this one was to confirm; null: there was none. */
  readonly confirms: ProbeVerdict | null;
}

/** One launch of a client. */
export interface ProbeRun {
  readonly id: string;
  /** Probes whose requests it carried. */
  readonly probes: readonly string[];
  readonly requests: number;
  readonly rate_rps: number;
  readonly elapsed_s: number;
  readonly command: readonly string[];
  readonly exit_code: number | null;
  /** How it ended, in words, e.g. `exited with 0`, `ended by SIGKILL after 20 s`. */
  readonly end: string;
  /** null: it left figures. */
  readonly failure: string | null;
  /** How late the target's writes were, worst, ms. */
  readonly late_ms: number | null;
  /** Share of CPU time that the hypervisor took meanwhile, 0 … 1; null where the machine does not say. */
  readonly steal_share: number | null;
}

export interface ProbedClient {
  readonly client: string;
  readonly version: string;
  readonly path: string;
  readonly origin: string;
  /** The client file that it came from, as it was given; absent for those that Tare knows. */
  readonly file?: string;
  /** Time for all probes that are not of load, and for those of load, s. */
  readonly elapsed_s: number;
  readonly load_elapsed_s: number;
  readonly runs: readonly ProbeRun[];
}

/** One write, for people: control characters are spelled out, long text is cut. */
export interface ShownWrite {
  readonly at_ms: number;
  readonly bytes: number;
  readonly text: string;
  /** Instead of one write: so many that are not shown, the first of them at `at_ms`; `text` says what they are like. */
  readonly left_out?: number;
}

export interface ShownKnown {
  readonly kind: string;
  readonly what: string;
  readonly arithmetic: string;
  readonly definition: boolean;
  readonly reported: readonly string[];
}

/** A probe as the result shows it. */
export interface ShownProbe {
  readonly id: string;
  readonly group: string;
  readonly scope: 'request' | 'run' | 'load';
  readonly title: string;
  readonly about: string;
  readonly source: string;
  readonly right: string;
  readonly known: readonly ShownKnown[];
  /** What is sent to its first request; further places where they differ. Empty for a probe of load on the reference target. */
  readonly sent: readonly {
    readonly place: number;
    readonly writes: readonly ShownWrite[];
    readonly ending: string;
  }[];
  /** Runs of a probe of load, one line each. */
  readonly load: readonly string[];
}

export interface ProbeDocument {
  readonly schema: typeof PROBE_SCHEMA;
  readonly tare_version: string;
  readonly started_at: string;
  readonly elapsed_s: number;
  /** Interrupted: what was finished by then is here. */
  readonly state: 'finished' | 'interrupted';
  /** Clients that were asked for, and not begun when it was interrupted. */
  readonly not_run: readonly string[];
  readonly host: HostInfo;
  /** How processes were pinned, in words. */
  readonly pinning_note: string;
  readonly seed: number;
  /** Whether the probes of load were run. */
  readonly load: boolean;
  readonly clients: readonly ProbedClient[];
  readonly probes: readonly ShownProbe[];
  readonly cells: readonly ProbeCell[];
}
