/** What the asyncio script measures, and where in benchmark.py it says so. */
import type { ClientFacts } from '../contract.ts';

export const facts: ClientFacts = {
  variants: [
    { variant: 'plain-json', can: true, how: '--no-stream', where: 'benchmark.py read_whole()' },
    {
      variant: 'tls',
      can: true,
      how: 'an https URL; the authority by SSL_CERT_FILE',
      where: 'aiohttp/connector.py _make_ssl_context(), ssl.create_default_context()',
    },
    { variant: 'http2', can: false, how: 'aiohttp has HTTP/1.1 only', where: 'aiohttp/client_proto.py' },
  ],
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
      what: 't0 is taken when the request’s task runs, before the connection is had',
      where: 'benchmark.py send(): start, before session.post',
    },
    {
      about: 'ttft',
      what: 'TTFT is the first chunk whose delta has content that is not empty; reasoning does not count',
      where: 'benchmark.py send(): choices[0].get("delta").get("content")',
    },
    {
      about: 'itl',
      what: 'a gap for each further chunk with content, stamped once the chunk is parsed',
      where: 'benchmark.py send(): itl_s',
    },
    {
      about: 'tpot',
      what: '(E2E − TTFT) / (tokens − 1), over answers of more than one token',
      where: 'benchmark.py run(): tpot',
    },
    { about: 'ntpot', what: 'E2E / tokens', where: 'benchmark.py run(): ntpot' },
    {
      about: 'e2e',
      what: 'to the last chunk with content; usage and [DONE] do not count',
      where: 'benchmark.py send(): e2e_s = last − start',
    },
    {
      about: 'tokenSource',
      what: 'tokens are those of usage; without it (or where it is no positive number), the chunks with content. usage counts reasoning too, which TTFT does not: TPOT of an answer that thinks is too small',
      where: 'benchmark.py send(): output_tokens',
    },
    {
      about: 'processes',
      what: 'one process; requests are tasks of one asyncio loop, without uvloop',
      where: 'benchmark.py main(): asyncio.run',
    },
    {
      about: 'connections',
      what: 'one aiohttp pool without a limit, kept alive: 22 connections for 150 requests at 50/s',
      where: 'benchmark.py run(): TCPConnector(limit=0); seen',
    },
    {
      about: 'warmup',
      what: 'none: the first request is measured, and its connection with it',
      where: 'benchmark.py run()',
    },
    { about: 'join', what: 'sends x-request-id and writes it down', where: 'benchmark.py send(): headers' },
    {
      about: 'statistics',
      what: 'percentiles by linear interpolation, as numpy',
      where: 'benchmark.py percentile()',
    },
    {
      about: 'other',
      what: 'every chunk is parsed as JSON on the loop that also sends. Lines are taken for events, as most scripts do: data over several lines or line ends of CR alone fail the request, a byte order mark loses the first token, names of events are not looked at',
      where: 'benchmark.py send(): json.loads(data), line.startswith(b"data:")',
    },
    {
      about: 'failures',
      what: 'failed requests are left out of every figure and counted apart: a status other than 2xx, an error in the stream (a finish_reason of error or abort, too), no end, no content, any exception',
      where: 'benchmark.py run(): done; send(): complaint(), ended',
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
