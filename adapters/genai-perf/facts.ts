/**
 * What is known of GenAI-Perf, with its place in the Python package (0.0.16) or, for perf_analyzer, which comes as a binary, the run
 * that showed it.
 */
import type { ClientFacts } from '../contract.ts';

const PARSER = 'genai_perf/profile_data_parser/llm_profile_data_parser.py';

export const genaiPerfFacts: ClientFacts = {
  definitions: {
    t0: 'sent',
    t0Detail:
      "perf_analyzer's wall-clock stamp when a worker hands the request to its HTTP thread; not when it was due",
    ttft: 'firstContent',
    itl: 'tpot',
    tpot: 'none',
    ntpot: 'none',
    end: 'lastToken',
    tokenSource: 'clientTokenizer',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'completed',
    failures: 'abortRun',
    warmupRequests: 0,
  },
  architecture:
    'a Python process that starts perf_analyzer, a C++ program (sender threads with an HTTP thread each), and reads its export afterwards',
  runtime: 'threads',
  processes: '1 (perf_analyzer); its Python waits meanwhile',
  connections: 'kept',
  joins: 'responseId',
  arrivals: ['constant', 'poisson'],
  openLoop: true,
  version: '0.0.16',
  evidence: [
    {
      about: 'ttft',
      what: 'TTFT runs from the request stamp to the first response with text in it: responses without content (a role, reasoning alone) are removed first',
      where: `${PARSER} _preprocess_response, _is_empty_response`,
    },
    {
      about: 'e2e',
      what: 'Request latency runs to the last response with text in it, not to [DONE]',
      where: `${PARSER} _parse_requests: res_timestamps[-1] after _preprocess_response`,
    },
    {
      about: 'tpot',
      what: 'Its "inter token latency" is (latency − TTFT)/(tokens − 1), one a request, rounded to whole ns: others call that TPOT',
      where: `${PARSER} _parse_requests`,
    },
    {
      about: 'tokenSource',
      what: 'Tokens are counted by its own tokenizer over the joined text; usage is not read',
      where: `${PARSER} _get_output_token_counts`,
    },
    {
      about: 'itl',
      what: 'Events that arrive in one read are one response with one stamp',
      where: `${PARSER} _preprocess_response, "receives multiple SSE responses at once"`,
    },
    {
      about: 'other',
      what: 'An inter token latency that rounds to 0 ns divides by zero and loses the run',
      where: `${PARSER} _parse_requests: 1 / inter_token_latency_s`,
    },
    {
      about: 'failures',
      what: 'An event with an empty list of choices (a usage event) raises IndexError and loses the run',
      where: `${PARSER} _extract_openai_chat_text_output; seen in a run`,
    },
    {
      about: 'failures',
      what: 'A request whose whole answer comes in one HTTP chunk is not recorded; if all do, perf_analyzer says "No valid requests recorded within time interval"',
      where: 'perf_analyzer 2.60.0; seen in a run against one-chunk answers',
    },
    {
      about: 'throughput',
      what: 'Request throughput = requests / (last response − first request), the drain included',
      where: `${PARSER} _calculate_throughput_metrics`,
    },
    {
      about: 'statistics',
      what: 'Percentiles are numpy.percentile (linear)',
      where: 'genai_perf/metrics/statistics.py _calculate_percentiles',
    },
    {
      about: 'failures',
      what: 'The first HTTP error, reset or cut stream ends the whole run without an export; cuts and resets are reported as "HTTP code 400"',
      where: 'perf_analyzer 2.60.0; seen in runs',
    },
    {
      about: 'failures',
      what: "perf_analyzer's exit code is dropped by its Python wrapper; the failure shows only as a missing export",
      where: 'perf_analyzer/cli.py main',
    },
    {
      about: 'schedule',
      what: 'A request that is more than 1 ms late is sent at once; only a share above 1 % is mentioned, and only with -v',
      where: 'perf_analyzer 2.60.0, its standard output',
    },
    {
      about: 'schedule',
      what: 'Poisson gaps have a fixed seed, whatever --random-seed, and are not scaled to the rate: 100 requests at 50/s came at 41.4 and 41.5/s in two runs, so a short run looks slow',
      where: 'perf_analyzer 2.60.0; seen in runs',
    },
    {
      about: 'other',
      what: 'No fewer requests than the rate are accepted',
      where: 'perf_analyzer 2.60.0: "--request-count can not be less than request rate"',
    },
    {
      about: 't0',
      what: 'The first of a request’s stamps in the export, on the wall clock: TTFT and latency start there',
      where: `${PARSER} _parse_requests: req_timestamp = request["timestamp"]`,
    },
    {
      about: 'connections',
      what: 'Kept alive: 20 requests at 5/s came on 4 connections, one a sender thread',
      where: 'perf_analyzer 2.60.0; seen',
    },
    {
      about: 'warmup',
      what: 'None unless --warmup-request-count',
      where: 'genai_perf/config/generate/perf_analyzer_config.py: warmup_request_count > 0',
    },
    {
      about: 'processes',
      what: 'Python tokenizes nothing while load runs: the export is read when perf_analyzer has ended',
      where: 'genai_perf/subcommand/profile.py profile',
    },
  ],
  // 1.2 s with warm file caches, 4 to 5 s without; afterwards about 0.3 s and 0.5 ms a request.
  startupS: 3,
  teardownS: 3,
};
