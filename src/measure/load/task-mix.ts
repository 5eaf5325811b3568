/** A mix of tasks as its flag spells it: `qa`, or `qa=60%,agent=40%`. */
import { TASKS, type Task, type TaskSpec } from './request-shape.ts';
import { presetTask } from './task-presets.ts';

/** Shares may miss 1 by so much: thirds are spelled 33.3%. They are then divided by their sum. */
const SHARES_OFF = 0.005;
/** What a task may be called: it stands before a colon in a goal, and in tables. */
export const TASK_NAME = /^[A-Za-z][\w.-]{0,39}$/;

/** `60%` or `0.6`; null for anything else. */
export function parseShare(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(%)?$/.exec(text.trim());
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === undefined ? 1 : 100);
  return value > 0 && value <= 1 ? value : null;
}

/** Shares that add up to 1; throws an Error when they do not come near it. */
export function wholeShares<T extends { readonly share: number }>(parts: readonly T[]): T[] {
  const sum = parts.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) > SHARES_OFF)
    throw new Error(`the shares add up to ${Number((sum * 100).toFixed(2))} %, not to 100 %`);
  return parts.map((part) => ({ ...part, share: part.share / sum }));
}

/** Parses a mix of presets; throws an Error. Without shares, each has the same. */
export function parseTaskMix(text: string): TaskSpec[] {
  const parts = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const shared = parts.filter((part) => part.length > 1).length;
  if (shared > 0 && shared < parts.length) throw new Error(`"${text}": give each task a share, or none`);
  const mix = parts.map(([name, spelled, more]) => {
    if (!TASKS.includes(name as Task))
      throw new Error(`"${name}" is no task; there are ${TASKS.join(', ')}, and --tasks for your own`);
    const share = spelled === undefined ? 1 / parts.length : parseShare(spelled);
    if (share === null || more !== undefined)
      throw new Error(`"${spelled}" is no share of ${name}; e.g. ${name}=60%`);
    return { name: name as Task, share };
  });
  const twice = mix.find(({ name }, i) => mix.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) throw new Error(`"${text}" names ${twice.name} twice`);
  return wholeShares(mix).map(({ name, share }) => presetTask(name, share));
}
