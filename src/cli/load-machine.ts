/** What `tare load` finds out before it plans: the machine's limits, the client's costs, the model that is served. */
import { keyMask } from '../load/key-mask.ts';
import type { Machine } from '../load/plan-workers.ts';
import { servedModel } from '../load/served-model.ts';
import type { HostInfo } from '../system/host.ts';
import { hostKey, readProfile } from '../system/profile-store.ts';
import { timeWaitSockets } from '../system/sockets.ts';
import { UserError } from '../system/user-error.ts';

/** Limits and costs of this machine. */
export const machineFor = (host: HostInfo): Machine => ({
  room: {
    openFiles: host.open_files_limit,
    ports: host.ephemeral_ports,
    timeWait: timeWaitSockets(),
  },
  costs: readProfile('tare', hostKey(host)),
});

/** The model that the server names. Its errors do not hold the key, though the server may echo it. */
export async function modelOf(url: string, key: string | null): Promise<string> {
  try {
    return await servedModel(url, key);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(keyMask(key)?.(error.message) ?? error.message, error.code);
  }
}
