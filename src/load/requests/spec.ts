/** What the shapes of a load are drawn from, out of its options; null where all requests are alike. */
import type { ShapesSpec } from '../../measure/load/request-shape.ts';
import type { RequestOptions } from './options.ts';
import type { StrataSpec } from './strata.ts';

/** Null: all have `promptTokens` and `outputTokens`, and no beginning in common. */
export function shapesSpec(options: RequestOptions): ShapesSpec | null {
  const { seed, prefix, tasks, traceLengths } = options;
  if (traceLengths !== null) return { seed, prefix, lengths: { kind: 'trace', trace: traceLengths } };
  if (tasks !== null) return { seed, prefix, lengths: { kind: 'tasks', tasks } };
  if (prefix === null) return null;
  const alike = {
    name: 'all',
    share: 1,
    prompt: { kind: 'constant', tokens: options.promptTokens },
    output: { kind: 'constant', tokens: options.outputTokens },
  } as const;
  return { seed, prefix, lengths: { kind: 'tasks', tasks: [alike] } };
}

/** Whether figures are given by task: where the user, or the trace, names kinds of requests. */
export const byTask = ({ tasks, traceLengths }: RequestOptions): boolean =>
  traceLengths !== null ? traceLengths.tasks !== null : tasks !== null;

/** What the workers need for that; null where there is nothing to tell apart and nothing to judge. In a closed loop a request is due when it is sent. */
export function strataSpec(options: RequestOptions): StrataSpec | null {
  const shapes = shapesSpec(options);
  if (shapes === null && options.slos.length === 0) return null;
  return {
    shapes,
    promptTokens: options.promptTokens,
    outputTokens: options.outputTokens,
    slos: options.slos,
    from: options.concurrency === null ? 'scheduled' : 'sent',
    byTask: byTask(options),
  };
}

/** Where the lengths of requests come from. */
export const lengthsOf = ({ tasks, traceLengths }: RequestOptions): 'alike' | 'tasks' | 'trace' =>
  traceLengths !== null ? 'trace' : tasks !== null ? 'tasks' : 'alike';
