/** What is known from elsewhere than the claim: of the client that it names, and of that client on this machine. Data only. */
import type { AuditDocument } from '../audit/document.ts';
import type { CostProfile } from '../measure/cost.ts';

/** What one client measures, in words: from its adapter's facts. */
export interface KnownDefinition {
  /** `ttft`, `tpot`, `t0`, `token source`, `failures` … */
  readonly about: string;
  /** One sentence. */
  readonly what: string;
  /** In its source or manual. */
  readonly where: string;
}

/** A fault or a peculiarity of a client that was found by running it. */
export interface KnownFinding {
  /** One sentence, the figures in it. */
  readonly what: string;
  /** What it does to a published figure; which way it errs. */
  readonly consequence: string;
  /** Versions that it was found in, as the client spells them. */
  readonly versions: string;
  /** The command of ours that shows it again, or the public page that it stands on. */
  readonly source: string;
}

/** Fields of `ClaimMeasurement` that the client itself decides, whatever a page says: null where its flags decide, or it is not known. */
export interface ClientDecides {
  readonly loop: 'single' | 'multi' | null;
  readonly t0: 'scheduled' | 'queued' | 'sent' | null;
  readonly tokenSource: 'usage' | 'client tokenizer' | 'requested' | 'chunks' | null;
  /** An arrival process that it has; empty: not known. A closed loop and "all at once" are not listed here. */
  readonly arrivals: readonly ('constant' | 'poisson' | 'gamma' | 'trace')[];
  readonly streaming: 'yes' | 'no' | null;
}

export interface ClientKnowledge {
  /** The adapter's name (`tare doctor`), and its title. */
  readonly name: string;
  readonly title: string;
  /** Version that the facts were read in. */
  readonly version: string;
  readonly architecture: string;
  /** Processes that send load, in words. */
  readonly processes: string;
  /** Path of the script that Tare ships for it, which definitions and findings are of; null: the client needs none. */
  readonly script?: string | null;
  readonly decides: ClientDecides;
  readonly definitions: readonly KnownDefinition[];
  readonly findings: readonly KnownFinding[];
}

/** An audit of this machine: the folder it was read from, as the user may type it, and its document. */
export interface LocalAudit {
  readonly folder: string;
  readonly document: AuditDocument;
  /** The user gave it for this claim (`--audit`), and so says that the claim's client ran on that machine. Absent: no. */
  readonly given?: boolean;
  /** What a request costs the claim's client here, where `tare profile` has measured it. */
  readonly profile?: CostProfile | null;
}

/** What audits of this machine say of the client's own delay in one figure of the claim. Only `bounded` is known of the claim's own conditions. */
export type ExpectedBias = {
  readonly row: string;
  /** `ClaimFigure.id`; null: it is about the row as a whole, e.g. no audit at its rate. */
  readonly figure: string | null;
  /** Folder, client and version of the audit; null where there is none. */
  readonly audit: { readonly folder: string; readonly client: string; readonly version: string } | null;
  /** How machine, version, lengths and arrivals of the claim differ from the audit's, a sentence each; all of them limit the interval. */
  readonly caveats: readonly string[];
} & (
  | {
      readonly state: 'bounded';
      /** Reported − realized, ms; 95 %, and widened over the rates of the bracket. */
      readonly low_ms: number;
      readonly high_ms: number;
      /** Of them, what the client's own queueing does (reported − expected); null where it is not known apart. */
      readonly queueing_low_ms: number | null;
      readonly queueing_high_ms: number | null;
      /** Audited rates on both sides of the claim's (the same twice where it was audited itself), requests/s. */
      readonly rates_rps: readonly [number, number];
      /** Figure of the audit that was used: `ttft_p99`. */
      readonly of: string;
      /** One sentence with the figures. */
      readonly words: string;
    }
  | {
      /** An interval of other conditions (another machine, version, arrivals …): says how large it may be, and is never a verdict's ground. */
      readonly state: 'order of magnitude';
      /** Why it is no more than that. */
      readonly reason: string;
      readonly low_ms: number;
      readonly high_ms: number;
      readonly rates_rps: readonly [number, number];
      readonly of: string;
      readonly words: string;
    }
  | {
      readonly state: 'unknown';
      /** Why there is no interval, and what to run for one. */
      readonly reason: string;
    }
);
