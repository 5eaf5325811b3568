/** The clients that a command was asked for, as far as they are here. */
import type { Adapter, Found } from '../../adapters/contract.ts';
import { allAdapters } from '../../adapters/registry.ts';
import { UserError } from '../system/user-error.ts';
import type { ClientChoice } from './client-choice.ts';

export interface Here {
  readonly adapter: Adapter;
  readonly found: Found;
}

/** Those named, or all that are installed. One that was named and is not here is a UserError. */
export async function clientsHere({ names, byName }: ClientChoice): Promise<Here[]> {
  const here: Here[] = [];
  for (const adapter of names === null ? allAdapters : [...new Set(names)].map(byName)) {
    const found = await adapter.find();
    if (found.state === 'found') here.push({ adapter, found });
    else if (names !== null)
      throw new UserError(`${adapter.name} cannot run here: ${found.reason}. To mend it: ${found.remedy}`);
  }
  return here;
}
