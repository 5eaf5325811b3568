/** What is known of k6, with its place in k6's own source (v2.2.0) or the run that showed it. */
import type { ClientFacts } from '../contract.ts';

export const k6Facts: ClientFacts = {
  variants: [
    { variant: 'plain-json', can: true, how: 'stream: false in the body', where: 'chat.js' },
    {
      variant: 'tls',
      can: true,
      how: 'an https URL; the authority by SSL_CERT_FILE',
      where: 'internal/js/runner.go newVU(), TLSClientConfig; Go, crypto/x509/root_unix.go',
    },
    {
      variant: 'http2',
      can: true,
      how: 'by ALPN, without a flag',
      where: 'internal/js/runner.go newVU(), transport.ForceAttemptHTTP2',
    },
  ],
  definitions: {
    t0: 'sent',
    t0Detail:
      'http_req_duration: when the connection has been acquired (pool wait and connect are http_req_blocked, outside it); ' +
      'http_req_waiting: when the request has been written, http_req_sending later',
    ttft: 'headers',
    itl: 'none',
    tpot: 'none',
    ntpot: 'none',
    end: 'responseEnd',
    tokenSource: 'requested',
    throughput: 'firstSendToLastEnd',
    throughputOf: 'all',
    failures: 'excluded',
    warmupRequests: 0,
  },
  architecture:
    'one Go process; a goroutine, a JavaScript engine and a connection pool a virtual user; one goroutine starts iterations',
  runtime: 'goroutines',
  processes: '1',
  connections: 'one a user',
  joins: 'requestId',
  arrivals: ['constant'],
  openLoop: true,
  version: '2.2.0',
  evidence: [
    {
      about: 'ttft',
      what: 'The body is read whole before the script sees anything: no event of a stream is timed, and "waiting" ends at the first byte of the response head, whatever it holds',
      where: 'lib/netext/httpext/tracer.go GotFirstResponseByte; request.go MakeRequest, readResponseBody',
    },
    {
      about: 'e2e',
      what: 'http_req_duration = sending + waiting + receiving; sending starts when the connection is there, so waiting for one and connecting are left out',
      where: 'lib/netext/httpext/tracer.go Done',
    },
    {
      about: 't0',
      what: 'Stamps are wall-clock nanoseconds (UnixNano): a step of the system clock goes into the figures',
      where: 'lib/netext/httpext/tracer.go now',
    },
    {
      about: 'failures',
      what: 'A request that was never written (refused) counts as 0 ms in http_req_waiting and http_req_duration: the plain figures fall as the server fails. Tare reads the sub-metrics {expected_response:true}',
      where: 'lib/netext/httpext/tracer.go Done (all stamps zero); transport.go measureAndEmitMetrics',
    },
    {
      about: 'failures',
      what: 'A body that breaks off counts as failed (status 0); an error object inside a 200 stream counts as a success',
      where: 'lib/netext/httpext/transport.go processLastSavedRequest; nothing in k6 reads the stream',
    },
    {
      about: 'schedule',
      what: 'Iteration n is due at n/rate after the scenario began, on an absolute schedule with equal gaps only; no metric starts at that instant',
      where: 'lib/executor/constant_arrival_rate.go Run; ramping_arrival_rate.go',
    },
    {
      about: 'schedule',
      what: 'A due iteration without an idle virtual user is dropped for good (dropped_iterations, absent when none; exit code 0): overload shows as a lower rate, not as latency',
      where: 'lib/executor/constant_arrival_rate.go Run, "consider this iteration dropped"',
    },
    {
      about: 'schedule',
      what: 'The schedule starts before the virtual users are activated, so the first iterations are late and the tail of a short run is of its first second',
      where: 'lib/executor/constant_arrival_rate.go Run: getDurationContexts before GetPlannedVU',
    },
    {
      about: 'connections',
      what: "Each virtual user has a transport of its own, so its first request opens a connection; the user's second one reuses it. Idle users take turns: 20 requests at 5/s came on 20 connections",
      where: 'internal/js/runner.go newVU',
    },
    {
      about: 'tokenSource',
      what: 'k6 reads no event, so it counts no token; what was asked for stands in where a count is needed',
      where: 'lib/netext/httpext/request.go readResponseBody',
    },
    {
      about: 'processes',
      what: 'One process; Go runs its goroutines on as many threads as it may use cores',
      where: 'internal/execution/scheduler.go initVUsConcurrently (GOMAXPROCS)',
    },
    {
      about: 'warmup',
      what: 'None: no request is sent before the scenario begins, and the connection of each user is opened in its first',
      where: 'lib/executor/constant_arrival_rate.go Run',
    },
    {
      about: 'statistics',
      what: 'Percentiles are of all values, by linear interpolation between order statistics; p(99) only if summaryTrendStats asks',
      where: 'metrics/sink.go TrendSink.P',
    },
    {
      about: 'throughput',
      what: 'The rate printed is all requests, failed ones too, over the time of the whole run, so the drain is in it: 769/s for 800/s over 5 s',
      where:
        'lib/netext/httpext/tracer.go SaveSamples (HTTPReqs counts every request); metrics/sink.go CounterSink.Rate; seen in runs',
    },
    {
      about: 'other',
      what: '--out json writes thirteen lines a request (1.8 kB); at 800/s on two cores neither it nor one console line a request made a difference beyond that between runs',
      where: 'docs/clients-k6.md',
    },
    {
      about: 'failures',
      what: 'http_req_failed.passes counts the failed requests',
      where: 'internal/js/summary.go metricValueGetter (RateSink: passes = trues)',
    },
    {
      about: 'failures',
      what: 'Exit code 0 when every request was refused; 99 threshold, 105 signal, 107 script exception',
      where: 'errext/exitcodes/codes.go; seen in runs',
    },
    {
      about: 'other',
      what: 'Usage reports are sent unless --no-usage-report; Tare always passes it',
      where: 'k6 run --help',
    },
  ],
  startupS: 0.3,
  teardownS: 0.2,
};
