/** Why a client fails where its envelope ends: from the CPU time of its threads there, and what its own source says. Pure. */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { EnvelopeClient, EnvelopeDocument, Why } from '../../src/audit/envelope/document.ts';
import { percent } from '../format.ts';
import { type Explained, explainAt } from '../lost-rate.ts';
import { provenanceLines, provenanceOf } from '../provenance.ts';
import { oneLine } from '../text.ts';

/** From here on requests wait in a thread for some of the time. */
const NEARLY_BUSY = 0.7;

/** A client that keeps the rate and is late all the same: what its schedule does is no explanation then. */
function lateBecause(explained: Explained): string {
  const { cause, busiest_thread: name, busiest_thread_share: busiest } = explained;
  if (cause !== 'schedule' && cause !== 'closed loop') return explained.because;
  const thread = `${oneLine(name ?? 'unnamed')}, ${percent(busiest)} % of a core`;
  return (busiest ?? 0) >= NEARLY_BUSY
    ? `its busiest thread (${thread}) is near its limit, so that answers wait in it`
    : `no thread of it is busy on average (busiest: ${thread}): what delays it is not the mean load of the CPU`;
}

function whyOf(client: EnvelopeClient, audit: AuditDocument): Why | null {
  const rate = client.bracket?.fails?.rate_rps ?? null;
  const entry = audit.clients.find(({ name }) => name === client.name);
  if (rate === null || entry === undefined || client.failed_first?.name === 'run') return null;
  const explained = explainAt(audit, entry, rate);
  const { cause, busiest_thread, busiest_thread_share, cpu_share, core_wait_share } = explained;
  const sentence = client.failed_first?.name === 'rate' ? explained.because : lateBecause(explained);
  return { cause, sentence, busiest_thread, busiest_thread_share, cpu_share, core_wait_share };
}

/**
 * The workload's line of an audit says how often a rate is repeated, by plan; a search repeats where it must, and lengthens trials at low rates.
 */
function provenance(audit: AuditDocument): EnvelopeDocument['provenance'] {
  const of = provenanceOf(audit);
  return provenanceLines({
    ...of,
    repetitions:
      'each trial a fresh process; clients take turns in random order, and a side of a bracket is repeated; a trial at a low rate is longer, so that its quantiles have an interval',
  });
}

/** The document with the reason of each failing side and its provenance, which need the trials' own records. */
export const explained = (document: EnvelopeDocument, audit: AuditDocument): EnvelopeDocument => ({
  ...document,
  clients: document.clients.map((client) => ({ ...client, why: whyOf(client, audit) })),
  provenance: provenance({
    ...audit,
    clients: audit.clients.filter(({ name }) => document.plan.clients.includes(name)),
  }),
});
