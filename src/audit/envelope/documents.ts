/** The documents of a search from its state: envelope.json, and the same trials in the shape of an audit. Pure. */
import type { HostInfo } from '../../system/host.ts';
import {
  AUDIT_SCHEMA,
  type AuditDocument,
  type AuditPlan,
  type ClientEntry,
  type Floor,
  type Trial,
} from '../document.ts';
import { findings, rateFindings } from '../findings.ts';
import { type Warning, warningsOf } from '../warnings.ts';
import {
  ENVELOPE_SCHEMA,
  type EnvelopeDocument,
  type EnvelopeSearch,
  type EnvelopeTrial,
} from './document.ts';
import { clientResult, type Ended, noiseOf } from './result.ts';

/** What is known of a search at some instant. */
export interface EnvelopeState {
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly plan: AuditPlan;
  readonly search: EnvelopeSearch;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly floor: Floor | null;
  /** Warnings from before the trials. */
  readonly warnings: readonly Warning[];
  readonly trials: readonly Trial[];
  readonly judged: readonly EnvelopeTrial[];
  readonly ended: ReadonlyMap<string, Ended>;
}

/** A search without a floor does not begin, or does not need one; and what a figure's interval lacked is said of each trial. */
const ELSEWHERE = new Set(['no-floor', 'few-requests']);

/** envelope.json. */
export function documentOf(state: EnvelopeState): EnvelopeDocument {
  const { search, floor, host, trials, judged, ended, finishedAt } = state;
  const isOver = state.plan.clients.every((name) => ended.has(name));
  const rates = [...new Set(judged.map(({ rate_rps }) => rate_rps))].sort((a, b) => a - b);
  const plan = { ...state.plan, rates_rps: rates.length > 0 ? rates : [search.from_rps] };
  const noise = noiseOf(judged, plan.clients, search.confirm);
  return {
    schema: ENVELOPE_SCHEMA,
    tare_version: state.version,
    started_at: state.startedAt,
    finished_at: finishedAt,
    state: isOver && finishedAt !== null ? 'finished' : 'interrupted',
    host,
    plan,
    search,
    floor,
    clients: state.clients.map((entry) =>
      clientResult(
        entry,
        search,
        judged.filter(({ client }) => client === entry.name),
        trials,
        floor,
        ended.get(entry.name) ?? { why: 'interrupted', reason: '' },
        noise.used,
      ),
    ),
    trials: judged,
    noise,
    warnings: [
      ...state.warnings,
      ...warningsOf(host, plan, trials, floor, floor?.machine ?? null).filter(
        ({ code }) => !ELSEWHERE.has(code),
      ),
    ],
    provenance: [],
  };
}

/** audit.json of the same trials. */
export function auditOf(state: EnvelopeState, document: EnvelopeDocument): AuditDocument {
  const { tare_version, started_at, finished_at, host, plan, floor, warnings } = document;
  return {
    schema: AUDIT_SCHEMA,
    tare_version,
    started_at,
    finished_at,
    state: document.state,
    host,
    plan,
    floor,
    clients: state.clients,
    trials: state.trials,
    findings: findings(state.trials, floor),
    rates: rateFindings(state.trials),
    warnings,
  };
}
