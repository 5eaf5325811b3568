/** What `tare claim new` prints: every key, what may stand there, and a small claim that checks without faults. */
export const CLAIM_TEMPLATE = `# A published claim, for "tare claim check". Copy figures exactly as the page prints them, digits and unit:
# how far they can be believed depends on the printed digits. What the page does not say is "not stated", or left out:
# that is an answer too, and becomes a question to the claimant.
tare-claim: 1
title: Engine A serves twice the tokens of engine B      # what the page is called, or what is claimed
claimant: Example Corp
sources:                                                 # where it can be read
  - url: https://example.com/benchmarks
    title: not stated
    published: not stated                                # a day: 2024-09-05
    read: 2026-11-30
    says: not stated                                     # a script or configuration there that differs from the table, in words

systems:                                                 # what is compared; one is enough
  - name: a
    engine: Engine A
    version: 1.0
    model: Llama 3.1 8B
    hardware: 1 x H100
    prefix-cache: not stated                             # on | off
  - name: b
    engine: Engine B
    version: 2.0
    model: Llama 3.1 8B
    hardware: 1 x H100
    prefix-cache: not stated

measurement:                                             # how it was measured
  client: {name: not stated, version: not stated}        # the load generator: vllm, aiperf, k6 ...
  processes: not stated                                  # worker processes that send
  loop: not stated                                       # single | multi: one event loop, or several processes or threads
  t0: not stated                                         # scheduled | queued | sent: where a request's clock starts
  streaming: not stated                                  # yes | no
  token-source: not stated                               # usage | client tokenizer | requested | chunks
  arrivals: not stated                                   # constant | poisson | all at once | closed loop | trace
  warm-up: not stated                                    # in words; "none" where the page says so
  window: not stated                                     # which requests or times the figures are over; in words
  repetitions: not stated                                # 3
  success-rate: not stated                               # 99.5 %
  client-host: not stated                                # machine of the client
  client-load: not stated                                # how busy it was
  failures: not stated                                   # left out | counted: whether failed requests are in the figures
  second-client: not stated                              # no | {within: 8 %, how: which client} | {apart: 40 %, how: which client}
  client-bias: not stated                                # or {at-most: 0.3 ms, how: by an audit at this load, its address}

rows:                                                    # a system under one load each
  - id: a-16
    system: a
    rate: not stated                                     # 32 req/s | inf (all at once)
    concurrency: 16
    requests: 500
    duration: not stated                                 # 300 s
    input-tokens: 1000
    output-tokens: 200
    output-length: not stated                            # fixed | mean | max (a limit)
    run: not stated                                      # cold | warm
    # prompts-of: other-row                              # the same prompts as that row, run before
    figures:
      # latencies ttft itl tpot ntpot e2e: 73.3 s, 87.64 ms; throughputs output_throughput input_throughput total_throughput: 8,730 tok/s,
      # request_throughput: 12.5 req/s, user_throughput: 40 tok/s/user; success_rate: 99 %, completed, failed: 500.
      # The statistic behind it: _mean _p50 _p90 _p95 _p99 _min _max _std. Without: the page does not say which.
      output_throughput: 777.02 tok/s
      ttft_p50: 0.542 s

tables:                                                  # a sweep: rows b-1, b-2, ...
  - id: b
    system: b
    columns: [concurrency, output_throughput tok/s, ttft_p50 ms]
    common: {requests: 500, input-tokens: 1000, output-tokens: 200}
    rows:
      - [8, 202.4, 310]
      - [16, 388.5, 610]
      - [32, 391.0, not stated]

headlines:                                               # sentences with a factor
  - id: twice
    text: twice the tokens per second
    ratio: 2.0
    bound: exactly                                       # exactly | up to | at least
    better: higher                                       # higher: of / over; lower, for latencies: over / of
    of: a-16.output_throughput                           # figures by row.figure, or not stated
    over: b-2.output_throughput

notes: []                                                # what a reader should know and no key has
`;
