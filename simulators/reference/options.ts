/** What the reference target can be told, and its defaults. */
import type { Capacity } from '../../src/truth/recorder.ts';
import type { FaultShares } from './faults.ts';
import type { RoleMode } from './frames.ts';
import type { ModelSpec } from './plan.ts';
import type { SlotLimits } from './slots.ts';

export const PACING_CHOICES = ['auto', 'spin', 'block'] as const;
export type PacingChoice = (typeof PACING_CHOICES)[number];

export interface ReferenceOptions extends FaultShares {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly model: ModelSpec;
  /** The latency model as its flag spells it. */
  readonly latency: string;
  readonly seed: number;
  readonly pacing: PacingChoice;
  readonly role: RoleMode;
  readonly earlyHeaders: boolean;
  /** How long after a stream's last token its usage, [DONE] and end are written, ns; 0: in the same write. */
  readonly tailNs: number;
  /** How much it can do at once; null: anything. */
  readonly slots: SlotLimits | null;
  readonly maxBodyBytes: number;
  readonly capacity: Capacity;
  /** Where the ledger goes at the end; null: nowhere. */
  readonly ledgerFile: string | null;
  /** Longest time spent warming up, ms; 0 for none. */
  readonly warmUpMs: number;
}

export const DEFAULT_OPTIONS: ReferenceOptions = {
  host: '127.0.0.1',
  port: 8000,
  model: { name: 'tare-reference', defaultTokens: 16, maxModelLen: 131_072, eos: null },
  latency: 'zero',
  seed: 1,
  pacing: 'auto',
  role: 'merged',
  earlyHeaders: false,
  tailNs: 0,
  refuseShare: 0,
  breakShare: 0,
  slots: null,
  maxBodyBytes: 10 * 2 ** 20,
  capacity: { requests: 1_000_000, tokens: 16_000_000 },
  ledgerFile: null,
  warmUpMs: 1000,
};
