/** What `tare probe` found in real clients, as data: docs/findings.md is made from it, and a claim's client is looked up in it. */

/** A fault that a client showed, with all the probes that show it. */
export interface FoundFault {
  /** In kebab case, as in docs/probes.md. */
  readonly fault: string;
  /** The run of the client ended without a result. */
  readonly no_result: boolean;
  /** The first of them is what `words`, `size` and `command` are of. */
  readonly probes: readonly string[];
  /** So many further probes, which are not named. */
  readonly more_probes: number;
  /** What it does, at the first probe, with figures. */
  readonly words: string;
  /** How far off the figure is there: `TTFT p50 +600 ms (+300 %)`; null without a figure. */
  readonly size: string | null;
  /** Shows it again. */
  readonly command: string;
}

/** One client in one version. */
export interface FoundInClient {
  /** The adapter's name. */
  readonly client: string;
  /** As the client spells it. */
  readonly version: string;
  /** Probes by verdict. */
  readonly counts: {
    readonly right: number;
    readonly other_definition: number;
    readonly faulty: number;
    readonly crashed: number;
    readonly not_applicable: number;
    readonly undetermined: number;
  };
  readonly elapsed_s: number;
  readonly faults: readonly FoundFault[];
  /** Probes under which it was wrong by nothing known, perhaps by its own load. */
  readonly unnamed: { readonly probes: readonly string[]; readonly more_probes: number };
}

export interface FindingData {
  /** Day of the probing, ISO 8601. */
  readonly found_on: string;
  readonly clients: readonly FoundInClient[];
}
