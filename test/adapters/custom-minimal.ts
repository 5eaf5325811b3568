/** The smallest client file there can be; its line numbers are what tests of faults count on. */
export const MINIMAL = `# line 1
name: minimal
program: node
command: [x.js, '{url}/v1', '{rate}', '{requests}']
arrivals:
  constant: []
result:
  from: r.json
  format: json
  figures: { e2e: { unit: ms, mean: m } }
  completed: ok
# line 12
definitions:
  t0: sent
  t0_detail: when it is sent
  ttft: none
  itl: none
  tpot: none
  ntpot: none
  end: lastToken
  token_source: usage
  throughput: none
  throughput_of: all
  failures: excluded
  warmup_requests: 0
facts:
  architecture: one process
  runtime: threads
  processes: 1
  connections: kept
  open_loop: true
`;
