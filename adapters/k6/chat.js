// The load that k6 runs: one streamed chat completion an iteration. Everything that varies (scenario, URL, bodies) comes from a
// plan file, whose path is in TARE_K6_PLAN, so that this script is the same for every trial and can be run by hand:
//   k6 run --no-usage-report -e TARE_K6_PLAN=/absolute/plan.json chat.js
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';

const { bodies: _, ...plan } = JSON.parse(open(__ENV.TARE_K6_PLAN));
// Shared, since every virtual user would otherwise hold a copy of every prompt.
const bodies = new SharedArray('bodies', () => JSON.parse(open(__ENV.TARE_K6_PLAN)).bodies);

export const options = plan.options;

const count = bodies.length;
let next = __VU;

export default function () {
  // __VU and __ITER are plain globals and unique together; k6/execution's counters cost more and say no more here.
  const id = `${plan.idPrefix}-${__VU}-${__ITER}`;
  const body = bodies[next++ % count];
  const startedMs = plan.records ? exec.instance.currentTestRunDuration : 0;
  const response = http.post(plan.url, body, {
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-request-id': id },
    timeout: plan.timeout,
  });
  if (!plan.records) return;
  const { waiting, duration, blocked } = response.timings;
  const failed = response.error_code !== 0 || response.status >= 400;
  console.log([id, startedMs, waiting, duration, blocked, failed ? 0 : 1, response.error_code].join(' '));
}

export function handleSummary(data) {
  return { [plan.summaryFile]: JSON.stringify(data) };
}
