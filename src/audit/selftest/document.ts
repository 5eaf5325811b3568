/** What `tare selftest --json` prints. Every field names its unit. */
import type { Fault, FaultKind } from '../../measure/diagnosis/fault.ts';
import type { HostInfo } from '../../system/host.ts';
import type { Floor } from '../document.ts';
import type { ControlVerdict } from './judge.ts';

export const SELFTEST_SCHEMA = 'tare-selftest/1';

/** One control, once. */
export interface ControlResult {
  readonly control: string;
  /** As `tare load --fault` takes it; null: the client as it is. */
  readonly fault: string | null;
  /** `tare`, or another client whose fault is its own. */
  readonly client: string;
  readonly repetition: number;
  /** Place in the random order, from 0. */
  readonly order: number;
  readonly expects: FaultKind | null;
  /** In the unit of the kind; null for a clean client, or where the trial has no figures. */
  readonly expected_size: number | null;
  readonly size: number | null;
  readonly unit: string | null;
  readonly arithmetic: string;
  readonly verdict: ControlVerdict;
  readonly reason: string;
  /** All that was found. */
  readonly found: readonly Fault[];
  readonly requests: number;
  readonly steal_share: number | null;
  readonly core_wait_share: number | null;
  readonly target_lateness_p99_ms: number | null;
  /** How often it was run: again where the machine disturbed it, whatever came out. */
  readonly tries: number;
  readonly elapsed_s: number;
}

export interface SelftestDocument {
  readonly schema: typeof SELFTEST_SCHEMA;
  readonly tare_version: string;
  readonly started_at: string;
  readonly elapsed_s: number;
  readonly state: 'finished' | 'interrupted';
  readonly host: HostInfo;
  readonly pinning_note: string;
  readonly seed: number;
  readonly floor: Floor | null;
  readonly controls: readonly ControlResult[];
  /** Controls that came out right, and all. */
  readonly right: number;
  readonly total: number;
  /** Clean runs, and those in which something was found. */
  readonly clean_runs: number;
  readonly accused: number;
  /** Those that the machine disturbed each time. */
  readonly undetermined: number;
  /** Of the faults and of the clean runs at least 19 in 20 came out right. */
  readonly passed: boolean;
}
