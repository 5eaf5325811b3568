/** What a difference between two audits can be put down to: one sentence. Pure. */
import type { Attribution, Condition, ConditionGroup } from './document.ts';

export interface AttributionInput {
  readonly sameAudit: boolean;
  readonly a: { readonly client: string; readonly version: string };
  readonly b: { readonly client: string; readonly version: string };
  /** The facts of how they measure or run differ. */
  readonly factsDiffer: boolean;
  readonly conditions: readonly Condition[];
}

const differing = (conditions: readonly Condition[], ...groups: readonly ConditionGroup[]): string[] =>
  conditions
    .filter(({ group, state }) => groups.includes(group) && state === 'differs')
    .map(({ what }) => what);

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Settings that change how a client works; which other rates and clients an audit had, and how often it repeated, do not. */
const WORKING = new Set(['workers', 'seed', 'length of a trial']);

const UNSEEN =
  'what nobody recorded (neighbours of a shared machine, its temperature, its uptime) stands beside it';

/** Clients of different names are not two versions of one, whatever their version says. */
const clientWords = ({ a, b }: AttributionInput): string =>
  a.client !== b.client
    ? `the client (${a.client} ${a.version} → ${b.client} ${b.version})`
    : a.version !== b.version
      ? `the client's version (${a.version} → ${b.version})`
      : 'what is known of how the client measures';

/** To what. */
export function attributionOf(input: AttributionInput): Attribution {
  const { sameAudit, a, b, factsDiffer, conditions } = input;
  const otherClient = a.client !== b.client || a.version !== b.version || factsDiffer;
  if (sameAudit && a.client === b.client)
    return {
      to: 'nothing: the same trials',
      sentence:
        'A and B are the same trials: every difference is 0 because of that, and nothing is learned from it.',
    };
  if (sameAudit)
    return {
      to: 'clients of one audit',
      sentence: `One audit, in random order on one machine: a difference is that of ${a.client} and ${b.client}.`,
    };
  const machine = differing(conditions, 'machine', 'placement');
  const harness = [
    ...differing(conditions, 'harness'),
    ...differing(conditions, 'workload').filter((what) => what === 'target version'),
  ].filter((what, _, all) => !(what === 'target version' && all.includes('Tare')));
  const settings = differing(conditions, 'settings').filter((what) => WORKING.has(what));
  const causes = [
    ...(otherClient ? [clientWords(input)] : []),
    ...(machine.length > 0 ? [`the machine (${listed(machine)})`] : []),
    ...(harness.length > 0 ? [`what measured (${listed(harness)})`] : []),
    ...(settings.length > 0 ? [`the settings (${listed(settings)})`] : []),
  ];
  if (causes.length === 0)
    return {
      to: 'nothing recorded',
      sentence: `Nothing that is recorded differs: a difference is of the day, that is, ${UNSEEN.replace(' stands beside it', '')}.`,
    };
  if (causes.length > 1) {
    const two = otherClient && machine.length > 0 ? 'Two machines: t' : 'T';
    return {
      to: 'several together',
      sentence: `${two}he difference is of ${listed(causes)} together, and this comparison cannot tell them apart.`,
    };
  }
  if (otherClient)
    return {
      to: 'client',
      sentence: `Same machine, same workload: a difference is of ${causes[0]}, as far as the machine was the same on both days; ${UNSEEN}.`,
    };
  if (machine.length > 0)
    return {
      to: 'machine',
      sentence: `The same client on two machines: a difference is of ${causes[0]}, not of the client.`,
    };
  if (harness.length > 0)
    return {
      to: 'harness',
      sentence: `Client and machine are the same: a difference is of ${causes[0]}, or of the day.`,
    };
  return {
    to: 'settings',
    sentence: `Client and machine are the same: a difference is of ${causes[0]}, or of the day.`,
  };
}
