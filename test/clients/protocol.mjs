/**
 * What the fake clients have in common: `--url U --result FILE --requests N`, streamed chat requests one after the other, and a result
 * file `{"completed", "failed", "duration_s", "ttft_ms": […], "e2e_ms": […]}`. Without a URL nothing is sent.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    result: { type: 'string' },
    requests: { type: 'string', default: '1' },
    model: { type: 'string', default: 'fake' },
  },
  allowPositionals: true,
});

export const requests = Number(values.requests);
export const resultFile = values.result;

async function sendOne() {
  const start = performance.now();
  const response = await fetch(`${values.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: values.model,
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      max_tokens: 4,
    }),
  });
  let first = null;
  for await (const chunk of response.body) if (chunk.length > 0) first ??= performance.now() - start;
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return { ttft: first, e2e: performance.now() - start };
}

/** Sends `count` requests; the report as an object. */
export async function run(count = requests) {
  const report = { completed: 0, failed: 0, duration_s: 0, ttft_ms: [], e2e_ms: [] };
  const start = performance.now();
  for (let i = 0; values.url !== undefined && i < count; i++) {
    try {
      const { ttft, e2e } = await sendOne();
      report.completed += 1;
      report.ttft_ms.push(ttft);
      report.e2e_ms.push(e2e);
    } catch {
      report.failed += 1;
    }
  }
  report.duration_s = (performance.now() - start) / 1000;
  return report;
}

/** Writes the result file, from an object or as it is. */
export function writeResult(result) {
  if (resultFile === undefined) return;
  writeFileSync(resultFile, typeof result === 'string' ? result : JSON.stringify(result));
}

/** Never ends by itself. */
export const forever = () => setInterval(() => {}, 60_000);
