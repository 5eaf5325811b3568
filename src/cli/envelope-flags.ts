/** The flags of `tare envelope`, parsed. */
import type { Tolerance } from '../measure/envelope/tolerance.ts';

export interface EnvelopeFlags {
  client?: string[];
  tolerance?: Tolerance;
  from: number;
  to: number;
  budget?: number;
  budgetTime?: number;
  duration?: number;
  confirm: number;
  ratio: number;
  arrivals: string;
  latency?: string;
  tokens: number;
  promptTokens: number;
  seed: number;
  workers: number | null;
  pin: boolean;
  out?: string;
  resume?: string;
  yes: boolean;
  json: boolean;
}
