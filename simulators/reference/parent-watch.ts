/** Notices that the process which started this one is gone: an orphaned target must not hold its port for ever. */

const EVERY_MS = 500;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it is there, and someone else's.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Calls back once when the process is gone; does not keep this one alive. */
export function onParentGone(pid: number, call: () => void): void {
  const timer = setInterval(() => {
    if (!isGone(pid)) return;
    clearInterval(timer);
    call();
  }, EVERY_MS);
  timer.unref();
}
