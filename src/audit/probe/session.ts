/**
 * All probes of one client. Those whose requests stand on their own share a run; what is not right there, or cannot be told there, is run
 * alone, and a fault counts when two runs show it. A run that leaves nothing is halved until the probe is alone that ended it.
 */
import { probeAlone } from './alone.ts';
import { decided, MOST_RUNS } from './decided.ts';
import type { ProbeCell, ProbedClient, ProbeRun } from './document.ts';
import type { Scripted } from './judge-rows.ts';
import { runLoad } from './load-cells.ts';
import { inTurn } from './pool.ts';
import type { SessionInput } from './session-input.ts';
import { probeTogether } from './together.ts';

/** Runs for one probe that go on at once: they mostly wait. */
const AT_ONCE = 3;
/** A client that takes this long to start takes the machine for it: several at once take longer than one by one. */
const HEAVY_START_S = 4;
/** Fewer probes than this are not worth a run together, or a second one. */
const FEWEST_TOGETHER = 4;
const FEWEST_AGAIN = 3;
/** A run of fewer probes that leaves nothing is not halved: each is run alone. */
const FEWEST_HALVED = 8;

class Session {
  readonly #input: SessionInput;
  readonly runs: ProbeRun[] = [];
  readonly cells: ProbeCell[] = [];
  /** What runs have said of each probe so far. */
  readonly #said = new Map<string, ProbeCell[]>();
  #together = 0;

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

  /** Adds what a run said; whether that decides. */
  #decide(cell: ProbeCell): boolean {
    const said = [...(this.#said.get(cell.probe) ?? []), cell];
    this.#said.set(cell.probe, said);
    const final = decided(said);
    if (final === null) return false;
    this.cells.push(final);
    this.#input.onEvent({ kind: 'cell', client: this.#input.adapter.name, cell: final });
    return true;
  }

  /** Judges what can be judged in one run; gives the probes that are still open. A run that leaves nothing is halved. */
  async together(probes: readonly Scripted[]): Promise<Scripted[]> {
    if (probes.length === 0 || this.#ended) return [...probes];
    const { adapter, found, probeOf, context } = this.#input;
    const id = `together-${++this.#together}`;
    const { launch, cells } = await probeTogether(adapter, found, probes, probeOf, id, context);
    this.#take(launch.run);
    if (cells !== null)
      return probes.filter((probe) => {
        const cell = cells.find((one) => one.probe === probe.id);
        return cell === undefined || !this.#decide(cell);
      });
    if (probes.length < FEWEST_HALVED) return [...probes];
    const half = Math.ceil(probes.length / 2);
    return [...(await this.together(probes.slice(0, half))), ...(await this.together(probes.slice(half)))];
  }

  /** Those that a run has judged, once more in one run, in another order; gives what is open after it. */
  async again(probes: readonly Scripted[]): Promise<Scripted[]> {
    const judged = probes.filter((probe) => this.#said.has(probe.id));
    if (judged.length < FEWEST_AGAIN) return [...probes];
    const open = await this.together(judged);
    return probes.filter((probe) => !judged.includes(probe) || open.includes(probe));
  }

  /** Runs of its own for a probe, until they decide. */
  async alone(probe: Scripted): Promise<void> {
    const { adapter, found, probeOf, context } = this.#input;
    for (let run = 1; !this.#ended; run++) {
      const id = run === 1 ? probe.id : `${probe.id}-${run}`;
      const { cell, runs } = await probeAlone(adapter, found, probe, probeOf, id, context);
      for (const one of runs) this.#take(one);
      if (this.#ended || this.#decide(cell)) return;
    }
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
  const groups = [
    single.filter((probe) => !probe.rough && !probe.fragile),
    single.filter((probe) => probe.fragile && !probe.rough),
    single.filter((probe) => probe.rough),
  ];
  const open: Scripted[] = [];
  // A run for a few probes shows their printed summaries, too.
  if (single.length < FEWEST_TOGETHER) open.push(...single);
  else {
    for (const group of groups) open.push(...(await session.together(group)));
    // Three runs decide, whatever they say: only what no run together can judge is left.
    for (let run = 2; run <= MOST_RUNS; run++) open.splice(0, open.length, ...(await session.again(open)));
  }
  open.push(...scripted.filter((probe) => probe.scope === 'run'));
  const atOnce = adapter.facts.startupS > HEAVY_START_S ? 1 : AT_ONCE;
  await inTurn(open, atOnce, (probe) => session.alone(probe));
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
