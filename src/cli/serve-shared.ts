/** What both targets of `tare serve` have in common: where they may listen, and until when they run. */
import { onParentGone } from '../../simulators/reference/parent-watch.ts';
import { UserError } from '../system/user-error.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Throws a UserError for an address that other machines can reach, unless that is meant. */
export function checkHost({ host, expose }: { readonly host: string; readonly expose?: true }): void {
  if (LOOPBACK.test(host) || expose) return;
  throw new UserError(
    `--host ${host} lets other machines send load here; the target has no access control. Add --expose if that is meant`,
  );
}

/** Resolves at SIGTERM, SIGINT or the parent's end. To be called before the start, so that no early signal is lost. */
export function endOfService(parentPid: number | undefined): Promise<void> {
  return new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    if (parentPid !== undefined) onParentGone(parentPid, resolve);
  });
}
