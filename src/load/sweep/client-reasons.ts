/** Why a step of a sweep says nothing about the server: what of its report is the client's own doing. */
import type { LoadReport } from '../report.ts';

/** Of a blocking event loop; beyond it the client is about to be the bottleneck. */
const MOST_LOOP = 0.9;
/** What the system says when this machine has no more connections to give. */
const EXHAUSTED = /EMFILE|ENFILE|EADDRNOTAVAIL/;

/**
 * The reasons, in words; none where the client is beyond suspicion. A lag of the sends is judged with the requests (`judgeStep`): it matters only against the
 * delays. That completions were behind, or requests were lost, is what a sweep looks for, and no reason.
 */
export function clientReasons(r: LoadReport): string[] {
  const reasons: string[] = [];
  for (const w of r.workers) {
    if (w.state === 'died') reasons.push(`worker ${w.worker} of the client died`);
    else if (r.client.pacing === 'block' && (w.event_loop_utilization ?? 0) > MOST_LOOP)
      reasons.push(
        `worker ${w.worker}'s event loop was busy ${((w.event_loop_utilization ?? 0) * 100).toFixed(0)} % of the time: the client gave out`,
      );
  }
  if (r.counts.delayed > 0)
    reasons.push(
      `${r.counts.delayed} requests waited for --max-in-flight: the server was not sent what was asked`,
    );
  const exhausted = r.failures.find(({ example }) => EXHAUSTED.test(example));
  if (exhausted !== undefined)
    reasons.push(
      `this machine has no more connections to give (${exhausted.example.split('\n')[0]!.slice(0, 100)})`,
    );
  return reasons;
}
