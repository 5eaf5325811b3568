/** Refuses what requests cannot be. */

import { MAX_LENGTH } from '../../measure/load/length.ts';
import { taskNames } from '../../measure/load/shapes.ts';
import { formatSlo, sloTwice } from '../../measure/load/slo.ts';
import { UserError } from '../../system/user-error.ts';
import type { RequestOptions } from './options.ts';
import { byTask, shapesSpec } from './spec.ts';

/** Fields that each request has of its own, once requests are not alike. */
const OWN_FIELDS = { chat: ['messages', 'max_tokens'], completions: ['prompt', 'max_tokens'] } as const;

type CheckedOptions = RequestOptions & { readonly model: string };

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

/** Fields of the body that a flag sets: what would be sent is then not what the report says. */
function checkExtra({ extraBody, model, outputTokens, endpoint }: CheckedOptions): void {
  const has = (field: string): boolean => Object.hasOwn(extraBody, field);
  const refuse = (field: string, way: string): never => {
    throw new UserError(`--extra-body brings a "${field}", which has a flag of its own: ${way}`);
  };
  if (has('stream')) refuse('stream', 'answers are streamed, and with --no-stream they are not');
  if (has('model') && extraBody.model !== model) refuse('model', 'give --model');
  if (has('max_tokens') && extraBody.max_tokens !== outputTokens) refuse('max_tokens', 'give --tokens');
  const stray = endpoint === 'chat' ? 'prompt' : 'messages';
  if (has(stray))
    refuse(stray, `it is of the other endpoint; --endpoint ${endpoint === 'chat' ? 'completions' : 'chat'}`);
}

/** Throws a UserError on options about requests that contradict each other. */
export function checkRequests(options: CheckedOptions): void {
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
  const alike = shapesSpec(options) === null;
  const taken = alike ? undefined : OWN_FIELDS[endpoint].find((field) => Object.hasOwn(extraBody, field));
  if (taken !== undefined)
    throw new UserError(
      `--extra-body brings a "${taken}" for all, but each request has its own by --task, --tasks, --prefix or its trace: leave out one of the two`,
    );
  checkExtra(options);
}
