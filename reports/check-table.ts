/** The result of `tare check` for a terminal, and as Markdown for the documentation. */
import type { CheckDocument } from '../src/audit/check-document.ts';
import { withinFloor } from '../src/audit/check-document.ts';
import type { DefinitionCheck } from '../src/audit/definition-check.ts';
import type { ClientCheck } from '../src/audit/run-definition-check.ts';
import { DEFINITION } from '../src/measure/definition-words.ts';
import { ABSENT, METRIC_LABEL, ms, signedMs } from './format.ts';
import { listed, oneLine } from './text.ts';

/** `TTFT headers` of a change of definitions. */
function fitWords(fit: DefinitionCheck['fits'][number]): string {
  const name = { ttft: 'TTFT', itl: 'ITL', tpot: 'TPOT', ntpot: 'NTPOT', end: 'E2E to' } as const;
  return Object.entries(fit)
    .map(
      ([field, kind]) => `${name[field as keyof typeof name]} ${DEFINITION[kind as keyof typeof DEFINITION]}`,
    )
    .join(', ');
}

function verdictWords(document: CheckDocument, check: DefinitionCheck): string {
  switch (check.verdict) {
    case 'agrees':
      return withinFloor(document, check.metric, check.difference_ms!)
        ? 'agrees, within the floor'
        : 'agrees';
    case 'another definition':
    case 'given but not stated':
      return `${check.verdict}: ${check.fits.map(fitWords).join(' or ') || 'none fits'}`;
    case 'none fits':
      return check.factor === undefined
        ? check.verdict
        : `${check.verdict}: off by a factor of ${check.factor === 1000 ? '1,000' : '1/1,000'}: its unit?`;
    case 'stated but not given':
      return `${check.verdict}: ${oneLine(check.absent ?? 'no reason given')}`;
    default:
      return check.verdict;
  }
}

/** `vllm 0.11.0`; the name alone where the version is not known. */
export const clientName = ({ client, version }: Pick<ClientCheck, 'client' | 'version'>): string =>
  oneLine(version === 'unknown' ? client : `${client} ${version}`);

/** Rows of client, metric, reported, expected, difference, verdict; figures as pass 1 / pass 2, ms. */
export function checkRows(document: CheckDocument): string[][] {
  const both = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? ABSENT : ms(value))).join(' / ');
  const rowsOf = (client: ClientCheck, name: string): string[][] =>
    client.checks === null
      ? [[name, '', '', '', '', `not checked: ${oneLine(client.reason ?? 'no reason given')}`]]
      : client.checks
          .filter((check) => check.verdict !== 'not given')
          .map((check) => [
            name,
            METRIC_LABEL[check.metric],
            both(check.reported_p50_ms),
            both(check.expected_p50_ms),
            signedMs(check.difference_ms),
            verdictWords(document, check),
          ]);
  return [
    ...(document.floor === null ? [] : rowsOf(document.floor, '(floor: our client, blocking)')),
    ...document.clients.flatMap((client) => rowsOf(client, clientName(client))),
  ];
}

export const CHECK_HEAD = [
  'client',
  'figure, p50',
  'printed, ms',
  'expected, ms',
  'off by',
  'verdict',
] as const;

/** The sentence under the table. */
export function checkSummary(document: CheckDocument): string {
  const names = (of: readonly ClientCheck[]) => listed(of.map(({ client }) => oneLine(client)));
  const unchecked = document.clients.filter(({ checks }) => checks === null);
  const off = document.clients.filter((one) => !agrees(one) && one.checks !== null);
  const silent = off.flatMap(({ client, checks }) => {
    const metrics = checks!.filter(({ verdict }) => verdict === 'stated but not given');
    return metrics.length === 0
      ? []
      : [`${listed(metrics.map(({ metric }) => METRIC_LABEL[metric]))} of ${oneLine(client)}`];
  });
  const right = document.clients.length - unchecked.length - off.length;
  return [
    `The stated definitions explain what ${right} of ${document.clients.length} clients print.`,
    off.length === 0 ? '' : `They do not for ${names(off)}: the facts are wrong, or the client is.`,
    silent.length === 0 ? '' : `Stated but not given: ${listed(silent)}.`,
    unchecked.length === 0 ? '' : `Not checked: ${names(unchecked)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Whether every figure that it gives agrees, and none that is stated is missing. */
export const agrees = ({ checks }: ClientCheck): boolean =>
  checks?.every(({ verdict }) => verdict === 'agrees' || verdict === 'not given') ?? false;
