/** Entry point of a worker process. It obeys its coordinator over IPC, and ends when that is gone. */
import type { FromWorker, ToWorker } from './messages.ts';
import { WorkerRun } from './worker-run.ts';

/** What a dead worker had is known up to this long before. A report takes 2 ms: five times as often, they would be what p99 shows. */
const REPORT_EVERY_MS = 1000;

let run: WorkerRun | null = null;

function tell(message: FromWorker, sent: () => void = () => {}): void {
  process.send!(message, undefined, undefined, sent);
}

async function work(started: WorkerRun, startNs: number): Promise<void> {
  const report = setInterval(
    () => tell({ type: 'figures', figures: started.figures(), vitals: started.vitals() }),
    REPORT_EVERY_MS,
  );
  await started.run(startNs);
  clearInterval(report);
  tell({ type: 'done', figures: started.figures(), vitals: started.vitals() }, () => process.exit(0));
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'configure') {
    run = new WorkerRun(message.config);
    void run
      .prepare((figures, vitals) => tell({ type: 'rehearsal', figures, vitals }))
      .then(() => tell({ type: 'ready' }));
  } else if (message.type === 'start') void work(run!, message.startNs);
  else if (run === null) process.exit(0);
  else run.stop();
});
// Ctrl-C reaches the whole group: the coordinator decides what becomes of it.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
tell({ type: 'up' });
