/**
 * All probes of one client. Those whose requests stand on their own share a run; what is not right there, or cannot be told there, is run
 * alone, and a fault counts when two runs show it. A run that leaves nothing is halved until the probe is alone that ended it.
 */
import { NO_SLACK } from '../../measure/probe/figures.ts';
import { probeAlone } from './alone.ts';
import type { ProbeCell, ProbedClient, ProbeRun } from './document.ts';
import type { Scripted } from './judge-rows.ts';
import { runLoad } from './load-cells.ts';
import { inTurn } from './pool.ts';
import type { SessionInput } from './session-input.ts';
import { probeTogether } from './together.ts';

/** Runs for one probe that go on at once: they mostly wait. */
const AT_ONCE = 2;
/** Fewer probes than this are not worth a run together. */
const FEWEST_TOGETHER = 4;

const settled = (cell: ProbeCell): boolean => cell.verdict === 'right' || cell.verdict === 'other definition';

/** Of two runs, the second of its own: a fault must show in both. */
export function confirmed(earlier: ProbeCell, later: ProbeCell): ProbeCell {
  const cell = { ...later, confirms: earlier.verdict };
  if (settled(later) || later.verdict === 'not applicable' || later.verdict === 'undetermined') return cell;
  if (later.verdict === earlier.verdict && later.kind === earlier.kind) return cell;
  if (later.verdict === 'crashed') return cell;
  return {
    ...cell,
    verdict: 'undetermined',
    words: `Two runs disagree: ${earlier.verdict}${earlier.kind === null ? '' : ` (${earlier.kind})`}, then ${later.verdict} (${later.kind}). ${later.words}`,
  };
}

class Session {
  readonly #input: SessionInput;
  readonly runs: ProbeRun[] = [];
  /** By probe, what a run together or an earlier one said. */
  readonly #first = new Map<string, ProbeCell>();
  readonly cells: ProbeCell[] = [];
  #together = 0;
  #slack = NO_SLACK;

  constructor(input: SessionInput) {
    this.#input = input;
  }

  get #ended(): boolean {
    return this.#input.context.signal.aborted;
  }

  #take(run: ProbeRun): void {
    this.runs.push(run);
    this.#input.onEvent({ kind: 'run', client: this.#input.adapter.name, run });
  }

  #settle(cell: ProbeCell): void {
    this.cells.push(cell);
    this.#input.onEvent({ kind: 'cell', client: this.#input.adapter.name, cell });
  }

  /** Judges what can be judged in one run; gives the probes that need one of their own. */
  async together(probes: readonly Scripted[]): Promise<Scripted[]> {
    if (probes.length < FEWEST_TOGETHER || this.#ended) return [...probes];
    const { adapter, found, probeOf, context } = this.#input;
    const id = `together-${++this.#together}`;
    const { launch, cells, slack } = await probeTogether(adapter, found, probes, probeOf, id, context);
    this.#take(launch.run);
    this.#slack = slack ?? this.#slack;
    if (cells === null) {
      if (probes.length < 2 * FEWEST_TOGETHER) return [...probes];
      const half = Math.ceil(probes.length / 2);
      return [...(await this.together(probes.slice(0, half))), ...(await this.together(probes.slice(half)))];
    }
    const open: Scripted[] = [];
    for (const probe of probes) {
      const cell = cells.find((one) => one.probe === probe.id);
      if (cell !== undefined && settled(cell)) this.#settle(cell);
      else open.push(probe);
      if (cell !== undefined) this.#first.set(probe.id, cell);
    }
    return open;
  }

  /** A run for one probe; a fault that no earlier run showed is looked at a second time. */
  async alone(probe: Scripted): Promise<void> {
    if (this.#ended) return;
    const { adapter, found, probeOf, context } = this.#input;
    const run = async (id: string): Promise<ProbeCell> => {
      const { cell, runs } = await probeAlone(adapter, found, probe, probeOf, id, context, this.#slack);
      for (const one of runs) this.#take(one);
      return cell;
    };
    const earlier = this.#first.get(probe.id);
    let cell = await run(probe.id);
    if (earlier !== undefined && !settled(earlier)) cell = confirmed(earlier, cell);
    const alone = earlier === undefined && (cell.verdict === 'faulty' || cell.kind === 'hangs');
    if ((alone || (cell.verdict === 'undetermined' && cell.confirms !== null)) && !this.#ended)
      cell = confirmed(alone ? cell : { ...cell, verdict: 'faulty' }, await run(`${probe.id}-again`));
    if (!this.#ended) this.#settle(cell);
  }
}

/** Runs every probe of a client. What is cut short is left out. */
export async function probeClient(
  input: SessionInput,
): Promise<{ client: ProbedClient; cells: ProbeCell[] }> {
  const { adapter, found, probes } = input;
  const session = new Session(input);
  const seconds = (since: number): number => Math.round((performance.now() - since) / 10) / 100;
  const begun = performance.now();
  const scripted = probes.filter((probe): probe is Scripted => probe.scope !== 'load');
  const single = scripted.filter((probe) => probe.scope === 'request');
  const open = [
    ...(await session.together(single.filter((probe) => !probe.rough))),
    ...(await session.together(single.filter((probe) => probe.rough))),
    ...scripted.filter((probe) => probe.scope === 'run'),
  ];
  await inTurn(open, AT_ONCE, (probe) => session.alone(probe));
  const elapsed_s = seconds(begun);
  const loadBegun = performance.now();
  const load = await runLoad(input, (run) => session.runs.push(run));
  const cells = [...session.cells, ...load].toSorted(
    (a, b) => probes.findIndex(({ id }) => id === a.probe) - probes.findIndex(({ id }) => id === b.probe),
  );
  return {
    client: {
      client: adapter.name,
      version: found.version,
      path: found.path,
      origin: found.origin,
      elapsed_s,
      load_elapsed_s: seconds(loadBegun),
      runs: session.runs,
    },
    cells,
  };
}
