/** Our own client as an adapter, like any other: launched as a process, its files read afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { faultInWords, parseFault } from '../../src/load/faults/catalogue.ts';
import { formatArrivals } from '../../src/measure/workload.ts';
import { entry } from '../../src/system/package-root.ts';
import { version } from '../../src/system/version.ts';
import type { Adapter, ClientCommand, Found, LaunchRequest, Missing } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { factsOf, TARE, TARE_BURN, type Variant } from './facts.ts';
import { parseLoad } from './parse.ts';

const MAIN = entry('src/cli/main.js');

async function find(): Promise<Found | Missing> {
  if (!existsSync(MAIN)) return { state: 'missing', reason: 'Tare is not built', remedy: 'npm run build' };
  return {
    state: 'found',
    version: `${version}, Node ${process.versions.node}`,
    path: MAIN,
    origin: 'part of Tare',
    notes: [],
    handle: { node: process.execPath, main: MAIN },
  };
}

function command(variant: Variant, request: LaunchRequest): ClientCommand {
  const { workload, dir, found } = request;
  const burning = variant.burnPerTokenUs > 0;
  const workers = burning ? 1 : request.workers;
  return {
    argv: [
      found.handle.node!,
      found.handle.main!,
      'load',
      ...['--url', request.url, '--model', request.model],
      ...['--rate', String(workload.rateRps), '--requests', String(workload.requests)],
      ...['--arrivals', formatArrivals(workload.arrivals), '--seed', String(workload.seed)],
      ...['--tokens', String(workload.outputTokens), '--prompt-tokens', String(workload.promptTokens)],
      // Servers that choose the length themselves otherwise; the reference target gives what is asked either way.
      ...['--extra-body', '{"ignore_eos":true}'],
      ...(request.variants?.includes('plain-json') ? ['--no-stream'] : []),
      ...['--pacing', variant.pacing],
      ...(workers === null ? [] : ['--workers', String(workers)]),
      ...(burning ? ['--burn-per-token', `${variant.burnPerTokenUs}us`] : []),
      ...(variant.fault === undefined ? [] : ['--fault', variant.fault]),
      ...(variant.rehearsal === undefined ? [] : ['--rehearsal', variant.rehearsal]),
      ...['--records', join(dir, 'records.jsonl'), '--out', join(dir, 'report.json')],
    ],
    cwd: dir,
    // No key of the user's belongs to a server of ours.
    env: { OPENAI_API_KEY: null },
  };
}

/** An adapter for a variant of our client. */
export function createTareAdapter(variant: Variant): Adapter {
  const facts = factsOf(variant);
  return {
    name: variant.name,
    title: variant.title,
    facts,
    find,
    prepare: async (request) => command(variant, request),
    parse: parseLoad,
    refuses: (workload) => refuseArrivals(variant.name, facts, workload),
  };
}

/**
 * An adapter for our client with a known fault (`late-send:5ms`), for controls; in no list of clients. It states the facts of the healthy
 * client: a faulty one does not know better. Throws a UserError on a fault that there is not.
 */
export function createFaultyAdapter(
  fault: string,
  how: Partial<Pick<Variant, 'pacing' | 'rehearsal'>> = {},
): Adapter {
  const spec = parseFault(fault);
  return createTareAdapter({
    ...TARE,
    // Names of trials are names of folders.
    name: `tare-with-${spec.text.replace(':', '-').replace('%', 'pct')}`,
    title: `Tare's own client with a known fault: ${faultInWords(spec)}`,
    ...how,
    fault: spec.text,
  });
}

export const tareAdapter = createTareAdapter(TARE);
export const tareBurnAdapter = createTareAdapter(TARE_BURN);
/** For the floor of a machine: our client, waiting in the kernel for each event as event-driven clients do. */
export const tareBlockingAdapter = createTareAdapter({ ...TARE, name: 'tare-blocking', pacing: 'block' });
