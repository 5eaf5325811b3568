/** Flags of `tare load` that say what requests are like, and which ones are good. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { LoadOptions } from '../load/options.ts';
import { parseTasksFile } from '../load/requests/tasks-file.ts';
import type { TaskSpec } from '../measure/load/request-shape.ts';
import { parseSlos, type Slo } from '../measure/load/slo.ts';
import { parseTaskMix } from '../measure/load/task-mix.ts';
import { UserError } from '../system/user-error.ts';
import { positiveInteger } from './options.ts';

/** As commander gives them. */
export interface RequestFlags {
  readonly task?: TaskSpec[];
  readonly tasks?: string;
  readonly prefix?: number;
  readonly prefixGroups?: number;
  readonly slo?: Slo[];
}

/** A parser whose errors commander prints as usage errors. */
const asUsage =
  <T>(parse: (text: string) => T) =>
  (text: string): T => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message}.`);
    }
  };

/** Adds the flags. */
export const addRequestFlags = (command: Command): Command =>
  command
    .option(
      '--task <mix>',
      'kinds of requests with lengths of their own: qa, summarization, generation, agent, e.g. qa=60%,agent=40%',
      asUsage(parseTaskMix),
    )
    .option('--tasks <file>', 'a mix of your own tasks, in YAML: see docs/load-requests.md')
    .option(
      '--prefix <tokens>',
      'prompts begin alike by so many tokens, before their own words',
      positiveInteger,
    )
    .option('--prefix-groups <n>', 'so many different beginnings (default: 1)', positiveInteger)
    .option(
      '--slo <goals>',
      'what a good request is, e.g. ttft=200ms,tpot=50ms (also ntpot, e2e); for one task: qa:ttft=100ms, its name holding for the goals after it too; repeatable',
      (text: string, before: Slo[] | undefined) => [...(before ?? []), ...asUsage(parseSlos)(text)],
    );

function tasksOf({ task, tasks }: RequestFlags): TaskSpec[] | null {
  if (task !== undefined && tasks !== undefined)
    throw new UserError('give --task or --tasks, not both; a file may have the presets too');
  if (tasks === undefined) return task ?? null;
  let text: string;
  try {
    text = readFileSync(tasks, 'utf8');
  } catch (error) {
    throw new UserError(`the tasks could not be read: ${(error as Error).message}`);
  }
  return parseTasksFile(text, tasks);
}

/** The options that the flags come to. `given`: whether a flag was given, not left to its default. Throws a UserError. */
export function requestOptions(
  flags: RequestFlags,
  given: (flag: 'tokens' | 'promptTokens') => boolean,
): Pick<LoadOptions, 'tasks' | 'prefix' | 'slos'> {
  const tasks = tasksOf(flags);
  if (tasks !== null)
    for (const [flag, name] of [
      ['tokens', '--tokens'],
      ['promptTokens', '--prompt-tokens'],
    ] as const)
      if (given(flag))
        throw new UserError(
          `${name} gives all requests one length, but tasks have lengths of their own; leave out one of the two`,
        );
  if (flags.prefixGroups !== undefined && flags.prefix === undefined)
    throw new UserError(
      '--prefix-groups needs --prefix: how many tokens the prompts of a group have in common',
    );
  return {
    tasks,
    prefix: flags.prefix === undefined ? null : { tokens: flags.prefix, groups: flags.prefixGroups ?? 1 },
    slos: flags.slo ?? [],
  };
}
