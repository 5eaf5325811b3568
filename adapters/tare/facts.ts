/** What our own client measures, and where in src/load it says so. */
import type { ClientFacts } from '../contract.ts';

/** The variants of our client that an audit knows. */
export interface Variant {
  readonly name: string;
  readonly title: string;
  /** `auto` spins where a core is free for it; `block` waits in the kernel for each event. */
  readonly pacing: 'auto' | 'block';
  /** CPU time burned on the event loop for each token, µs; above 0 the client is held to one worker. */
  readonly burnPerTokenUs: number;
  /** A known fault, as `tare load --fault` spells it: for controls. Its facts are those of the healthy client, as a faulty client states them. */
  readonly fault?: string;
  /** Longest time that each worker warms its own code, e.g. `300ms`; absent: the client's default. */
  readonly rehearsal?: string;
}

export const TARE: Variant = {
  name: 'tare',
  title: "Tare's own client (tare load)",
  pacing: 'auto',
  burnPerTokenUs: 0,
};

/** 60 µs a token is what JSON parsing, tokenizing and a validated model of each chunk cost in Python. */
export const TARE_BURN: Variant = {
  name: 'tare-burn',
  title: "Tare's own client held to one event loop, 60 µs burned on it for each token",
  pacing: 'block',
  burnPerTokenUs: 60,
};

export function factsOf(variant: Variant): ClientFacts {
  const burning = variant.burnPerTokenUs > 0;
  return {
    variants: [
      { variant: 'plain-json', can: true, how: '--no-stream', where: 'src/load/connection.ts onData()' },
      {
        variant: 'tls',
        can: true,
        how: 'an https URL; the authority by NODE_EXTRA_CA_CERTS',
        where: 'src/load/connection.ts, undici buildConnector()',
      },
      {
        variant: 'http2',
        can: false,
        how: 'it has HTTP/1.1 only: a connection of its own for each request that is under way',
        where: 'src/load/connection.ts, undici Client without allowH2',
      },
    ],
    definitions: {
      t0: 'scheduled',
      t0Detail:
        'the instant that the schedule gave; the figures from the sent instant stand beside it in its own report',
      ttft: 'firstContent',
      itl: 'chunkGaps',
      tpot: 'standard',
      ntpot: 'standard',
      end: 'lastToken',
      tokenSource: 'usage',
      throughput: 'sendGaps',
      throughputOf: 'all',
      failures: 'excluded',
      warmupRequests: 0,
    },
    architecture: burning
      ? `a coordinator and one worker process with one event loop, held back on purpose: each token burns ${variant.burnPerTokenUs} µs on it, so that it can serve at most 1/(${variant.burnPerTokenUs} µs × tokens) requests/s`
      : 'a coordinator and m worker processes, one event loop each',
    runtime: 'libuv',
    processes: burning ? '1' : "workers (cores less the target's, or --workers)",
    connections: 'kept',
    joins: 'requestId',
    arrivals: ['constant', 'poisson', 'gamma'],
    openLoop: true,
    version: 'this version of Tare',
    evidence: [
      {
        about: 'schedule',
        what: 'absolute schedule; every m-th arrival is worker k’s',
        where: 'src/load/worker-run.ts, Share',
      },
      { about: 't0', what: 't0 is the scheduled instant', where: 'src/load/recorder.ts, from_scheduled' },
      {
        about: 'ttft',
        what: 'TTFT is the first event with non-empty content or reasoning',
        where: 'src/load/chunk-recogniser.ts',
      },
      {
        about: 'itl',
        what: 'a segment is stamped once, when the event loop hands it over',
        where: 'src/load/connection.ts, onData',
      },
      {
        about: 'tpot',
        what: '(last − first token) / (tokens − 1), tokens by usage',
        where: 'src/load/recorder.ts, takeLatencies; adapters/tare/parse.ts',
      },
      {
        about: 'ntpot',
        what: 'E2E from the scheduled instant / tokens',
        where: 'src/load/recorder.ts, takeLatencies',
      },
      {
        about: 'e2e',
        what: 'to the last event with content or reasoning; usage and [DONE] do not count',
        where: 'src/load/recorder.ts, lastNs',
      },
      {
        about: 'tokenSource',
        what: 'tokens are those of usage; without it, the events with content',
        where: 'adapters/tare/parse.ts, outputTokens',
      },
      {
        about: 'throughput',
        what: 'the rate is that of sends: (requests sent − 1) / (last − first send). That of completions stands beside it',
        where: 'src/load/build-report.ts, sentRps',
      },
      {
        about: 'failures',
        what: 'its own report has every percentile twice: over successes, and over all with a failure as infinitely late. An audit takes those over successes',
        where: 'src/load/build-report.ts, over_all; adapters/tare/parse.ts',
      },
      {
        about: 'processes',
        what: 'a coordinator that sends nothing, and workers with one event loop each',
        where: 'src/load/coordinator.ts, src/load/worker-host.ts',
      },
      {
        about: 'connections',
        what: 'a list of its own of kept-alive connections, one request at a time on each, the warmest first, with spare ones opened ahead',
        where: 'src/load/connection-list.ts',
      },
      {
        about: 'warmup',
        what: 'code is warmed on a server inside the worker; the target gets warm-up requests only where they are asked for',
        where: 'src/load/worker-run.ts, rehearsal; src/load/options.ts, warmup',
      },
      { about: 'join', what: 'sends x-request-id and writes it down', where: 'src/load/worker-run.ts' },
      {
        about: 'other',
        what: 'an audit takes its quantiles from its records, not from its histograms (three significant digits)',
        where: 'adapters/tare/parse.ts',
      },
    ],
    // Node and the modules 1.8 s, and a rehearsal of 2 s (measured on two cores).
    startupS: 3.9,
    teardownS: 0.3,
  };
}
