/**
 * All programs that this process has launched and that may still run: for ending them together, and as a last resort when the process
 * itself ends (an exception, process.exit). Signals are the caller's to handle.
 */

interface Live {
  /** Settles when it has ended; never rejects. */
  readonly done: Promise<unknown>;
  stop(): void;
  /** Kills everything at once, without waiting for anything. */
  killNow(): void;
}

const live = new Set<Live>();
let registered = false;

export function addLive(group: Live): void {
  if (!registered) {
    registered = true;
    process.on('exit', () => {
      for (const each of live) each.killNow();
    });
  }
  live.add(group);
  void group.done.then(() => live.delete(group));
}

/** Ends every launched program (see Running.stop); settles when nothing is left of any. */
export async function stopAll(): Promise<void> {
  const groups = [...live];
  for (const group of groups) group.stop();
  await Promise.all(groups.map((group) => group.done));
}

/** How many launched programs have not ended yet. */
export const liveCount = (): number => live.size;
