/**
 * A benchmark client such as people write, with the faults that such clients have on demand: what `tare probe` must find, built on nothing
 * of Tare's. Open loop, equal gaps. Writes one JSON: `{summary, requests}`, times in ms.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { send } from './probe-client/send.mjs';
import { summaryOf } from './probe-client/summary.mjs';

/** Every fault that this client can have. */
export const FAULTS = [
  // When a token is.
  'first-chunk-as-token',
  'headers-as-token',
  'answer-only',
  'whole-body',
  'coarse-clock',
  // What a gap, an end, a count is.
  'ttft-in-itl',
  'empty-as-token',
  'usage-chunk-as-token',
  'end-at-usage',
  'end-at-response',
  'requested-as-tokens',
  'chunks-as-tokens',
  'recounted-with-start-token',
  'usage-summed',
  'tpot-without-minus-one',
  'stops-at-eos',
  // What a success is.
  'error-as-success',
  'failed-as-zero',
  'failures-uncounted',
  'zero-for-none',
  'one-token-dropped',
  // How a stream is read.
  'split-utf8',
  'segments-as-events',
  'lf-lf-only',
  'needs-space',
  'done-needs-space',
  'reads-past-done',
  // How it ends.
  'crash-on-comment',
  'crash-on-503',
  'hang',
];

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    model: { type: 'string', default: 'm' },
    requests: { type: 'string', default: '10' },
    rate: { type: 'string', default: '10' },
    'output-tokens': { type: 'string', default: '50' },
    result: { type: 'string', default: 'result.json' },
    fault: { type: 'string', default: '' },
    version: { type: 'boolean', default: false },
  },
});

if (values.version) {
  console.log('probe-client 1.0');
  process.exit(0);
}
const faults = new Set(values.fault.split(',').filter((name) => name !== ''));
for (const name of faults)
  if (!FAULTS.includes(name)) {
    console.error(`probe-client: there is no fault "${name}"; there are: ${FAULTS.join(', ')}`);
    process.exit(2);
  }
const has = (name) => faults.has(name);
const now = has('coarse-clock') ? () => 10 * Math.round(performance.now() / 10) : () => performance.now();
const count = Number(values.requests);
const options = {
  url: values['base-url'],
  model: values.model,
  tokens: Number(values['output-tokens']),
  has,
  now,
};

const began = performance.now();
const requests = await Promise.all(
  Array.from({ length: count }, async (_, i) => {
    const due = began + (i * 1000) / Number(values.rate);
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    return send(`probe-client-${process.pid}-${i}`, options);
  }),
);
writeFileSync(values.result, JSON.stringify({ summary: summaryOf(requests, began, has), requests }));
// Connections that are kept would keep the process.
process.exit(0);
