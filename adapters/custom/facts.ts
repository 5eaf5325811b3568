/** From the words of a client file to the facts that every client has. */
import { type ClientFacts, VARIANTS } from '../contract.ts';
import type { Home } from './home.ts';
import type { ClientSpec } from './schema.ts';

const KINDS = ['constant', 'poisson', 'gamma', 'trace'] as const;

export function factsOf(spec: ClientSpec, home: Home): ClientFacts {
  const { definitions: said, facts, records } = spec;
  const joins =
    records?.request_id !== undefined
      ? 'requestId'
      : records?.response_id !== undefined
        ? 'responseId'
        : 'none';
  const variants = VARIANTS.flatMap((variant) => {
    const one = spec.variants[variant];
    return one === undefined ? [] : [{ variant, can: one.can, how: one.how, where: one.where }];
  });
  return {
    ...(variants.length === 0 ? {} : { variants }),
    definitions: {
      t0: said.t0,
      t0Detail: said.t0_detail,
      ttft: said.ttft,
      itl: said.itl,
      tpot: said.tpot,
      ntpot: said.ntpot,
      end: said.end,
      tokenSource: said.token_source,
      throughput: said.throughput,
      throughputOf: said.throughput_of,
      failures: said.failures,
      warmupRequests: said.warmup_requests,
      ...(said.percentiles === undefined ? {} : { percentiles: said.percentiles }),
    },
    architecture: facts.architecture,
    runtime: facts.runtime,
    processes: facts.processes,
    connections: facts.connections,
    joins,
    arrivals: KINDS.filter((kind) => spec.arrivals[kind] !== undefined),
    openLoop: facts.open_loop,
    version: facts.version ?? 'any',
    evidence:
      home.file === null
        ? facts.evidence
        : [
            ...facts.evidence,
            {
              about: 'other',
              what: 'definitions and facts are those that the user’s client file states; Tare has not checked them',
              where: `${home.file} (SHA-256 ${home.sha256.slice(0, 12)}…)`,
            },
          ],
    startupS: facts.startup_s,
    teardownS: facts.teardown_s,
  };
}
