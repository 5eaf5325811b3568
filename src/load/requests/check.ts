/** Refuses what requests cannot be. */

import { MAX_LENGTH } from '../../measure/load/length.ts';
import { taskNames } from '../../measure/load/shapes.ts';
import { formatSlo, sloTwice } from '../../measure/load/slo.ts';
import { UserError } from '../../system/user-error.ts';
import type { RequestOptions } from './options.ts';
import { byTask, shapesSpec } from './spec.ts';

/** Fields that each request has of its own, once requests are not alike. */
const OWN_FIELDS = { chat: ['messages', 'max_tokens'], completions: ['prompt', 'max_tokens'] } as const;

function checkSlos(options: RequestOptions): void {
  const { slos, stream } = options;
  const twice = sloTwice(slos);
  if (twice !== undefined)
    throw new UserError(`the goal ${formatSlo(twice)} is a second one for the same; give each once`);
  const untimed = slos.find(({ metric }) => metric === 'ttft' || metric === 'tpot');
  if (!stream && untimed !== undefined)
    throw new UserError(
      `the goal ${formatSlo(untimed)} needs streamed answers: without, no token has an instant; leave out --no-stream, or give goals for e2e and ntpot`,
    );
  const shapes = shapesSpec(options);
  const names = shapes !== null && byTask(options) ? taskNames(shapes) : [];
  const stray = slos.find(({ task }) => task !== null && !names.includes(task));
  if (stray !== undefined)
    throw new UserError(
      `the goal ${formatSlo(stray)} is for a task that this load has not; ${names.length === 0 ? 'tasks come from --task or --tasks' : `it has ${names.join(', ')}`}`,
    );
}

/** Throws a UserError on options about requests that contradict each other. */
export function checkRequests(options: RequestOptions): void {
  checkSlos(options);
  const { prefix, extraBody, endpoint, tasks, traceLengths } = options;
  if (tasks !== null && traceLengths !== null)
    throw new UserError(
      'both the tasks and the trace say how long requests are: leave out the tasks, or keep only the trace’s times with --no-trace-lengths',
    );
  const whole = [prefix?.tokens ?? 1, prefix?.groups ?? 1];
  if (whole.some((n) => !Number.isInteger(n) || n < 1 || n > MAX_LENGTH))
    throw new UserError(
      `a shared prefix needs whole numbers of tokens and groups, from 1 to ${MAX_LENGTH}, not ${whole.join(' and ')}`,
    );
  if (shapesSpec(options) === null) return;
  const taken = OWN_FIELDS[endpoint].find((field) => Object.hasOwn(extraBody, field));
  if (taken !== undefined)
    throw new UserError(
      `--extra-body brings a "${taken}" for all, but each request has its own by --task, --tasks, --prefix or its trace: leave out one of the two`,
    );
}
