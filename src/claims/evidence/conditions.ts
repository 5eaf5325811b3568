/** How an audit's conditions differ from a row's: what makes it another thing, what makes it an order of magnitude only, and what to bear in mind. Pure. */
import type { AuditDocument, ClientEntry } from '../../audit/document.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import type { LocalAudit } from '../evidence-types.ts';
import { scriptOf } from './definition-lines.ts';
import { hostWords, readsAsHost } from './hosts.ts';
import { sameVersion } from './known-client.ts';
import type { RowLoad } from './row-load.ts';

export interface Conditions {
  /** Why this audit says nothing of the row; null: it does. */
  readonly refusal: string | null;
  /** Each changes what is measured (machine, version, lengths, arrivals, processes, script) and makes the interval an order of magnitude. */
  readonly limits: readonly string[];
  /** Each informs: it stands beside the interval, and beside a verdict that rests on it. */
  readonly caveats: readonly string[];
}

/** Prompts up to so many times as long as the audited ones are taken as alike. A choice: a client makes, and some tokenize, each prompt. */
export const PROMPT_ALIKE = 2;

export const versionOf = (entry: ClientEntry): string =>
  entry.found.state === 'found' ? entry.found.version : '';

/** The process that this client's trials were sent by. */
const arrivalsOf = (document: AuditDocument, client: string): string =>
  document.trials.find((trial) => trial.client === client)?.workload.arrivals.kind ?? document.plan.arrivals;

function refusalOf(claim: Claim, row: ClaimRow, audit: LocalAudit, client: string): string | null {
  const { plan } = audit.document;
  const { arrivals, processes } = claim.measurement;
  const facts = audit.document.clients.find(({ name }) => name === client)!.facts;
  if (plan.target.kind !== 'reference')
    return 'Its target kept no ledger, so that it knows no truth to compare with.';
  if (row.inputTokens === null)
    return 'The row does not state how long its prompts are, and the client makes each of them.';
  if (row.inputTokens.value > PROMPT_ALIKE * plan.prompt_tokens)
    return `Prompts of ${row.inputTokens.text} tokens cost a client more than the ${plan.prompt_tokens} that were audited: audit it with --prompt-tokens ${Math.round(row.inputTokens.value)}.`;
  if (arrivals === 'all at once' || arrivals === 'trace')
    return `Arrivals (${arrivals}) are another thing than the audit’s: the client’s queue depends on them.`;
  const audited = arrivalsOf(audit.document, client);
  if ((arrivals === 'constant' || arrivals === 'poisson') && arrivals !== audited)
    return `The claim’s arrivals are ${arrivals}, the audit’s ${audited}: the client’s queue depends on them. Audit it with --arrivals ${arrivals}.`;
  if (facts.processes === '1' && processes !== null && processes.value > 1)
    return `The claim’s client ran as ${processes.text} processes, the audited one as 1.`;
  return null;
}

function limitsOf(claim: Claim, row: ClaimRow, audit: LocalAudit, client: string, load: RowLoad): string[] {
  const { measurement } = claim;
  const { document } = audit;
  const entry = document.clients.find(({ name }) => name === client)!;
  const limits: string[] = [];
  if (audit.given !== true && !readsAsHost(measurement.clientHost, document.host))
    limits.push(
      `The claim’s client ran on ${measurement.clientHost ?? 'a machine that is not stated'}, the audited one on ${hostWords(document.host)}: on another machine the same load is another share of what the client can serve.`,
    );
  const same = sameVersion(measurement.client.version, versionOf(entry));
  if (same !== true)
    limits.push(
      same === null
        ? `The claim does not state the client’s version; audited was ${versionOf(entry)}.`
        : `The claim’s client is of version ${measurement.client.version}, the audited one of ${versionOf(entry)}.`,
    );
  const { arrivals, processes } = measurement;
  if (load.by === 'throughput')
    limits.push(
      `The row states no rate; its throughput gives one. Requests that wait for each other come otherwise than those of the audit (${arrivalsOf(document, client)}).`,
    );
  else if (arrivals === null)
    limits.push(`Arrivals are not stated; the audit’s were ${arrivalsOf(document, client)}.`);
  else if (arrivals === 'closed loop')
    limits.push(`A closed loop sends otherwise than the audit did (${arrivalsOf(document, client)}).`);
  if (entry.facts.processes !== '1') {
    const { workers } = document.plan;
    if (processes === null)
      limits.push('How many processes the client ran as is not stated, and its limit follows from it.');
    else if (workers !== null && workers !== processes.value)
      limits.push(`The claim’s client ran as ${processes.text} processes, the audited one as ${workers}.`);
  }
  if (row.outputLength === 'mean')
    limits.push('Output lengths vary in the claim and are fixed in the audit: tokens come less evenly.');
  else if (row.outputLength === null)
    limits.push('Whether every reply had that many tokens is not stated; in the audit every one had.');
  const script = scriptOf(client);
  if (script !== null)
    limits.push(
      `What ${client} measures is up to its script: audited was the one that Tare ships (${script}), and the claim’s may be another.`,
    );
  return limits;
}

/** What of an audit applies to a row. `client` is the audit's name of the claim's client. */
export function conditionsOf(
  claim: Claim,
  row: ClaimRow,
  audit: LocalAudit,
  client: string,
  load: RowLoad,
): Conditions {
  const refusal = refusalOf(claim, row, audit, client);
  if (refusal !== null) return { refusal, limits: [], caveats: [] };
  const { plan, host, state } = audit.document;
  const limits = limitsOf(claim, row, audit, client, load);
  const caveats: string[] = [];
  if (load.outputTokens !== plan.output_tokens)
    limits.push(
      `Replies have ${load.outputTokens} tokens in the claim and ${plan.output_tokens} in the audit. Rates were compared both as requests and as tokens a second, and the interval holds all audited rates from the one to the other.`,
    );
  if (row.inputTokens!.value * PROMPT_ALIKE < plan.prompt_tokens)
    limits.push(
      `Prompts of ${row.inputTokens!.text} tokens cost the client less than the ${plan.prompt_tokens} audited ones: its delay may be smaller.`,
    );
  if (claim.measurement.processes !== null && plan.workers === null && claim.measurement.processes.value > 1)
    limits.push(
      `The audit let the client choose how many processes it ran as; the claim’s ran as ${claim.measurement.processes.text}.`,
    );
  if (audit.given !== true && readsAsHost(claim.measurement.clientHost, host))
    caveats.push(
      `The claim’s client host reads as this machine (${host.cpu_model}, ${host.cores} ${host.cores === 1 ? 'core' : 'cores'}); that it is one is the claim’s word.`,
    );
  if (audit.given === true)
    caveats.push(`That the claim’s client ran on the audited machine is your word (--audit).`);
  caveats.push(
    `The audit’s target answered with ${plan.latency}${plan.target_cpus === null ? `, and was not pinned (${plan.pinning_note})` : ''}; a server with other delays spreads the same tokens otherwise.`,
  );
  if (state === 'interrupted') caveats.push('The audit was interrupted.');
  return {
    refusal,
    limits,
    caveats,
  };
}
