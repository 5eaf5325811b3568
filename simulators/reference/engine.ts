/** What every exchange of one target shares. */
import { type LatencyModel, latencyModel } from '../../src/measure/latency.ts';
import { parseLatencySpec } from '../../src/measure/latency-spec.ts';
import { nowNs } from '../../src/system/clock.ts';
import { Recorder } from '../../src/truth/recorder.ts';
import { Counters } from './counters.ts';
import { readColumn } from './empirical.ts';
import { type Faults, faultsOf } from './faults.ts';
import type { FrameOptions } from './frames.ts';
import type { ReferenceOptions } from './options.ts';
import { Pacer } from './pacer.ts';
import { choosePacing, makeAlarm } from './pacing.ts';
import { PlanCache } from './plan-cache.ts';
import { randomTag } from './random-tag.ts';
import { Slots } from './slots.ts';
import { Usage } from './usage.ts';

export class Engine {
  readonly options: ReferenceOptions;
  readonly seed: number;
  readonly now: () => number = nowNs;
  readonly counters = new Counters();
  readonly usage = new Usage();
  readonly recorder: Recorder;
  readonly frameOptions: FrameOptions;
  readonly plans: PlanCache;
  /** The model in force; another one during the warm-up. */
  model: LatencyModel;
  readonly pacing: 'spin' | 'block' | 'none';
  readonly pacer: Pacer;
  /** Failures that are asked for; null without any, and during the warm-up. */
  faults: Faults | null = null;
  /** How much can be done at once; null without a limit, and during the warm-up. */
  slots: Slots | null = null;
  /** The target is ending: what is under way stays unfinished in the ledger. */
  ended = false;

  /** Throws an Error where the latency model cannot be read, or takes no time in which a slot could be held. */
  constructor(options: ReferenceOptions) {
    this.options = options;
    this.seed = options.seed;
    this.model = latencyModel(parseLatencySpec(options.latency), readColumn);
    if (options.slots !== null && this.model.zero)
      throw new Error(
        'slots have no effect where a request takes no time: give a latency, e.g. ttft=50ms,itl=10ms',
      );
    this.recorder = new Recorder(options.capacity);
    this.frameOptions = {
      model: options.model.name,
      role: options.role,
      earlyHeaders: options.earlyHeaders,
      ownTail: options.tailNs > 0,
      tag: randomTag(),
    };
    this.plans = new PlanCache(options.model, this.frameOptions);
    const pacing = choosePacing(options.pacing);
    const unpaced = this.model.zero && options.tailNs === 0;
    this.pacing = unpaced ? 'none' : pacing;
    this.pacer = new Pacer(makeAlarm(unpaced ? 'spin' : pacing, nowNs), nowNs);
  }

  /** From here on requests fail and wait as asked: the warm-up is over. */
  arm(): void {
    this.faults = faultsOf(this.seed, this.options);
    const { slots } = this.options;
    if (slots !== null) this.slots = new Slots(slots, (untilNs) => this.pacer.catchUp(untilNs));
  }

  /** Forgets what has been, as after the warm-up. */
  clear(): void {
    this.recorder.clear();
    this.counters.clear();
    this.usage.clear();
  }
}
