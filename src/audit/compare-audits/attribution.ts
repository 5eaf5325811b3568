/** What a difference between two audits can be put down to: one sentence, made of every row of the table of conditions. Pure. */
import type { Attribution, Condition } from './document.ts';

export interface AttributionInput {
  readonly sameAudit: boolean;
  readonly a: { readonly client: string; readonly version: string };
  readonly b: { readonly client: string; readonly version: string };
  /** The facts of how they measure or run differ. */
  readonly factsDiffer: boolean;
  /** The target is a server that Tare did not start: what stands behind its address is not recorded. */
  readonly external: boolean;
  readonly conditions: readonly Condition[];
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Settings that change how a client works at a rate; the others (other rates, other clients, how often) do so only by accident. */
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

interface Cause {
  readonly to: Attribution['to'];
  readonly words: string;
}

/** What differs, sorted by what it bears on; `beside` are circumstances that bear on no trial directly. */
function sorted(input: AttributionInput): {
  readonly causes: readonly Cause[];
  readonly beside: readonly string[];
} {
  const differing = input.conditions.filter(({ state }) => state === 'differs');
  // The reference target is part of Tare: its version is the same difference once more.
  const rows = differing.filter(
    ({ what }) => what !== 'target version' || !differing.some((row) => row.what === 'Tare'),
  );
  const harnessLike = new Set(['target version']);
  const pick = (of: (row: Condition) => boolean) => rows.filter(of).map(({ what }) => what);
  const groups: readonly (readonly [Attribution['to'], string, readonly string[]])[] = [
    ['machine', 'the machine', pick(({ group }) => group === 'machine')],
    [
      'settings',
      'settings and software of the machine',
      pick(({ group }) => group === 'software' || group === 'placement'),
    ],
    ['harness', 'what measured', pick(({ group, what }) => group === 'harness' || harnessLike.has(what))],
    ['workload', 'the workload', pick(({ group, what }) => group === 'workload' && !harnessLike.has(what))],
    ['settings', 'the settings', pick(({ group, what }) => group === 'settings' && WORKING.has(what))],
  ];
  const otherClient =
    input.a.client !== input.b.client || input.a.version !== input.b.version || input.factsDiffer;
  return {
    causes: [
      ...(otherClient ? [{ to: 'client' as const, words: clientWords(input) }] : []),
      ...groups.flatMap(([to, name, what]) =>
        what.length === 0 ? [] : [{ to, words: `${name} (${listed(what)})` }],
      ),
    ],
    beside: pick(
      ({ group, what }) =>
        group === 'state' || group === 'client' || (group === 'settings' && !WORKING.has(what)),
    ),
  };
}

/** Conditions that a side did not record: nobody knows whether they are the same. */
function unknownWords(conditions: readonly Condition[]): string {
  const unknown = conditions.filter(({ state }) => state === 'unknown').map(({ what }) => what);
  return unknown.length === 0 ? '' : ` Not recorded on both sides: ${listed(unknown)}.`;
}

function one({ to, words }: Cause, version: string): Attribution {
  if (to === 'client')
    return {
      to,
      sentence: `Machines and workloads are alike in all that is recorded: a difference is of ${words}, as far as the machine was the same on both days; ${UNSEEN}.`,
    };
  if (to === 'machine')
    return {
      to,
      sentence: `Two machines: a difference is of ${words}. The client's version is the same (${version}), so it comes from the machine or from how this client behaves on it; a comparison of one client cannot tell these apart.`,
    };
  const alike = to === 'workload' ? 'Client and machine are' : 'Client, machine and workload are';
  return {
    to,
    sentence: `${alike} alike in all else that is recorded: a difference is of ${words}, or of the day.`,
  };
}

function main(input: AttributionInput): Attribution {
  const { causes, beside } = sorted(input);
  if (causes.length === 0 && beside.length === 0)
    return {
      to: 'nothing recorded',
      sentence: `Nothing that is recorded differs: a difference is of the day, that is, ${UNSEEN.replace(' stands beside it', '')}.`,
    };
  if (causes.length === 0)
    return {
      to: 'circumstances',
      sentence: `Client, machine and workload are alike in all that is recorded; what differs is ${listed(beside)}. A difference is of that, or of the day.`,
    };
  const told: Attribution =
    causes.length === 1
      ? one(causes[0]!, input.a.version)
      : {
          to: 'several together',
          sentence: `${causes.some(({ to }) => to === 'machine') ? 'Two machines: t' : 'T'}he difference is of ${listed(causes.map(({ words }) => words))} together, and this comparison cannot tell them apart.`,
        };
  return beside.length === 0
    ? told
    : { ...told, sentence: `${told.sentence} Not the same besides: ${listed(beside)}.` };
}

/** To what. */
export function attributionOf(input: AttributionInput): Attribution {
  const { sameAudit, a, b, external, conditions } = input;
  if (sameAudit && a.client === b.client)
    return {
      to: 'nothing: the same trials',
      sentence: 'A and B are the same audit: there is nothing to compare.',
    };
  if (sameAudit)
    return {
      to: 'clients of one audit',
      sentence: `One audit, in random order on one machine: a difference is that of ${a.client} and ${b.client}.`,
    };
  const told = main(input);
  const server = external
    ? ' The target is a server that Tare did not start: whether the same stood behind its address on both days is not recorded.'
    : '';
  return { ...told, sentence: `${told.sentence}${server}${unknownWords(conditions)}` };
}
