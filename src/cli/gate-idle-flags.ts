/** Flags of `tare gate` that would do nothing beside the others: said, since whoever gave them meant something by them. */
import { UserError } from '../system/user-error.ts';
import type { GateFlags } from './gate-flags.ts';

/** Flags that need a client that runs. */
const OF_CLIENTS: readonly (keyof GateFlags)[] = [
  'client',
  'rate',
  'budget',
  'duration',
  'against',
  'baseline',
  'baselineOptional',
  'otherHost',
  'otherVersion',
  'fault',
  'allow',
  'arrivals',
  'latency',
  'tokens',
  'promptTokens',
  'seed',
  'workers',
  'pin',
];

const OF_BASELINE: readonly (keyof GateFlags)[] = ['baselineOptional', 'otherHost', 'otherVersion'];

const spelled = (name: string): string =>
  name === 'pin' ? '--no-pin' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param isGiven whether a flag was on the command line, whatever its default
 * @throws UserError for the first that would be ignored
 */
export function refuseIdleFlags(flags: GateFlags, isGiven: (name: keyof GateFlags) => boolean): void {
  if (flags.load !== undefined) {
    const alien = OF_CLIENTS.find(isGiven);
    if (alien !== undefined)
      throw new UserError(
        `--load judges a run that is over: ${spelled(alien)} is for clients that are run. Leave one of them away.`,
      );
    return;
  }
  if (isGiven('slo'))
    throw new UserError(
      '--slo holds a stored load run to goals: give --load FILE with it, or --tolerance for a client that is run.',
    );
  const idle = flags.baseline === undefined ? OF_BASELINE.find(isGiven) : undefined;
  if (idle !== undefined)
    throw new UserError(`${spelled(idle)} is about a baseline: give --baseline PATH with it.`);
}
