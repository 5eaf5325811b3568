/** The client of test/clients/probe-client.mjs, described as a user would describe it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/system/package-root.ts';

const PROGRAM = join(packageRoot, 'test/clients/probe-client.mjs');
const STATISTICS = ['mean', 'p50', 'p90', 'p99', 'n'];

const figure = (metric: string): string =>
  `    ${metric}: { unit: ms, ${STATISTICS.map((name) => `${name}: summary.${metric}.${name}`).join(', ')} }`;

const text = (name: string, faults: string): string => `name: ${name}
title: a client such as people write
program: node
version:
  command: ["{program}", "${PROGRAM}", --version]
  pattern: 'probe-client (\\S+)'
command:
  - "{program}"
  - "${PROGRAM}"
  - --base-url={url}
  - --model={model}
  - --requests={requests}
  - --rate={rate}
  - --output-tokens={output_tokens}
  - --result={result}
  - --fault=${faults}
arrivals:
  constant: []
result:
  from: result.json
  format: json
  figures:
${['ttft', 'itl', 'tpot', 'ntpot', 'e2e'].map(figure).join('\n')}
  completed: summary.completed
  failed: summary.failed
  output_tokens: summary.tokens
  achieved_rate: { value: summary.rate, unit: 1/s }
  duration: { value: summary.seconds, unit: s }
records:
  from: result.json
  format: json
  rows: requests
  ok: ok
  start: { value: start, unit: ms }
  ttft: { value: ttft, unit: ms }
  e2e: { value: e2e, unit: ms }
  itl: { value: itl, unit: ms }
  output_tokens: tokens
  request_id: id
  error: error
definitions:
  t0: sent
  t0_detail: just before the request is made
  ttft: firstContent
  itl: chunkGaps
  tpot: standard
  ntpot: standard
  end: lastToken
  token_source: usage
  throughput: firstSendToLastEnd
  throughput_of: completed
  failures: excluded
  warmup_requests: 0
facts:
  architecture: one Node process, node:http
  runtime: libuv
  processes: "1"
  connections: kept
  open_loop: true
  startup_s: 0.2
  teardown_s: 0.1
`;

/** Writes its client file into a folder; `faults`: names with commas, or none. Returns the file's path. */
export function probeClientFile(folder: string, name: string, faults = ''): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text(name, faults));
  return file;
}
