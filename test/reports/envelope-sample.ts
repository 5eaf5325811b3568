/** A finished search of the sample's clients: simulated trials, the real search and the real documents. */
import { explained } from '../../reports/envelope/why.ts';
import type { EnvelopeDocument } from '../../src/audit/envelope/document.ts';
import { runEnvelope } from '../../src/audit/envelope/run.ts';
import { type Simulation, simulatedInput } from '../audit/envelope/simulated-trials.ts';

export const ENVELOPE_CLIENTS = ['asyncio', 'tare-multi', 'drifter', 'k6', 'genai-perf'] as const;

export async function envelopeSample(change: Partial<Simulation> = {}): Promise<EnvelopeDocument> {
  const input = simulatedInput({ clients: ENVELOPE_CLIENTS, budget: 16, ...change });
  const { document, audit } = await runEnvelope(input);
  return { ...explained(document, audit), finished_at: '2026-01-01T00:20:00.000Z' };
}
