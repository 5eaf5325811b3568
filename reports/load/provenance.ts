/** Under what conditions a load's figures came about. */
import type { Provenance } from '../provenance.ts';
import { count, grouped, oneLine } from '../text.ts';
import type { LoadDocument } from './document.ts';

const TOKENS = {
  usage: "the server's usage record",
  events: 'a count of token events: the server sent no usage',
  mixed: "the server's usage record where an answer had one, else a count of its token events",
  none: 'nothing: no answer succeeded',
} as const;

/** Of a load run. */
export function loadProvenance({ report: r, host }: LoadDocument): Provenance {
  const { options: o, client } = r;
  const pinned = r.workers.filter((w) => w.cpus !== null);
  const rate =
    r.rate.requested_rps === null ? 'no requested rate' : `${grouped(r.rate.requested_rps)} requests/s`;
  return {
    clients: [
      {
        name: 'tare load',
        version: oneLine(r.tare_version),
        origin: `Tare's own client on Node ${oneLine(client.node)}`,
        observed: `${count(client.workers, 'worker process', 'worker processes')} with one event loop each, ${client.pacing} pacing`,
        documented:
          'a coordinator and m worker processes, one event loop each; open loop unless asked otherwise',
        workers: oneLine(client.choice.why),
        concurrency: `at most ${grouped(r.counts.peak_in_flight)} requests in flight${o.max_in_flight === null ? '' : `, --max-in-flight ${grouped(o.max_in_flight)}`}`,
        t0: 'both the scheduled and the sent instant; each figure says which',
        output_tokens_source: TOKENS[r.tokens.source],
      },
    ],
    target: `${oneLine(o.url)}, ${oneLine(o.endpoint)}, model ${oneLine(o.model)}${o.stream ? '' : ', not streamed'}`,
    prefix_cache:
      'unknown: the target may have one; each prompt begins with its own number unless asked otherwise',
    host: `${oneLine(host.cpu_model)}, ${count(host.cores, 'core')}, ${grouped(host.memory_mb)} MB; ${oneLine(host.os)}, kernel ${oneLine(host.kernel)}`,
    pinning:
      pinned.length === 0
        ? 'workers not pinned'
        : `workers on cores ${pinned.map((w) => w.cpus!.join('+')).join(', ')}`,
    workload: `${o.arrivals === null ? `closed loop of ${count(r.closed_loop!.concurrency, 'user')}` : `${oneLine(o.arrivals)} arrivals`}, ${rate}, ${count(o.requests, 'request')}, ${o.output_tokens === null ? (o.lengths === 'trace' ? 'lengths of the trace' : 'lengths by task') : `${o.prompt_tokens === null ? 'a prompt of the user’s own' : count(o.prompt_tokens, 'prompt token')}, ${count(o.output_tokens, 'output token')} asked`}`,
    seed: String(o.seed),
    repetitions: 'one run: no interval over repetitions',
    floor: 'not measured in a load run: tare audit measures what this client adds on this machine',
    harness: `Tare ${oneLine(r.tare_version)}, node ${oneLine(client.node)}, started ${oneLine(r.started_at)}${r.state === 'complete' ? '' : `; the run is ${r.state}`}${r.fault === null ? '' : `; with the known fault ${oneLine(r.fault.name)}: no measurement`}`,
  };
}
