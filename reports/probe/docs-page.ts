/** docs/probes.md: every probe, made from the probes themselves, so that it cannot say anything else. */
import { PROBE_VERDICTS, type ShownProbe } from '../../src/audit/probe/document.ts';
import type { NamedProbe } from '../../src/measure/probe/probe.ts';
import { count } from '../text.ts';
import { groupAbout } from './group-words.ts';
import { reportAddress } from './references.ts';
import { shownProbe } from './shown.ts';
import { LOOK } from './verdict-words.ts';

/** What stands in a cell of a Markdown table: text is text, not markup, but for code between backticks. */
const cell = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .split(/(`[^`]+`)/)
    .map((part, i) =>
      i % 2 === 1
        ? part.replaceAll('|', '\\|')
        : part.replace(/[\\|*_`<>[\]]/g, (character) => `\\${character}`),
    )
    .join('');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const reports = (list: readonly string[]): string =>
  list
    .map((one) => {
      const address = reportAddress(one);
      return address === null ? cell(one) : `[${cell(one)}](${address})`;
    })
    .join(', ');

const knownCell = (known: ShownProbe['known']): string =>
  known
    .map(
      ({ kind, arithmetic, definition, reported }) =>
        `**${cell(kind)}**${definition ? ' (a definition, where stated)' : ''}: ${cell(arithmetic)}${reported.length === 0 ? '' : ` · ${reports(reported)}`}`,
    )
    .join('<br>');

function probeRow(probe: ShownProbe): string {
  const runs = probe.load.length === 0 ? '' : `<br>${probe.load.map(cell).join('<br>')}`;
  return row([
    `\`${probe.id}\``,
    `**${cell(probe.title)}.** ${cell(probe.about)}${runs}`,
    cell(probe.right),
    knownCell(probe.known),
    cell(probe.source),
  ]);
}

function groupSection(group: string, probes: readonly ShownProbe[]): string {
  const head = ['id', 'what the target sends', 'right', 'known faults', 'source'];
  return [
    `## ${group}`,
    '',
    `${groupAbout(group)} ${count(probes.length, 'probe')}.`.trim(),
    '',
    row(head),
    row(head.map(() => '---')),
    ...probes.map(probeRow),
  ].join('\n');
}

const VERDICTS = [
  '| verdict | page | terminal | it means |',
  '| --- | --- | --- | --- |',
  ...PROBE_VERDICTS.map((verdict) => {
    const { sign, short, meaning } = LOOK[verdict];
    return row([verdict, sign, `\`${short}\``, cell(meaning)]);
  }),
].join('\n');

const intro = (
  probes: number,
): string => `<!-- Made from probes/ by scripts/write-probes.mjs. When a probe is new or has changed: npm run build && node scripts/write-probes.mjs -->

# Probes

\`tare probe\` holds benchmark clients against small, exact server behaviours, one peculiarity each; what is right is arithmetic.
${count(probes, 'probe')}, below. One file each under \`probes/\`; adding one touches no other file but this page, which is made from them.

\`\`\`
tare probe                                  # every installed client
tare probe --client vllm --only role-first
\`\`\`

It writes \`probe.json\`, \`probe.html\` (the matrix, and for each cell what was sent and what the client made of it), \`probes.csv\` and
\`probe-figures.csv\`. The shape of \`probe.json\` is published as [schema/probe.schema.json](../schema/probe.schema.json).

## How it is judged

The target plays its answer byte for byte, each write at its instant. Unless a probe says otherwise it is the base profile **M**: the head at
5 ms, 50 tokens from 200 ms on, 20 ms apart; usage, \`[DONE]\` and the end of the body in the last token’s write. So TTFT is 200 ms, E2E 1,180,
ITL 20, TPOT 980 / 49 = 20, NTPOT 1,180 / 50 = 23.6. Times are in ms from the instant that the target had read the request;
[metrics.md](metrics.md) has the definitions.

Every figure that the client gives, in its summary or in its record of each request, is held against what is right; where it differs, against what the
client’s stated definitions make of the same bytes, and then against what each known fault makes of them, so that a fault has a name and a size.
What nothing explains is \`unnamed\`. A request that fails though its answer is sound is \`sound-request-fails\`; one that counts as successful
though it failed is \`error-as-success\`.

${VERDICTS}`;

/** The page. Same probes, same text. */
export function probesPage(probes: readonly NamedProbe[]): string {
  const shown = probes.map(shownProbe);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return `${[
    intro(shown.length),
    ...groups.map((group) =>
      groupSection(
        group,
        shown.filter((probe) => probe.group === group),
      ),
    ),
  ].join('\n\n')}\n`;
}
