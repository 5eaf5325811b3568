// A benchmark of the kind that is written in an afternoon: streamed chat requests at a steady rate.
// usage: node bench.mjs URL MODEL RATE REQUESTS TOKENS RECORDS.jsonl      (its summary is printed as JSON)
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

if (process.argv[2] === '--version') {
  console.log('bench 0.3');
  process.exit(0);
}
const [url, model, rate, requests, tokens, file] = process.argv.slice(2);

async function send(id) {
  const start = performance.now();
  let first = null;
  let error = '';
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'Tell me a story.' }],
        stream: true,
        max_tokens: Number(tokens),
      }),
    });
    for await (const _ of response.body) first ??= performance.now();
    if (!response.ok) error = `HTTP ${response.status}`;
  } catch (problem) {
    error = String(problem.cause ?? problem);
  }
  const record = {
    id,
    start,
    ttft: first === null ? null : first - start,
    e2e: performance.now() - start,
    error,
  };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
  return record;
}

const running = [];
const began = performance.now();
for (let i = 0; i < Number(requests); i++) {
  running.push(send(`bench-${i}`));
  await sleep(1000 / Number(rate));
}
const done = (await Promise.all(running)).filter((record) => record.error === '');
const percentile = (p) =>
  done.map(({ e2e }) => e2e).sort((a, b) => a - b)[Math.floor(p * (done.length - 1))] ?? null;
console.log(
  JSON.stringify({
    requests: Number(requests),
    ok: done.length,
    seconds: (performance.now() - began) / 1000,
    latency_ms: { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) },
  }),
);
