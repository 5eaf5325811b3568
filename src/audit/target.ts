/** The server under load, of whatever kind: how a trial starts it, and what it leaves. */
import type { Workload } from '../measure/workload.ts';
import type { Launcher } from '../system/launcher.ts';
import type { Exported, TargetInfo } from './document.ts';

export interface TargetOptions {
  readonly launcher: Launcher;
  readonly workload: Workload;
  readonly model: string;
  /** The trial's folder: what the target writes goes there. */
  readonly dir: string;
  readonly cpus: readonly number[] | null;
  /** Rows that a ledger must hold. */
  readonly capacity: number;
  readonly deadlineMs: number;
}

/** What a target leaves when a trial is over. */
export interface TargetEnd {
  /** Why the trial cannot count: it died, or left no ledger where it keeps one. */
  readonly failure: string | null;
  /** null: it exports nothing that can be used. */
  readonly exported: Exported | null;
}

export interface RunningTarget {
  readonly url: string;
  /** null: it keeps none. */
  readonly ledgerFile: string | null;
  /** Of an https target: the authority that clients are to trust, PEM. */
  readonly caFile?: string;
  /** Waits for what is in flight (not for ever), ends what Tare started, and says what is left. */
  stop(): Promise<TargetEnd>;
}

/** A kind of target. `start` throws with the target's own words where it is not ready. */
export interface TargetSource {
  start(options: TargetOptions): Promise<RunningTarget>;
}

/** Whether its ledger says what really happened. */
export const keepsLedger = (target: TargetInfo): boolean => target.kind === 'reference';
