/** The command that repeats an audit, from its plan. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { commandLine } from '../command-line.ts';

type Flag = readonly [name: string, value: string];

/** What `tare audit` takes where nothing is said (src/cli/audit.ts); results of other values name them. */
const DEFAULT_PROMPT_TOKENS = 32;

function targetFlags({ target, latency }: AuditDocument['plan']): readonly Flag[] {
  if (target.kind === 'reference') return [['--latency', latency]];
  if (target.kind !== 'external')
    return [
      ['--target', target.kind],
      ['--latency', latency],
    ];
  return [
    ['--target', target.url!],
    ['--model', target.model],
  ];
}

/** A client from a file has it kept in the results folder; its name alone would not be known elsewhere. */
function clientValue(document: AuditDocument, name: string): string {
  const entry = document.clients.find((one) => one.name === name);
  const file = entry?.found.state === 'found' ? entry.found.handle.client_file : undefined;
  return file ?? name;
}

/** A whole line for a shell. */
export function auditCommand(document: AuditDocument): string {
  const { plan } = document;
  const flags: readonly Flag[] = [
    ...plan.clients.map((client): Flag => ['--client', clientValue(document, client)]),
    ['--rate', plan.rates_rps.join(',')],
    ['--duration', `${plan.duration_s}s`],
    ['--arrivals', Object.keys(plan.arrivals_otherwise).length > 0 ? 'auto' : plan.arrivals],
    ...targetFlags(plan),
    ['--tokens', String(plan.output_tokens)],
    ...(plan.prompt_tokens === DEFAULT_PROMPT_TOKENS
      ? []
      : [['--prompt-tokens', String(plan.prompt_tokens)] as Flag]),
    ['--repeat', String(plan.repetitions)],
    ['--seed', String(plan.seed)],
    ...(plan.workers === null ? [] : [['--workers', String(plan.workers)] as Flag]),
  ];
  const wire = plan.wire === undefined ? [] : [plan.wire === 'keep' ? '--wire-keep' : '--wire'];
  const pin = plan.pinning_note.includes('--no-pin') ? ['--no-pin'] : [];
  const remote = plan.target.remote ? ['--allow-remote'] : [];
  return commandLine(['tare', 'audit', ...flags.flat(), ...wire, ...pin, ...remote]);
}
