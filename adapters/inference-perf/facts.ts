/** What Inference Perf measures, and where that was read. */
import type { ClientFacts } from '../contract.ts';
import { INFERENCE_PERF_VERSION } from './setup.ts';

const CLIENT = 'client/modelserver/openai_client.py process_request()';
const REPORT = 'reportgen/base.py';

export const facts: ClientFacts = {
  variants: [
    {
      variant: 'plain-json',
      can: true,
      how: 'api.streaming: false',
      where: 'config/apis/config.py streaming',
    },
    {
      variant: 'tls',
      can: true,
      how: 'an https URL; the authority by SSL_CERT_FILE',
      where: 'client/modelserver/openai_client.py openAIModelServerClientSession',
    },
    {
      variant: 'http2',
      can: false,
      how: 'aiohttp has HTTP/1.1 only',
      where: 'client/modelserver/openai_client.py',
    },
    {
      variant: 'server-tokens',
      can: false,
      how: 'use_server_output_tokens chooses what is reported; replies are tokenized all the same',
      where: 'apis/completion.py process_response(); reportgen/base.py effective_output_tokens()',
    },
  ],
  definitions: {
    t0: 'sent',
    t0Detail:
      'perf_counter once the body is JSON, before session.post: the wait for a connection is inside, the schedule’s lag is not',
    ttft: 'firstContent',
    itl: 'chunkGaps',
    tpot: 'betweenTokens',
    ntpot: 'standard',
    end: 'responseEnd',
    tokenSource: 'clientTokenizer',
    throughput: 'sendWindow',
    throughputOf: 'all',
    failures: 'excluded',
    warmupRequests: 0,
  },
  architecture:
    'a main process with the schedule and a collector, and num_workers worker processes (one a core by default) that take requests from one queue; each has an ' +
    'asyncio loop on uvloop and one aiohttp session, and tokenizes prompts and replies on that loop',
  runtime: 'uvloop',
  processes: 'num_workers, by default the number of cores; --workers sets it',
  connections: 'kept',
  joins: 'responseId',
  arrivals: ['poisson', 'constant'],
  constantIsPoisson: true,
  openLoop: true,
  version: INFERENCE_PERF_VERSION,
  evidence: [
    {
      about: 'schedule',
      what: 'its load type "constant" draws exponential gaps and stretches them to the stage: a Poisson process of a fixed number of requests; it has no equal gaps. Tare asks for it under both names',
      where: 'loadgen/load_timer.py ConstantLoadTimer',
    },
    {
      about: 'schedule',
      what: 'its load type "poisson" draws a number for each second and does the same with it, so that the rate of a stage is left to chance, too',
      where: 'loadgen/load_timer.py PoissonLoadTimer',
    },
    {
      about: 'schedule',
      what: 'arrivals are not seeded: base_seed goes to the data only',
      where: 'loadgen/load_timer.py: np.random.default_rng() without a seed',
    },
    {
      about: 'schedule',
      what: 'instants are absolute; a request that is fetched late is sent at once',
      where: 'loadgen/load_generator.py Worker.loop(): if sleep_time > 0',
    },
    {
      about: 'schedule',
      what: 'a worker takes one of worker_max_concurrency permits before it fetches a request and keeps it while it waits for the instant and until the answer is there: with too few it is a closed loop, and says nothing of it',
      where: 'loadgen/load_generator.py Worker.loop(): semaphore.acquire(), schedule_client()',
    },
    {
      about: 'processes',
      what: 'workers fetch from one shared queue, whoever is first; a prompt is made and tokenized when it is fetched, on the loop that sends',
      where: 'loadgen/load_generator.py Worker.loop(); datagen/synthetic/random_datagen.py load_lazy_data()',
    },
    {
      about: 't0',
      what: 't0 is taken after the semaphore, the sleep and json.dumps, before the connection',
      where: `${CLIENT}: start`,
    },
    {
      about: 'ttft',
      what: 'only chunks with content count, each stamped when its event is cut out of the stream; a reply of one token has no TTFT, TPOT and ITL',
      where: `apis/streaming_parser.py parse_sse_stream(); ${REPORT} compute_request_latency_metrics()`,
    },
    {
      about: 'itl',
      what: 'each chunk is tokenized after the run, and its tokens get the chunk’s stamp: n tokens in a chunk are n − 1 gaps of zero',
      where: `${REPORT} correct_streamed_response_metrics()`,
    },
    {
      about: 'tpot',
      what: 'TPOT = (last token − first token) / (n − 1), where its documentation says (E2E − TTFT) / (n − 1)',
      where: `${REPORT} compute_request_latency_metrics()`,
    },
    {
      about: 'ntpot',
      what: 'NTPOT = E2E / n by its own count; a success without tokens enters as 0',
      where: `${REPORT} compute_request_latency_metrics()`,
    },
    {
      about: 'e2e',
      what: 'the end is stamped after the whole body was read (the usage chunk, [DONE] and the end of the response) and its text was tokenized',
      where: `${CLIENT}: end_time; apis/completion.py process_response(): count_tokens`,
    },
    {
      about: 'tokenSource',
      what: 'output tokens are counted by its own tokenizer; the server’s count only with use_server_output_tokens',
      where: `${REPORT} effective_output_tokens()`,
    },
    {
      about: 'throughput',
      what: 'achieved_rate = requests / (last − first start), failed ones and the one too many included; requests_per_sec, which Tare leaves out, is of successes over the time from first start to last end',
      where: `${REPORT} summarize_requests()`,
    },
    {
      about: 'failures',
      what: 'failed requests are left out of the percentiles and counted apart; one whose prompt could not be made is in neither count; a stream that ends early without an error is a success; exit code 0 if all failed',
      where: `${REPORT} summarize_requests(); loadgen/load_generator.py Worker.loop(): Failed to get request; seen`,
    },
    {
      about: 'connections',
      what: 'one aiohttp session a worker, at most worker_max_tcp_connections',
      where: 'client/modelserver/openai_client.py openAIModelServerClientSession',
    },
    {
      about: 'warmup',
      what: 'no request beside those of the stage; the schedule starts a second after the queue is filled',
      where: 'loadgen/load_generator.py run_stage(): perf_counter() + 1; seen at the server',
    },
    {
      about: 'join',
      what: 'it keeps every chunk as it came, with the response’s id; it sends no id of its own',
      where: 'reportgen/base.py build_per_request_lifecycle_entry(): response_chunks',
    },
  ],
  startupS: 6,
  teardownS: 2,
};
