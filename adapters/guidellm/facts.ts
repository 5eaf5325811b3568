/** What guidellm measures, and where that was read. */
import type { ClientFacts } from '../contract.ts';
import { GUIDELLM_VERSION } from './setup.ts';

const HTTP = 'backends/openai/http.py';
const STATS = 'schemas/base/request_stats.py GenerativeRequestStats';
const METRICS = 'benchmark/schemas/metrics.py GenerativeMetrics.compile()';
const WORKER = 'scheduler/worker.py';

export const facts: ClientFacts = {
  variants: [
    {
      variant: 'plain-json',
      can: true,
      how: 'stream=false',
      where: 'schemas/backends/openai_http.py stream',
    },
    {
      variant: 'tls',
      can: true,
      how: 'an https URL; it verifies no certificate (verify is false)',
      where: 'schemas/backends/openai_http.py verify',
    },
    {
      variant: 'http2',
      can: true,
      how: 'by ALPN, without a flag (http2 is true)',
      where: 'schemas/backends/openai_http.py http2',
    },
  ],
  definitions: {
    t0: 'sent',
    t0Detail:
      'the wall clock when the request’s head begins to be written: waiting for a connection and connecting are left out, and so is the schedule’s lag',
    ttft: 'firstContent',
    itl: 'none',
    tpot: 'betweenTokens',
    ntpot: 'toLastToken',
    end: 'responseEnd',
    tokenSource: 'usage',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'completed',
    failures: 'excluded',
    warmupRequests: 0,
    percentiles: 'nearestRank',
  },
  architecture:
    'a main process with the schedule’s queue, the data and the statistics, and max_worker_processes worker processes (10 by default, whatever the cores), ' +
    'each with an asyncio loop on uvloop and one httpx client',
  runtime: 'uvloop',
  processes: '10, whatever the cores (GUIDELLM__MAX_WORKER_PROCESSES); --workers sets it',
  connections: 'one a request',
  joins: 'responseId',
  arrivals: ['constant', 'poisson'],
  openLoop: true,
  version: GUIDELLM_VERSION,
  evidence: [
    {
      about: 'schedule',
      what: 'instants are absolute and by the wall clock; a worker takes the next one for itself, sleeps to it, and only then fetches a request from the queue; one that is late is sent at once',
      where: `${WORKER} _process_requests_loop(); scheduler/strategies.py AsyncConstantStrategy.next_request_time()`,
    },
    {
      about: 'schedule',
      what: 'under poisson every worker draws its gaps from a generator of the same seed and adds them to one common instant: with k workers each gap comes about k times, so requests come in clumps that the variation of the gaps does not show',
      where:
        'scheduler/strategies.py AsyncPoissonStrategy.next_request_time(): random.Random(self.random_seed)',
    },
    {
      about: 'schedule',
      what: 'what its requests lag behind the schedule is request_dispatch_delay, in no latency but request_scheduled_latency',
      where: `${STATS}.request_dispatch_delay`,
    },
    {
      about: 't0',
      what: 't0 is time.time() at httpcore’s event send_request_headers.started: the connection is there, the body is serialized',
      where: `${HTTP} _trace_request_start()`,
    },
    {
      about: 'ttft',
      what: 'the first line with content, reasoning or a tool call; a role or an empty delta does not count',
      where: `${HTTP} _resolve_streaming(): first_token_iteration; backends/openai/request_handlers.py add_streaming_line()`,
    },
    {
      about: 'itl',
      what: 'it keeps the first and the last token’s instant and no gaps between; its "inter token latency" is a request’s TPOT',
      where: `${STATS}.inter_token_latency_ms`,
    },
    {
      about: 'tpot',
      what: 'the TPOT row is its "inter token latency": (last − first token) / (n − 1), weighted by n − 1 in means and percentiles',
      where: `${STATS}.inter_token_latency_ms; ${METRICS}`,
    },
    {
      about: 'ntpot',
      what: 'the NTPOT row is what it calls "time per output token": (last token − t0) / n, weighted by n in means and percentiles',
      where: `${STATS}.time_per_output_token_ms; ${METRICS}`,
    },
    {
      about: 'e2e',
      what: 'the end is stamped once [DONE] was read and the stream was given up, so that late usage is in it',
      where: `${HTTP} _resolve_streaming(): request_end`,
    },
    {
      about: 'statistics',
      what: 'percentiles are values of the sample, the next higher one, not interpolated: the p99 of fewer than 100 values is their maximum',
      where: 'schemas/base/statistics.py DistributionSummary.from_pdf(); seen',
    },
    {
      about: 'statistics',
      what: 'its figures begin with the start of the request that its main process heard of first; those of other workers that started before it are left out (6 of 200 in one run)',
      where:
        'benchmark/schemas/accumulator.py update_estimate(): measure_start; GenerativeMetrics.compile(): get_within_range; seen',
    },
    {
      about: 'throughput',
      what: 'requests_per_second is successes over the time from the first send to the last end, drain included',
      where: `${METRICS}; benchmark/schemas/accumulator.py finalized_measure_start`,
    },
    {
      about: 'failures',
      what: 'percentiles are given apart for successful, errored and incomplete requests and for all; an errored one enters the latter as 0. Tare reads "successful"',
      where: `${METRICS}: req.time_to_first_token_ms or 0.0`,
    },
    {
      about: 'failures',
      what: 'an error object inside a stream, and an answer without text or tokens, are errors',
      where: 'backends/openai/request_handlers.py _check_streaming_error(), _validate_text_response()',
    },
    {
      about: 'tokenSource',
      what: 'tokens are those of usage (it asks for include_usage and continuous_usage_stats); without it, lines with content',
      where: `${STATS}.output_tokens`,
    },
    {
      about: 'processes',
      what: 'the number of worker processes does not depend on the cores; all of them are spawned anew, each importing the package',
      where: 'scheduler/worker_group.py create_processes(); settings.py max_worker_processes',
    },
    {
      about: 'processes',
      what: 'on one core it hangs before its first request: asyncio then has five threads for blocking calls (Python 3.13 and later count the cores that a process may use), and its start keeps more of them waiting. Tare sets PYTHON_CPU_COUNT',
      where: 'utils/synchronous.py wait_for_sync_event(), wait_for_sync_barrier(): asyncio.to_thread; seen',
    },
    {
      about: 'connections',
      what: 'it leaves the stream at [DONE], before the end of the response, so httpx closes the connection: a new one a request',
      where: `${HTTP} _resolve_streaming(): break; seen at the server`,
    },
    {
      about: 'warmup',
      what: 'GET /health once in the main process and once a worker; no completion before those that count',
      where: `${HTTP} validate(); seen at the server`,
    },
    {
      about: 'join',
      what: 'it keeps the id of each answer as response_id',
      where: `${STATS}.response_id`,
    },
  ],
  startupS: 18,
  teardownS: 2,
};
