/** What SGLang's two benchmark clients measure, and where that was read or seen. */
import type { ClientFacts, Definitions, Fact } from '../contract.ts';
import { SGLANG_VERSION } from './setup.ts';

const SERVING = 'sglang/benchmark/serving.py';
const CHAT = `${SERVING} async_request_openai_chat_completions()`;
/** The source is not in the wheel: read in the repository, checked against the binary where a run can show it. */
const RUST = 'rust/sglang-bench/src';
const SEEN = `seen with the binary of ${SGLANG_VERSION}`;

const common: Definitions = {
  t0: 'sent',
  t0Detail: '',
  ttft: 'firstContent',
  itl: 'chunkGaps',
  tpot: 'standard',
  ntpot: 'none',
  end: 'responseEnd',
  tokenSource: 'requested',
  throughput: 'firstSendToLastEnd',
  throughputOf: 'completed',
  failures: 'excluded',
  warmupRequests: 1,
};

export const pythonFacts: ClientFacts = {
  variants: [
    {
      variant: 'plain-json',
      can: true,
      how: '--disable-stream',
      where: 'benchmark/serving.py async_request_openai_chat_completions()',
    },
    {
      variant: 'tls',
      can: true,
      how: 'an https base URL; the authority by SSL_CERT_FILE',
      where: 'benchmark/serving.py _create_bench_client_session()',
    },
    {
      variant: 'http2',
      can: false,
      how: 'aiohttp has HTTP/1.1 only',
      where: 'benchmark/serving.py _create_bench_client_session()',
    },
  ],
  definitions: {
    ...common,
    t0Detail:
      'perf_counter just before session.post: after the semaphore and the making of a session, before the connection, which each request makes anew',
  },
  architecture:
    'one process, one asyncio event loop (no uvloop), aiohttp; a task, a session and a connection a request',
  runtime: 'asyncio',
  processes: '1',
  connections: 'one a request',
  joins: 'connectionOrder',
  recordsAsSent: true,
  arrivals: ['poisson'],
  openLoop: true,
  version: SGLANG_VERSION,
  evidence: [
    {
      about: 'schedule',
      what: 'sleeps each exponential gap from when it woke, not to an absolute instant: every late wake-up (about 1 ms) is added to the schedule, so it sends at less than the rate asked',
      where: `${SERVING} get_request(): asyncio.sleep(interval)`,
    },
    {
      about: 'schedule',
      what: '--use-trace-timestamps is accepted and reported as "trace", but not handed to the schedule: it sends by --request-rate',
      where: `${SERVING} benchmark(): get_request(input_requests, request_rate)`,
    },
    {
      about: 't0',
      what: 't0 is taken in the request’s task, before session.post: the TCP connection is within every latency, the wait for the semaphore is not',
      where: `${CHAT}: st = time.perf_counter()`,
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk with content or reasoning; a role alone or an empty content does not count',
      where: `${CHAT}: if content`,
    },
    {
      about: 'itl',
      what: 'gaps between chunks with content, stamped after the chunk was parsed as JSON, on the loop that also sends',
      where: `${CHAT}: json.loads(chunk), then timestamp`,
    },
    {
      about: 'tpot',
      what: 'TPOT = (latency − TTFT) / (tokens − 1): what comes after the last token is spread over the tokens',
      where: `${SERVING} calculate_metrics(): tpots`,
    },
    {
      about: 'e2e',
      what: 'latency runs to the last line of the stream, [DONE] and usage included',
      where: `${CHAT}: latency, set for every line`,
    },
    {
      about: 'tokenSource',
      what: 'tokens are the number asked for, unless a chunk carries usage (it does not ask for usage); a stream that was cut cleanly counts as whole',
      where: `${CHAT}: output_len`,
    },
    {
      about: 'throughput',
      what: 'the rate divides completed requests by the time from the first send to the last answer, or to the end of a sleep after the last send if that is later',
      where: `${SERVING} benchmark(): benchmark_duration; get_request(): yield before sleep`,
    },
    {
      about: 'failures',
      what: 'failed requests are left out of the percentiles and not counted in the result: only the list of errors has them; a stream with nothing but [DONE] is a success with a TTFT of 0',
      where: `${CHAT}: success; ${SERVING} calculate_metrics()`,
    },
    {
      about: 'warmup',
      what: 'one request (the first prompt) is sent before the run and is in no figure, then a second passes; if it fails, the run ends with exit code 1 and no result',
      where: `${SERVING} benchmark(): warmup_requests, asyncio.sleep(1.0)`,
    },
    {
      about: 'processes',
      what: 'one process and one event loop; it raises its own limit of open files to 65,535 where it may',
      where: `${SERVING} run_benchmark(): asyncio.run(benchmark()), set_ulimit()`,
    },
    {
      about: 'connections',
      what: 'every request makes an aiohttp session of its own and so a new TCP connection',
      where: `${SERVING} _create_bench_client_session(), in every request function`,
    },
    {
      about: 'statistics',
      what: 'numpy’s percentiles (linear interpolation) over all successes; of nothing it prints 0.0, and NaN for E2E',
      where: `${SERVING} calculate_metrics()`,
    },
    {
      about: 'join',
      what: 'records are in the order of sending and have no id; each request has its own connection, opened in that order',
      where: `${SERVING} benchmark(): asyncio.gather(*tasks); at 330/s with distinct delays no record of 4,000 had seen its first token before it was written`,
    },
    {
      about: 'other',
      what: 'after the run it asks GET /server_info: a 404 is fine, a 200 that is not JSON ends it without a result',
      where: `${SERVING} benchmark(): resp.json() if resp.status_code == 200`,
    },
  ],
  startupS: 4,
  teardownS: 0.6,
};

const rustEvidence: readonly Fact[] = [
  {
    about: 'schedule',
    what: 'one task sleeps each exponential gap from when it woke, with tokio’s timer, which ticks once a millisecond: the same drift as in Python',
    where: `${RUST}/run.rs dispatch(): tokio::time::sleep(interval); ${SEEN}`,
  },
  {
    about: 't0',
    what: 'Instant::now() in the request’s task, after the body was built, before the connection is had from the pool',
    where: `${RUST}/request.rs send(): start`,
  },
  {
    about: 'ttft',
    what: 'TTFT is the first chunk with content or reasoning; a role alone or an empty content does not count',
    where: `${RUST}/request.rs StreamState::feed_chat(); ${SEEN}`,
  },
  {
    about: 'itl',
    what: 'gaps between chunks with content, stamped after the chunk was parsed as JSON',
    where: `${RUST}/request.rs StreamState::count_delta()`,
  },
  {
    about: 'tpot',
    what: 'TPOT = (latency − TTFT) / (tokens − 1): what comes after the last token is spread over the tokens',
    where: `${RUST}/metrics.rs calculate(); ${SEEN}`,
  },
  {
    about: 'e2e',
    what: 'latency runs to the last line of the stream, [DONE] and usage included',
    where: `${RUST}/request.rs StreamState::feed(): latency; ${SEEN}`,
  },
  {
    about: 'tokenSource',
    what: 'tokens are the number asked for, unless a chunk carries usage (it does not ask for usage)',
    where: `${RUST}/request.rs StreamState::new(): requested_output_len`,
  },
  {
    about: 'throughput',
    what: 'the rate divides completed requests by the time from the first send to the last answer, or to the end of a sleep after the last send if that is later',
    where: `${RUST}/run.rs run(): duration_s, dispatch()`,
  },
  {
    about: 'failures',
    what: 'left out of the percentiles, told on stderr; unlike in Python an answer without a token is a failure',
    where: `${RUST}/request.rs StreamState::finish(); ${RUST}/run.rs report_failures()`,
  },
  {
    about: 'warmup',
    what: 'one request (the first prompt) before the run, then a second passes; if it fails, the run ends without a result',
    where: `${RUST}/run.rs warmup(); ${SEEN}`,
  },
  {
    about: 'processes',
    what: 'a tokio worker thread a core (--worker-threads), inside a Python process that only waits',
    where: `${RUST}/run.rs run_blocking()`,
  },
  {
    about: 'connections',
    what: 'one reqwest client with a pool: a connection is kept and used again, a new one is made where none is idle',
    where: `${RUST}/run.rs run(): pool_max_idle_per_host; ${SEEN}`,
  },
  {
    about: 'statistics',
    what: 'numpy’s percentiles (linear interpolation) over all successes; of nothing 0, and null for E2E',
    where: `${RUST}/metrics.rs percentile(), percentile_or_nan()`,
  },
  {
    about: 'join',
    what: 'records are in the order of sending, without ids or start times, over connections that are shared: nothing joins them',
    where: `${RUST}/metrics.rs result_json()`,
  },
];

export const rustFacts: ClientFacts = {
  definitions: {
    ...common,
    t0Detail: 'just before the request is sent: after the semaphore, before a connection of the pool is had',
  },
  architecture:
    'one process, a multi-threaded tokio runtime (a worker thread a core), reqwest; a task a request, one that paces them',
  runtime: 'tokio',
  processes: '1',
  connections: 'kept',
  joins: 'none',
  recordsAsSent: true,
  arrivals: ['poisson'],
  openLoop: true,
  version: SGLANG_VERSION,
  evidence: rustEvidence,
  startupS: 2,
  teardownS: 0.4,
};
