/**
 * Provenance: under what conditions a figure came about. No chart can be built without it (see chart.ts), since a bias without the
 * client's version, its architecture, its t0, the host and the harness's own floor cannot be checked by anyone.
 */
import type { AuditDocument, ClientEntry } from '../src/audit/document.ts';
import { observedBriefly } from './architecture-words.ts';
import { ms } from './format.ts';
import { repetitionWords } from './repetitions.ts';
import { hasTruth, targetLine } from './target-words.ts';
import { clipped, count, grouped } from './text.ts';

export interface ClientProvenance {
  readonly name: string;
  readonly version: string;
  readonly origin: string;
  /** Processes, threads and who of them does the work, as /proc showed them. */
  readonly observed: string;
  readonly documented: string;
  readonly workers: string;
  readonly concurrency: string;
  readonly t0: string;
  /** Where the expected number of output tokens, by which TPOT and NTPOT divide, comes from. */
  readonly output_tokens_source: string;
}

export interface Provenance {
  readonly clients: readonly ClientProvenance[];
  readonly target: string;
  readonly prefix_cache: string;
  readonly host: string;
  readonly pinning: string;
  readonly workload: string;
  readonly seed: string;
  readonly repetitions: string;
  readonly floor: string;
  readonly harness: string;
}

const TOKEN_SOURCE = {
  usage: "the server's usage record",
  clientTokenizer: "the client's own tokenizer",
  requested: 'the length asked for, not the length received',
  chunks: 'a count of chunks',
} as const;

/** Every chart carries these; a text of outside longer than this is whole in audit.json. */
const SHOWN = 160;
const shown = (text: string): string => clipped(text, SHOWN);

/** The largest of some figures that may be absent. */
function largest(values: readonly (number | null | undefined)[]): number | null {
  const present = values.filter((value): value is number => value !== null && value !== undefined);
  return present.length === 0 ? null : Math.max(...present);
}

function clientProvenance(document: AuditDocument, entry: ClientEntry): ClientProvenance {
  const trials = document.trials.filter((trial) => trial.client === entry.name);
  const peak = largest(
    trials.map((trial) => trial.truth?.peak_in_flight ?? trial.client_side?.peak_in_flight),
  );
  const { definitions } = entry.facts;
  return {
    name: shown(entry.name),
    version: entry.found.state === 'found' ? shown(entry.found.version) : 'not installed',
    origin: entry.found.state === 'found' ? shown(entry.found.origin) : shown(entry.found.reason),
    observed: observedBriefly(trials, entry.facts.runtime),
    documented: shown(entry.facts.architecture),
    workers: document.plan.workers === null ? "the client's own default" : grouped(document.plan.workers),
    concurrency:
      peak === null
        ? 'not seen'
        : `at most ${grouped(peak)} requests in flight${hasTruth(document) ? '' : ' by its own records'}`,
    t0: `${definitions.t0} (${shown(definitions.t0Detail)})`,
    output_tokens_source: TOKEN_SOURCE[definitions.tokenSource],
  };
}

function floorLine(document: AuditDocument): string {
  const { floor } = document;
  if (!hasTruth(document)) return 'not measured: without a ledger there is no bias to hold against it';
  if (floor === null) return 'not measured: small bias cannot be told from none';
  const { ttft } = floor.floor_ms;
  return (
    `TTFT p50 ${ms(ttft.p50)} ms, p99 ${ms(ttft.p99)} ms, at ${grouped(floor.rate_rps)} requests/s over ` +
    `${count(floor.requests, 'request')} (${shown(floor.how)}); clock step ${grouped(Math.round(floor.clock_resolution_ns))} ns`
  );
}

/** `Tare 0.1.0 (commit 2572c5c0d1e2)`; without the commit where the build did not know it. */
export const harnessName = ({ tare_version, tare_commit }: AuditDocument): string =>
  `Tare ${shown(tare_version)}${tare_commit == null ? '' : ` (commit ${shortCommit(tare_commit)})`}`;

/** Of a commit what tells it, and whether files differed from it. */
const shortCommit = (commit: string): string => shown(commit).replace(/^([\da-f]{12})[\da-f]+/, '$1');

/** ` (poisson for sglang)`; empty where every client was asked for the same. */
function otherArrivals(plan: AuditDocument['plan'], names: readonly string[] | undefined): string {
  const others = Object.entries(plan.arrivals_otherwise).filter(([name]) => names?.includes(name) ?? true);
  return others.length === 0
    ? ''
    : ` (${others.map(([name, process]) => `${shown(process)} for ${shown(name)}`).join(', ')})`;
}

/** The provenance of an audit's figures, for the clients named (all of the audit's by default). */
export function provenanceOf(document: AuditDocument, names?: readonly string[]): Provenance {
  const { plan, host } = document;
  const cores = (cpus: readonly number[] | null) => (cpus === null ? 'any core' : `core ${cpus.join(', ')}`);
  return {
    clients: document.clients
      .filter((entry) => names === undefined || names.includes(entry.name))
      .map((entry) => clientProvenance(document, entry)),
    target: targetLine(document),
    prefix_cache:
      plan.target.kind === 'external' ? 'unknown: the target may have one' : 'off: the target has none',
    host: `${shown(host.cpu_model)}, ${count(host.cores, 'core')}, ${grouped(host.memory_mb)} MB; ${shown(host.os)}, kernel ${shown(host.kernel)}`,
    pinning: `target on ${cores(plan.target_cpus)}, client on ${cores(plan.client_cpus)}${
      plan.pinning_note === '' ? '' : ` (${shown(plan.pinning_note)})`
    }`,
    workload:
      `${shown(plan.arrivals)} arrivals${otherArrivals(plan, names)} for ${grouped(plan.duration_s)} s a trial, ${count(plan.prompt_tokens, 'prompt token')}, ` +
      `${count(plan.output_tokens, 'output token')}, injected latency ${shown(plan.latency)}`,
    seed: String(plan.seed),
    repetitions: `${repetitionWords(document)} a rate, in random order, a fresh process each`,
    floor: floorLine(document),
    harness: `${harnessName(document)}, node ${shown(host.node)}, started ${shown(document.started_at)}${
      document.state === 'interrupted' ? '; the audit was interrupted' : ''
    }`,
  };
}

/** Provenance as labelled lines, one for what is common and one a client. */
export function provenanceLines(provenance: Provenance): readonly { label: string; text: string }[] {
  return [
    ...provenance.clients.map((client) => ({
      label: `${client.name} ${client.version}`,
      text:
        `${client.origin}. Observed: ${client.observed}, ${client.concurrency}. Documented: ${client.documented}. ` +
        `Workers: ${client.workers}. t0: ${client.t0}. E[output tokens] from ${client.output_tokens_source}.`,
    })),
    {
      label: 'Workload',
      text: `${provenance.workload}; seed ${provenance.seed}; ${provenance.repetitions}.`,
    },
    { label: 'Target', text: `${provenance.target}.` },
    { label: 'Prefix cache', text: `${provenance.prefix_cache}.` },
    { label: 'Host', text: `${provenance.host}; ${provenance.pinning}.` },
    { label: 'Floor', text: `${provenance.floor}.` },
    { label: 'Harness', text: `${provenance.harness}.` },
  ];
}
