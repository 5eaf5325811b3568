/**
 * Trials whose commands are the same but for what each trial has of its own: its id (in paths), the port of its target and its seed. Shown once for
 * all of them, the command of each follows from that by putting its own in place, so nothing is lost.
 */
import type { Trial } from '../../src/audit/document.ts';

/** What a trial has of its own, in words. */
export const OWN = { id: 'name', port: 'port', seed: 'seed' } as const;

/** What of it its command names. */
export type Own = { readonly [key in keyof typeof OWN]?: string };

export interface GroupedTrial {
  readonly trial: Trial;
  readonly own: Own;
}

/** At least one trial; each has the same keys of its own. */
export type TrialGroup = readonly [GroupedTrial, ...GroupedTrial[]];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Digits that are no part of a longer number. */
const number = (digits: string): RegExp => new RegExp(`(?<![\\d.])${digits}(?![\\d.]*\\d)`, 'g');

/** The port of the first address in a command. */
const portOf = (command: readonly string[]): string | null =>
  /\/\/[\w.-]+:(\d{2,5})(?!\d)/.exec(command.join(' '))?.[1] ?? null;

/** The command with a mark in place of what is the trial's own, which no word of a command holds, and what stood there. */
function template(trial: Trial): { readonly text: string; readonly own: Own } {
  const own: { -readonly [key in keyof Own]: Own[key] } = {};
  let text = JSON.stringify(trial.command);
  const put = (key: keyof Own, value: string | null, pattern: (value: string) => RegExp) => {
    if (value === null || value === '') return;
    const after = text.replace(pattern(value), `\u0000${key}\u0000`);
    if (after === text) return;
    text = after;
    own[key] = value;
  };
  put('id', trial.id, (id) => new RegExp(escaped(JSON.stringify(id).slice(1, -1)), 'g'));
  put('port', portOf(trial.command), number);
  put('seed', String(trial.workload.seed), (seed) => number(escaped(seed)));
  return { text, own };
}

/** In the order of their first trials. Only trials of one client at one rate are put together. */
export function trialGroups(trials: readonly Trial[]): readonly TrialGroup[] {
  const groups = new Map<string, GroupedTrial[]>();
  for (const trial of trials) {
    const { text, own } = template(trial);
    const key = `${trial.workload.rateRps}\u0000${text}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ trial, own }]);
    else group.push({ trial, own });
  }
  return [...groups.values()].map(([first, ...others]): TrialGroup => [first!, ...others]);
}
