/** Which probes `--only` and `--load` name. */
import { GROUPS, loadProbes, probePlaces } from '../../probes/catalogue.ts';
import type { NamedProbe } from '../measure/probe/probe.ts';
import { UserError } from '../system/user-error.ts';

/** Ids of probes that a word could mean, nearest first. */
export function near(word: string, ids: readonly string[]): string[] {
  const parts = word.split('-').filter((part) => part.length > 2);
  return ids.filter((id) => id.includes(word) || parts.some((part) => id.includes(part))).slice(0, 4);
}

/** The ids in the order of the catalogue. Throws a UserError for a word that is neither a probe nor a group. */
export function chosenIds(only: readonly string[] | undefined, load: boolean): string[] {
  const places = probePlaces();
  if (only === undefined) return places.filter(({ group }) => load || group !== 'load').map(({ id }) => id);
  const words = only
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0)
    throw new UserError('--only names no probe: give ids or groups, see tare probe --list.');
  for (const word of words)
    if (!places.some(({ id, group }) => id === word || group === word)) {
      const meant = near(
        word,
        places.map(({ id }) => id),
      );
      throw new UserError(
        `there is no probe and no group "${word}"${meant.length > 0 ? `; near it: ${meant.join(', ')}` : ''}. See tare probe --list; groups: ${GROUPS.join(', ')}.`,
      );
    }
  return places.filter(({ id, group }) => words.includes(id) || words.includes(group)).map(({ id }) => id);
}

/** Those probes, read. */
export const chosenProbes = (only: readonly string[] | undefined, load: boolean): Promise<NamedProbe[]> =>
  loadProbes(chosenIds(only, load));
