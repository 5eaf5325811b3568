/** What AIPerf measures, and where that was read. */
import type { ClientFacts } from '../contract.ts';
import { AIPERF_VERSION } from './setup.ts';

export const facts: ClientFacts = {
  variants: [
    {
      variant: 'plain-json',
      can: true,
      how: 'without --streaming',
      where: 'endpoints/openai_chat.py format_payload()',
    },
    {
      variant: 'tls',
      can: true,
      how: 'an https URL; the authority by SSL_CERT_FILE',
      where:
        'transports/http_defaults.py AioHttpDefaults.SSL_VERIFY, true unless AIPERF_HTTP_SSL_VERIFY says otherwise',
    },
    { variant: 'http2', can: false, how: 'aiohttp has HTTP/1.1 only', where: 'transports/aiohttp_client.py' },
    {
      variant: 'server-tokens',
      can: true,
      how: '--use-server-token-count',
      where: 'records/inference_result_parser.py parse_request_record(), use_server_token_count',
    },
  ],
  definitions: {
    t0: 'sent',
    t0Detail:
      'perf_counter just before session.request: the wait for a connection is inside, the schedule’s lag is not',
    ttft: 'firstContent',
    itl: 'chunkGaps',
    tpot: 'standard',
    ntpot: 'none',
    end: 'lastToken',
    tokenSource: 'clientTokenizer',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'completed',
    failures: 'excluded',
    warmupRequests: 0,
  },
  architecture:
    'many processes: a controller with the schedule, max(1, 0.75 · cores rounded down − 1) workers (cores of the machine, not those it may run on; an asyncio loop on uvloop and ' +
    'aiohttp each), record processors that tokenize, joined by ZeroMQ',
  runtime: 'uvloop',
  processes:
    'max(1, min(0.75 · cores rounded down − 1, 32)), or --workers; others keep the schedule and tokenize',
  connections: 'kept',
  joins: 'requestId',
  arrivals: ['constant', 'poisson', 'gamma'],
  openLoop: true,
  version: AIPERF_VERSION,
  evidence: [
    {
      about: 'tpot',
      what: 'what it prints as "Inter Token Latency" is TPOT, (latency − TTFT) / (tokens − 1); its gaps between chunks are "inter_chunk_latency", so Tare takes the former as TPOT and the latter as ITL',
      where: 'metrics/types/inter_token_latency_metric.py, inter_chunk_latency_metric.py',
    },
    {
      about: 'schedule',
      what: 'the schedule is absolute, but a backlog of more than 10 ms is dropped: the schedule starts anew from now',
      where: 'timing/strategies/request_rate.py; common/environment.py MAX_CATCHUP_SECONDS',
    },
    {
      about: 'schedule',
      what: 'sleeps by timerfd, within some 50 µs',
      where: 'common/environment.py HIGH_RES_TIMER',
    },
    {
      about: 't0',
      what: 't0 is taken in the worker, after the schedule’s message reached it over ZeroMQ',
      where: 'transports/aiohttp_client.py: record.start_perf_ns, before session.request',
    },
    {
      about: 'connections',
      what: 'a new ClientSession a request over one shared connector, whose connections are kept alive: 21 for 150 requests at 50/s',
      where: 'transports/aiohttp_client.py: aiohttp.ClientSession(connector=…, connector_owner=False)',
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk with content or reasoning; a role-only or usage chunk does not count',
      where:
        'metrics/types/ttft_metric.py: content_responses[0]; common/models/record_models.py ParsedResponseRecord.content_responses; endpoints/openai_chat.py',
    },
    {
      about: 'itl',
      what: 'inter_chunk_latency: the gaps between chunks with content. It is not on its console, only in its exports',
      where: 'metrics/types/inter_chunk_latency_metric.py',
    },
    {
      about: 'processes',
      what: 'workers = max(1, min(⌊0.75 · cores of the machine⌋ − 1, 32)), one on two cores, --workers-max sets a limit; a controller, a timing manager and record processors are processes of their own',
      where: 'workers/worker_manager.py; common/environment.py MAX_WORKERS_CAP',
    },
    {
      about: 'warmup',
      what: 'none unless --warmup-request-count or --warmup-duration: the first request opens its connection within its TTFT',
      where: 'config/flags/cli_config.py warmup_request_count',
    },
    {
      about: 'statistics',
      what: 'percentiles are of all values, interpolated linearly',
      where:
        'metrics/metric_dicts.py metric_result_from_array(); common/environment.py LIST_BACKEND (ragged: every gap is kept)',
    },
    {
      about: 'e2e',
      what: 'latency ends at the last chunk with content; a usage chunk does not count',
      where: 'metrics/types/request_latency_metric.py: content_responses[-1]',
    },
    {
      about: 'tokenSource',
      what: 'tokens are counted by its own tokenizer while the run goes on, in other processes on the same cores',
      where: 'records/, --use-server-token-count is off',
    },
    {
      about: 'throughput',
      what: 'the printed rate divides good requests by the time from first send to last response',
      where: 'metrics/types/request_throughput_metric.py, benchmark_duration_metric.py',
    },
    {
      about: 'failures',
      what: 'failed requests are left out of the percentiles (those with them are exported as adj_…); exit code 1 only if all failed',
      where: 'metrics/types/network_adjusted_metrics.py; seen',
    },
    {
      about: 'join',
      what: 'sends X-Request-ID and exports it',
      where: 'profile_export.jsonl: metadata.x_request_id; seen',
    },
  ],
  startupS: 6,
  teardownS: 2,
};
