/** What was the same in two audits and what was not, apart from the clients' own figures. Pure. */
import type { AuditDocument } from '../document.ts';
import type { Condition, ConditionGroup } from './document.ts';

type Value = string | number | null | undefined | readonly number[];

/** Not recorded. Two of these are not the same: nobody knows. */
const UNKNOWN = 'unknown';

const words = (value: Value, unit = ''): string => {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  return `${value}${unit}`;
};

const cores = (value: readonly number[] | null): string => (value === null ? 'not pinned' : words(value));

function row(group: ConditionGroup, what: string, a: string, b: string): Condition {
  const unknown = a === UNKNOWN || b === UNKNOWN;
  return { group, what, a, b, state: unknown ? 'unknown' : a === b ? 'same' : 'differs' };
}

const measured = (what: string, a: string, b: string): Condition => ({
  group: 'state',
  what,
  a,
  b,
  state: 'measured',
});

/** Arrivals asked for, with the clients that were asked for others. */
function arrivals({ plan }: AuditDocument): string {
  const others = Object.entries(plan.arrivals_otherwise).map(
    ([client, process]) => `${process} for ${client}`,
  );
  return others.length === 0 ? plan.arrivals : `${plan.arrivals} (${others.sort().join(', ')})`;
}

const target = ({ plan: { target: t } }: AuditDocument): string =>
  t.kind === 'external' ? `external, ${t.url ?? 'no address'}` : t.kind;

const floor = (document: AuditDocument, statistic: 'p50' | 'p99'): string => {
  const value = document.floor?.floor_ms.ttft[statistic] ?? null;
  return value === null ? 'not measured' : `${Number(value.toPrecision(3))} ms`;
};

/** Kinds of warning, each once. */
const warnings = (document: AuditDocument): string => {
  const codes = [...new Set(document.warnings.map(({ code }) => code))].sort();
  return codes.length === 0 ? 'none' : codes.join(', ');
};

/** Memory that the kernel leaves differs by some MB from start to start. */
const MEMORY_TOLERANCE = 0.02;

const gigabytes = (mb: number): string => `${(mb / 1024).toFixed(1)} GB`;

/** Within the tolerance it is the same memory, whatever it rounds to. */
function memory(a: number, b: number): Condition {
  const alike = Math.abs(a - b) <= MEMORY_TOLERANCE * Math.max(a, b);
  const [x, y] = [gigabytes(a), gigabytes(alike ? a : b)];
  return {
    group: 'machine',
    what: 'memory',
    a: x === y && !alike ? `${a} MB` : x,
    b: x === y && !alike ? `${b} MB` : y,
    state: alike ? 'same' : 'differs',
  };
}

/** Every condition that is recorded, grouped by what it bears on. */
export function conditionsOf(a: AuditDocument, b: AuditDocument): readonly Condition[] {
  const both = (group: ConditionGroup, what: string, of: (document: AuditDocument) => string) =>
    row(group, what, of(a), of(b));
  const found = (what: string, of: (document: AuditDocument) => string) => measured(what, of(a), of(b));
  return [
    both('machine', 'CPU', ({ host }) => host.cpu_model),
    both('machine', 'cores', ({ host }) => words(host.cores)),
    both('placement', 'cores allowed', ({ host }) => words(host.allowed_cpus)),
    memory(a.host.memory_mb, b.host.memory_mb),
    both('machine', 'architecture', ({ host }) => host.arch),
    both('software', 'system', ({ host }) => host.os),
    both('software', 'kernel', ({ host }) => host.kernel),
    both('software', 'CPU governor', ({ host }) => words(host.cpu_governor)),
    both('software', 'glibc', ({ host }) => words(host.glibc)),
    both('software', 'Python', ({ host }) => words(host.python)),
    both('software', 'open-files limit', ({ host }) => words(host.open_files_limit)),
    both('software', 'ephemeral ports', ({ host }) => words(host.ephemeral_ports)),
    both('placement', 'cores of the target', ({ plan }) => cores(plan.target_cpus)),
    both('placement', 'cores of the client', ({ plan }) => cores(plan.client_cpus)),
    both('placement', 'pinning', ({ plan }) => plan.pinning_note || 'no note'),
    both('harness', 'Tare', ({ tare_version }) => tare_version),
    both('harness', 'Node.js', ({ host }) => host.node),
    both('harness', 'capture of the wire', ({ plan }) => (plan.wire === undefined ? 'no' : 'yes')),
    both('workload', 'target', target),
    both('workload', 'target version', ({ plan, tare_version }) =>
      plan.target.kind === 'reference' ? `Tare ${tare_version}` : words(plan.target.version),
    ),
    both('workload', 'model', ({ plan }) => plan.target.model),
    both('workload', 'arrivals', arrivals),
    both('workload', 'injected latency', ({ plan }) => plan.latency),
    both('workload', 'prompt tokens', ({ plan }) => words(plan.prompt_tokens)),
    both('workload', 'output tokens', ({ plan }) => words(plan.output_tokens)),
    both('settings', 'rates', ({ plan }) => `${words(plan.rates_rps)} requests/s`),
    both('settings', 'length of a trial', ({ plan }) => words(plan.duration_s, ' s')),
    both('settings', 'repetitions', ({ plan }) => words(plan.repetitions)),
    both('settings', 'seed', ({ plan }) => words(plan.seed)),
    both('settings', 'workers', ({ plan }) =>
      plan.workers === null ? "the client's default" : words(plan.workers),
    ),
    both('settings', 'clients in the audit', ({ plan }) => words([...plan.clients].sort().join(', '))),
    both('state', 'whether it ran to its end', ({ state }) =>
      state === 'finished' ? 'yes' : 'no, interrupted',
    ),
    both('state', 'warnings', warnings),
    found('started', ({ started_at }) => started_at),
    found('load before the start', ({ host }) => words(host.load_1m)),
    found('swap in use', ({ host }) => words(host.swap_used_mb, ' MB')),
    found('floor of TTFT p50', (document) => floor(document, 'p50')),
    found('floor of TTFT p99', (document) => floor(document, 'p99')),
  ];
}
