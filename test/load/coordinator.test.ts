import { describe, expect, it } from 'vitest';
import { runLoad } from '../../src/load/coordinator.ts';
import type { FromWorker, ToWorker, WorkerVitals } from '../../src/load/messages.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import { Recorder, type RecorderSnapshot } from '../../src/load/recorder.ts';
import type { StartWorker, WorkerExit, WorkerProcess } from '../../src/load/worker-process.ts';
import { ended } from './ended.ts';

const vitals = { delayed: 0, peakInFlight: 1, inFlightAtLastSend: 0, dispatched: 2 } as WorkerVitals;

function figures(requests: number): RecorderSnapshot {
  const recorder = new Recorder(3);
  for (let i = 0; i < requests; i++) recorder.take(ended());
  return recorder.snapshot();
}

/** A worker process that does what a test tells it to. */
class FakeWorker implements WorkerProcess {
  readonly pid = 4711;
  readonly received: ToWorker[] = [];
  killed = false;
  readonly exited: Promise<WorkerExit>;
  #exit: (exit: WorkerExit) => void = () => {};
  #listener: (message: FromWorker) => void = () => {};
  readonly #script: (worker: FakeWorker, message: ToWorker) => void;

  constructor(script: (worker: FakeWorker, message: ToWorker) => void) {
    this.#script = script;
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    queueMicrotask(() => this.say({ type: 'up' }));
  }
  send(message: ToWorker): void {
    this.received.push(message);
    queueMicrotask(() => this.#script(this, message));
  }
  onMessage(listener: (message: FromWorker) => void): void {
    this.#listener = listener;
  }
  say(message: FromWorker): void {
    this.#listener(message);
  }
  exit(exitCode: number | null, signal: string | null = null, stderr = ''): void {
    this.#exit({ exitCode, signal, stderr });
  }
  kill(): void {
    this.killed = true;
    this.exit(null, 'SIGKILL');
  }
}

type Script = (worker: FakeWorker, message: ToWorker) => void;

/** Ready when configured; after the start it reports `requests` requests and ends. */
const well =
  (requests: number): Script =>
  (worker, message) => {
    if (message.type === 'configure') worker.say({ type: 'ready' });
    else {
      worker.say({ type: 'done', figures: figures(requests), vitals });
      worker.exit(0);
    }
  };

const options = (change: Partial<LoadOptions> = {}): LoadOptions => ({
  ...LOAD_DEFAULTS,
  url: 'http://127.0.0.1:1/base/',
  rateRps: 100,
  requests: 4,
  outputTokens: 3,
  workers: 2,
  ...change,
});

/** Runs fake workers, one script each. */
async function run(scripts: readonly Script[], change: Partial<LoadOptions> = {}, signal?: AbortSignal) {
  const workers: FakeWorker[] = [];
  const startWorker: StartWorker = (k) => {
    workers[k] = new FakeWorker(scripts[k]!);
    return workers[k];
  };
  const given = options(change);
  const plan = planLoad(given, { allowed: [0, 1, 2, 3], total: 4, taskset: false });
  const report = await runLoad(given, plan, { startWorker, ...(signal === undefined ? {} : { signal }) });
  return { report, workers };
}

const config = (worker: FakeWorker) => {
  const message = worker.received[0]!;
  if (message.type !== 'configure') throw new Error('not configured first');
  return message.config;
};

describe('runLoad', () => {
  it('gives all workers one start, and each its share of one schedule', async () => {
    const { report, workers } = await run([well(2), well(2)]);
    expect(report.state).toBe('complete');
    expect(report.counts).toMatchObject({ scheduled: 4, complete: 4, failed: 0 });
    const starts = workers.map((w) => w.received[1]!);
    expect(starts[0]).toEqual(starts[1]);
    expect(starts[0]!.type).toBe('start');
    const configs = workers.map(config);
    expect(configs.map((c) => c.worker)).toEqual([0, 1]);
    expect(configs[0]!.schedule).toEqual(configs[1]!.schedule);
    expect(configs[0]!.path).toBe('/base/v1/chat/completions');
  });

  it('starts nobody before all are ready', async () => {
    let late: FakeWorker | null = null;
    const holding = run([
      well(2),
      (worker, message) => {
        if (message.type === 'configure') late = worker;
        else well(2)(worker, message);
      },
    ]);
    for (let i = 0; i < 20; i++) await Promise.resolve();
    late!.say({ type: 'ready' });
    const { report, workers } = await holding;
    expect(report.state).toBe('complete');
    expect(workers[0]!.received.map((m) => m.type)).toEqual(['configure', 'start']);
  });

  it('sees a worker die, stops the others, and reports what there was', async () => {
    const { report, workers } = await run([
      (worker, message) => {
        if (message.type === 'configure') worker.say({ type: 'ready' });
        else if (message.type === 'start') {
          worker.say({ type: 'figures', figures: figures(1), vitals });
          worker.exit(null, 'SIGKILL');
        }
      },
      (worker, message) => {
        if (message.type === 'configure') worker.say({ type: 'ready' });
        // Its own end comes only when it is told to stop.
        else if (message.type === 'stop') well(1)(worker, message);
      },
    ]);
    expect(report.state).toBe('incomplete');
    expect(report.reason).toMatch(/worker 0 died: ended by SIGKILL/);
    expect(report.workers.map((w) => w.state)).toEqual(['died', 'stopped']);
    expect(report.counts).toMatchObject({ complete: 2, scheduled: 4 });
    expect(report.counts.outcomes.unsent).toBe(2);
    expect(workers[1]!.received.at(-1)).toEqual({ type: 'stop' });
    expect(report.trusted).toBe(false);
  });

  it.each([
    ['at its start', (worker: FakeWorker) => worker.exit(null, null, 'spawn taskset ENOENT'), /ENOENT/],
    [
      'with an exit code',
      (worker: FakeWorker) => worker.exit(3, null, 'Error: no memory'),
      /exit code 3; .*no memory/,
    ],
    ['with code 0 but without figures', (worker: FakeWorker) => worker.exit(0), /exit code 0/],
  ])('a worker that ends %s is no success', async (_name, end, reason) => {
    const { report } = await run([end, (worker, message) => message.type === 'stop' && worker.exit(0)]);
    expect(report.state).toBe('incomplete');
    expect(report.reason).toMatch(reason);
    expect(report.counts.success_rate).toBe(0);
  });

  it('is interrupted from outside, with what was done so far', async () => {
    const abort = new AbortController();
    const script: Script = (worker, message) => {
      if (message.type === 'configure') worker.say({ type: 'ready' });
      else if (message.type === 'start') {
        worker.say({ type: 'figures', figures: figures(1), vitals });
        abort.abort();
      } else well(1)(worker, message);
    };
    const { report } = await run([script, script], {}, abort.signal);
    expect(report.state).toBe('interrupted');
    expect(report.counts.complete).toBe(2);
  });

  it('does not begin when it was interrupted before', async () => {
    const { report, workers } = await run(
      [well(2), well(2)].map(() => (worker, message) => message.type === 'stop' && worker.exit(0)),
      {},
      AbortSignal.abort(),
    );
    expect(report.state).toBe('interrupted');
    expect(workers.every((w) => w.received.every((m) => m.type !== 'start'))).toBe(true);
  });

  it('ends at the limit of the whole run', async () => {
    const stuck: Script = (worker, message) => {
      if (message.type === 'configure') worker.say({ type: 'ready' });
      else if (message.type === 'stop') well(1)(worker, message);
    };
    const { report } = await run([stuck, stuck], { deadlineS: 0.01 });
    expect(report.state).toBe('incomplete');
    expect(report.reason).toMatch(/limit of 0.01 s/);
    expect(report.counts.complete).toBe(2);
  });

  it('sends the key to the workers, and puts it nowhere else', async () => {
    const { report, workers } = await run([well(2), well(2)], { apiKey: 'sk-very-secret' });
    expect(config(workers[0]!).headers).toContain('Bearer sk-very-secret');
    expect(JSON.stringify(report)).not.toContain('very-secret');
  });
});
