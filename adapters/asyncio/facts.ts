/** What the asyncio script measures, and where in benchmark.py it says so. */
import type { ClientFacts } from '../contract.ts';

export const facts: ClientFacts = {
  definitions: {
    t0: 'sent',
    t0Detail:
      'perf_counter in the request task, before session.post: connecting is inside, schedule lag is not',
    ttft: 'firstContent',
    itl: 'chunkGaps',
    tpot: 'standard',
    ntpot: 'standard',
    end: 'lastToken',
    tokenSource: 'usage',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'completed',
    failures: 'excluded',
    warmupRequests: 0,
  },
  architecture: 'one process, one asyncio event loop (no uvloop), aiohttp with an unlimited connection pool',
  runtime: 'asyncio',
  processes: '1',
  connections: 'kept',
  joins: 'requestId',
  arrivals: ['constant', 'poisson', 'gamma'],
  openLoop: true,
  version: 'benchmark.py of this version of Tare, aiohttp 3.14.5',
  evidence: [
    {
      about: 'schedule',
      what: 'absolute schedule: each request is slept to its own instant, so lag does not add up',
      where: 'benchmark.py run(): delay = start + due − now',
    },
    {
      about: 't0',
      what: 't0 is taken before the connection is had',
      where: 'benchmark.py send(): start, before session.post',
    },
    {
      about: 'other',
      what: 'every chunk is parsed as JSON on the loop that also sends',
      where: 'benchmark.py send(): json.loads(data)',
    },
    {
      about: 'failures',
      what: 'failed requests are left out of every figure and counted apart',
      where: 'benchmark.py run(): done',
    },
    {
      about: 'throughput',
      what: 'the rate divides by the time from the first request to the last answer, drain included',
      where: 'benchmark.py run(): request_rate_rps',
    },
  ],
  startupS: 0.6,
  teardownS: 0.3,
};
