/** What InferenceX's serving benchmark measures, and where in its source it says so. */
import type { ClientFacts } from '../contract.ts';
import { READ } from './checkout.ts';

const SERVING = 'utils/bench_serving/benchmark_serving.py';
const REQUEST = 'utils/bench_serving/backend_request_func.py';
const CHAT = `${REQUEST} async_request_openai_chat_completions()`;

export const facts: ClientFacts = {
  definitions: {
    t0: 'sent',
    t0Detail:
      'perf_counter just before session.post: after the semaphore and the making of a session, before two trips through a thread pool and the connection, which each request makes anew',
    ttft: 'firstChunk',
    itl: 'chunkGaps',
    tpot: 'standard',
    ntpot: 'none',
    end: 'responseEnd',
    tokenSource: 'usage',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'completed',
    failures: 'excluded',
    warmupRequests: 0,
  },
  architecture:
    'one process, one asyncio event loop (no uvloop), aiohttp; a task, a session, a connection and two trips through a thread pool a request',
  runtime: 'asyncio',
  processes: '1',
  connections: 'one a request',
  joins: 'none',
  recordsAsSent: true,
  arrivals: ['constant', 'poisson', 'gamma'],
  openLoop: true,
  version: `${READ.commit} (${READ.date})`,
  evidence: [
    {
      about: 'schedule',
      what: 'sleeps each gamma gap from when it woke, not to an absolute instant: every late wake-up is added to the schedule, so it sends at less than the rate asked, without a word',
      where: `${SERVING} get_request(): asyncio.sleep(interval)`,
    },
    {
      about: 'schedule',
      what: 'it has no constant arrivals (an infinite burstiness makes every gap NaN); Tare asks for a burstiness of 1e9 instead, gaps of a CV² of 1e-9',
      where: `${SERVING} get_request(): theta = 1.0 / (request_rate * burstiness)`,
    },
    {
      about: 't0',
      what: 't0 is taken in the request’s task, before session.post: the TCP connection is within every latency, the wait for the semaphore is not',
      where: `${CHAT}: st = time.perf_counter()`,
    },
    {
      about: 't0',
      what: 'its sessions trust the environment, so that aiohttp looks up netrc and a proxy in a thread pool before it connects: two more waits for a thread and for the loop within every latency',
      where: `${CHAT}: trust_env=True; aiohttp 3.14.5 client.py ClientSession._request(): _get_netrc_auth, get_env_proxy_for_url`,
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk that has choices, even with a role alone and no content',
      where: `${CHAT}: if choices := data.get("choices")`,
    },
    {
      about: 'itl',
      what: 'every further chunk that has choices makes a gap, with or without content; it is stamped before it is parsed as JSON, on the loop that also sends',
      where: `${CHAT}: output.itl.append()`,
    },
    {
      about: 'tpot',
      what: 'TPOT = (latency − TTFT) / (tokens − 1), over answers of more than one token: a late usage chunk is spread over the tokens',
      where: `${SERVING} calculate_metrics(): tpot`,
    },
    {
      about: 'e2e',
      what: 'latency runs to the last event but [DONE]: to the usage chunk, which it always asks for (with a text completion: to the last chunk that has choices)',
      where: `${CHAT}: most_recent_timestamp; async_request_openai_completions() for the other`,
    },
    {
      about: 'tokenSource',
      what: 'tokens are those of usage; without usage an answer is a success of 0 tokens and has no TPOT',
      where: `${CHAT}: output.output_tokens; RequestFuncOutput.output_tokens = 0`,
    },
    {
      about: 'throughput',
      what: 'the rate divides completed requests by the time from the first send to the last answer, or to the end of a sleep after the last send if that is later',
      where: `${SERVING} benchmark(): benchmark_duration; get_request(): yield before sleep`,
    },
    {
      about: 'failures',
      what: 'failed requests are left out of the percentiles; where more than 5 % failed the exit code is 1, with the result written all the same',
      where: `${SERVING} calculate_metrics(), main(): max_failure_rate`,
    },
    {
      about: 'failures',
      what: 'a stream that was cut cleanly, an error object in a stream, or a stream without a chunk is a success; a comment line (": ping") is a failure',
      where: `${CHAT}: output.success = True; json.loads(chunk)`,
    },
    {
      about: 'warmup',
      what: 'none unless --num-warmups asks: its "initial single prompt test run" sends nothing',
      where: `${SERVING} benchmark(): test_input, num_warmups`,
    },
    {
      about: 'processes',
      what: 'one process and one event loop; processes that make the prompts end before the load starts',
      where: `${SERVING} main(): asyncio.run(benchmark()), sample_random_requests()`,
    },
    {
      about: 'connections',
      what: 'every request makes an aiohttp session of its own and so a new TCP connection',
      where: `${CHAT}: aiohttp.ClientSession()`,
    },
    {
      about: 'statistics',
      what: 'numpy’s percentiles (linear interpolation) over all successes; of nothing it prints 0.0',
      where: `${SERVING} calculate_metrics()`,
    },
    {
      about: 'join',
      what: 'records are in the order of the schedule, without ids or start times; connections are opened in another order, since requests pass through a thread pool first: joined by order, 72 of 2,000 at 340/s had seen their first token before it was written',
      where: `${SERVING} benchmark(): asyncio.gather(*tasks); seen with distinct delays`,
    },
    {
      about: 'other',
      what: 'its project says of itself that this client becomes the bottleneck at very high rates with small models and short answers, and runs it as a closed loop (--request-rate inf --max-concurrency)',
      where: 'utils/bench_serving/KNOWN_LIMITATION.md; benchmarks/benchmark_lib.sh run_benchmark_serving()',
    },
  ],
  startupS: 5,
  teardownS: 0.5,
};
