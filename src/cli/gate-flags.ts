/** The flags of `tare gate`, parsed. */
import type { RunGoals } from '../audit/gate/slo.ts';
import type { Tolerance } from '../measure/envelope/tolerance.ts';

export interface GateFlags {
  client?: string[];
  rate?: number[];
  tolerance?: Tolerance;
  budget?: number;
  duration?: number;
  arrivals: string;
  latency?: string;
  tokens: number;
  promptTokens: number;
  seed: number;
  workers: number | 'auto';
  pin: boolean;
  fault?: string;
  baseline?: string;
  otherHost: boolean;
  otherVersion: boolean;
  baselineOptional: boolean;
  against?: string;
  allow?: Tolerance;
  load?: string[];
  slo?: RunGoals;
  out?: string;
  junit?: string;
  dryRun: boolean;
  json: boolean;
}
