/** What vLLM's two benchmark clients measure, and where that was read or seen. */
import type { ClientFacts, Definitions, Fact } from '../contract.ts';
import { VLLM_VERSION } from './setup.ts';

const SERVE = 'vllm/benchmarks/serve.py';
const REQUEST = 'vllm/benchmarks/lib/endpoint_request_func.py';
/** Not in the wheel, which has the binary alone: read in vLLM's repository, at the commit that a fact names. */
const RUST = 'rust/src/bench/src';

const common: Definitions = {
  t0: 'sent',
  t0Detail: '',
  ttft: 'firstContent',
  itl: 'chunkGaps',
  tpot: 'standard',
  ntpot: 'none',
  end: 'lastToken',
  tokenSource: 'usage',
  throughput: 'firstGapToLastEnd',
  throughputOf: 'completed',
  failures: 'excluded',
  warmupRequests: 0,
};

const shared: readonly Fact[] = [
  {
    about: 'schedule',
    what: 'the schedule is absolute and stretched so that the last request is due at N / rate exactly',
    where: `${SERVE} get_request(): normalize_factor; ${RUST}/rate_control.rs compute_schedule()`,
  },
];

export const pythonFacts: ClientFacts = {
  variants: [
    {
      variant: 'plain-json',
      can: false,
      how: 'every request of its openai-chat back end streams',
      where:
        'benchmarks/lib/endpoint_request_func.py async_request_openai_chat_completions(), "stream": True',
    },
    {
      variant: 'tls',
      can: true,
      how: 'an https base URL; the authority by SSL_CERT_FILE',
      where: 'benchmarks/serve.py main_async(), ssl_context = True',
    },
    {
      variant: 'http2',
      can: false,
      how: 'aiohttp has HTTP/1.1 only',
      where: 'benchmarks/serve.py benchmark()',
    },
  ],
  definitions: {
    ...common,
    t0Detail:
      'perf_counter just before session.post: after the semaphore and the schedule, before the connection',
  },
  architecture: 'one process, one asyncio event loop (no uvloop), aiohttp; a task a request',
  runtime: 'asyncio',
  processes: '1',
  connections: 'kept',
  joins: 'requestId',
  arrivals: ['constant', 'poisson', 'gamma'],
  openLoop: true,
  version: VLLM_VERSION,
  evidence: [
    ...shared,
    {
      about: 'throughput',
      what: 'the printed rate divides by the time from the start of the schedule, one gap before the first request, to the last answer, drain included',
      where: `${SERVE} benchmark(): benchmark_start_time, benchmark_duration; calculate_metrics(): request_throughput`,
    },
    {
      about: 'tpot',
      what: 'TPOT = (latency − TTFT) / (tokens − 1), over answers of more than one token',
      where: `${SERVE} calculate_metrics()`,
    },
    {
      about: 'failures',
      what: 'with every request failed it still writes a result of zeros and exits 0',
      where: `${SERVE} calculate_metrics(): np.mean(ttfts or 0); seen`,
    },
    {
      about: 'schedule',
      what: 'a late request is sent at once, without yielding to the loop between late ones',
      where: `${SERVE} get_request(): if sleep_interval_s > 0`,
    },
    {
      about: 't0',
      what: 'sleeps by the wall clock (time.time), measures by perf_counter',
      where: `${SERVE} get_request(): start_ts; ${REQUEST} async_request_openai_chat_completions(): st`,
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk with content, reasoning or a tool call; an empty content without a role counts, a role-only one does not',
      where: `${REQUEST} _choice_has_streamed_output()`,
    },
    {
      about: 'itl',
      what: 'a chunk is stamped before it is parsed, on the loop that also sends',
      where: `${REQUEST} async_request_openai_chat_completions(): timestamp, json.loads(chunk)`,
    },
    {
      about: 'e2e',
      what: 'latency ends at the last chunk with a token; a late usage chunk does not count',
      where: `${REQUEST} async_request_openai_chat_completions(): most_recent_timestamp`,
    },
    {
      about: 'tokenSource',
      what: 'tokens are those of usage; without it the text is tokenized again after the run',
      where: `${SERVE} calculate_metrics(): output_len`,
    },
    {
      about: 'failures',
      what: 'an error object inside a stream, or an early clean end after a token, is a success',
      where: `${REQUEST} async_request_openai_chat_completions(): success = first_chunk_received`,
    },
    {
      about: 'processes',
      what: 'one process: the schedule, the requests and the progress bar share one asyncio loop',
      where: `${SERVE} main(): asyncio.run; benchmark(): asyncio.create_task`,
    },
    {
      about: 'connections',
      what: 'one aiohttp session for all, kept alive, with no limit unless --max-concurrency: 13 connections for 150 requests at 50/s',
      where: `${SERVE} benchmark(): make_session(max_concurrency or 0), force_close=False; seen`,
    },
    {
      about: 'warmup',
      what: 'a readiness request (up to --ready-check-timeout-sec, off by default) and --num-warmups: Tare asks for neither, so the first request opens its connection within its TTFT',
      where: `${SERVE} benchmark(): ready_check_timeout_sec, num_warmups`,
    },
    {
      about: 'statistics',
      what: 'percentiles are numpy.percentile (linear)',
      where: `${SERVE} calculate_metrics(): np.percentile`,
    },
    {
      about: 'join',
      what: 'each request carries x-request-id: the prefix and its ordinal',
      where: `${REQUEST} _update_headers_common(); vllm/benchmarks/datasets/datasets.py ShareGPTDataset.sample()`,
    },
  ],
  startupS: 4,
  teardownS: 0.5,
};

export const rustFacts: ClientFacts = {
  definitions: {
    ...common,
    t0Detail:
      'just before the request is built and sent: after the schedule and the semaphore, before the connection',
    ttft: 'firstChunk',
  },
  architecture:
    'one process, a multi-threaded tokio runtime (a worker thread a core), reqwest; a task a request',
  runtime: 'tokio',
  processes: '1',
  connections: 'kept',
  joins: 'requestId',
  arrivals: ['constant', 'poisson', 'gamma'],
  openLoop: true,
  version: VLLM_VERSION,
  evidence: [
    ...shared,
    {
      about: 'throughput',
      what: 'the printed rate divides by the time from the start of the schedule, one gap before the first request, to the last answer, drain included: at 50/s its first request starts 22 ms in, and 150 of them take 3.202 s',
      where: `${RUST}/benchmark.rs run_benchmark(): benchmark_start, benchmark_duration (at 1597854); ${RUST}/metrics/calculator.rs calculate_metrics(): request_throughput (at 3aa782f); seen with the binary of ${VLLM_VERSION}`,
    },
    {
      about: 'tpot',
      what: 'TPOT = (latency − TTFT) / (tokens − 1), over answers of more than one token',
      where: `${RUST}/metrics/calculator.rs calculate_metrics(): latency_minus_ttft (at 3aa782f); the same from the records of the binary of ${VLLM_VERSION}`,
    },
    {
      about: 'failures',
      what: 'failed requests are in no figure; with every one failed it still writes a result of zeros and exits 0',
      where: `${RUST}/metrics/calculator.rs calculate_metrics(): if output.success, mean() of nothing is 0 (at 3aa782f); seen with the binary of ${VLLM_VERSION}`,
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk that has choices, even a role-only one: 6 ms where the role came at 5 and the first token at 50',
      where: `${RUST}/backends/openai_chat.rs send_request(); seen with the binary of ${VLLM_VERSION}`,
    },
    {
      about: 'e2e',
      what: 'a closing chunk without content (finish_reason alone) counts as a token: it adds an ITL and moves the end',
      where: `${RUST}/backends/openai_chat.rs send_request(); seen with the binary of ${VLLM_VERSION}`,
    },
    {
      about: 'schedule',
      what: 'each task sleeps to its own instant with tokio’s timer, which ticks once a millisecond',
      where: `${RUST}/benchmark.rs run_benchmark(): tokio::time::sleep(target − now)`,
    },
    {
      about: 'failures',
      what: 'its source tries some connection errors again, up to three times, with t0 taken anew; a refused connection was not, and counted as failed',
      where: `${RUST}/benchmark.rs run_benchmark(): max_retries; seen with the binary of ${VLLM_VERSION}`,
    },
    {
      about: 't0',
      what: 'Instant::now() before the body is made and the request sent; again at every retry',
      where: `${RUST}/backends/openai_chat.rs send_request(): st`,
    },
    {
      about: 'itl',
      what: 'a gap for every further chunk that has choices, stamped before it is parsed',
      where: `${RUST}/backends/openai_chat.rs send_request(): output.itl`,
    },
    {
      about: 'tokenSource',
      what: 'tokens are those of usage; without it, 1 + the number of gaps: its text is not tokenized again',
      where: `${RUST}/metrics/calculator.rs calculate_metrics(): output_len`,
    },
    {
      about: 'processes',
      what: 'one process: a task a request on tokio’s threads, one a core that it may use',
      where: `${RUST}/main.rs: Builder::new_multi_thread(); ${RUST}/benchmark.rs run_benchmark(): tokio::spawn`,
    },
    {
      about: 'connections',
      what: 'one reqwest client for all, kept alive, HTTP/1.1 only, no limit on those in use: 31 connections for 150 requests at 50/s',
      where: `${RUST}/benchmark.rs run_benchmark(): Client::builder(), pool_max_idle_per_host; seen`,
    },
    {
      about: 'warmup',
      what: 'a readiness request (--ready-check-timeout-sec) and --num-warmups: Tare asks for neither',
      where: `${RUST}/benchmark.rs run_benchmark(): ready_check_timeout_sec, run_warmup()`,
    },
    {
      about: 'statistics',
      what: 'percentiles by linear interpolation, as numpy',
      where: `${RUST}/metrics/calculator.rs percentile_sorted()`,
    },
    {
      about: 'join',
      what: 'each request carries x-request-id: the prefix and its ordinal',
      where: `${RUST}/backends/mod.rs build_headers(); seen at the server`,
    },
  ],
  startupS: 0.3,
  teardownS: 0.2,
};
