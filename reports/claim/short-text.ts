/** A claim's audit for the terminal, short: what stands out with its working, what is not stated, what to ask. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { plainText } from '../table.ts';
import { oneLine } from '../text.ts';
import {
  agreedWords,
  briefly,
  entryWords,
  figureCounts,
  firstSteps,
  pointsOf,
  scriptWords,
} from './digest-words.ts';
import { type ClaimTextOptions, type Pen, penOf } from './pen.ts';
import { biasLines, ended, heading, WHAT_SUPPORTED_IS_NOT } from './words.ts';

/** Of a sweep nearly every row has bias of its own. */
const MOST_BIAS = 3;

function arithmeticLines(document: ClaimDocument, { paint, line }: Pen): string[] {
  const agreed = agreedWords(document);
  return [
    '',
    'Arithmetic',
    ...document.digest.flatMap((entry) => [
      line(`${paint(entry.state)}: ${entryWords(entry)}`, 2),
      ...firstSteps(entry.working).map((step) => line(step, 6)),
      ...entry.explanations
        .slice(0, 1)
        .map((one) => line(`What would explain it: ${ended(oneLine(one))}`, 4)),
    ]),
    ...(agreed === '' ? [] : [line(`${paint('agrees')}: ${agreed}`, 2)]),
    ...(document.digest.length === 0 && agreed === '' ? [line('no check applies to what is stated', 2)] : []),
  ];
}

function verdictLines(document: ClaimDocument, { paint, line }: Pen): string[] {
  const texts = new Map(document.claim.headlines.map(({ id, text }) => [id, oneLine(text)]));
  return [
    '',
    'Verdicts',
    ...figureCounts(document).map(({ verdict, words }) => line(`${paint(verdict)}: ${words}`, 2)),
    ...document.headlines.map(({ headline, verdict, reasons }) =>
      line(
        `${paint(verdict)}: “${texts.get(headline) ?? oneLine(headline)}”: ${ended(oneLine(reasons[0] ?? ''))}`,
        2,
      ),
    ),
  ];
}

function checklistLines(document: ClaimDocument, { paint, line }: Pen): string[] {
  const contradicted = document.checklist.filter(({ state }) => state === 'contradicted');
  return [
    '',
    'Checklist',
    ...contradicted.map(({ title, answer }) =>
      line(`${paint('contradicted')}: ${oneLine(title)}: ${ended(oneLine(answer))}`, 2),
    ),
    ...(['not stated', 'stated'] as const).flatMap((state) => {
      const points = pointsOf(document, state);
      return points.length === 0 ? [] : [line(`${paint(state)}: ${points.join('; ')}`, 2)];
    }),
  ];
}

function knownLines(document: ClaimDocument, { line }: Pen): string[] {
  const { known_client: known } = document;
  const bias = biasLines(document);
  const script = scriptWords(document);
  return [
    ...(known === null
      ? []
      : [
          '',
          line(
            `Client: ${oneLine(known.title)}, known here in version ${oneLine(known.version)}: ${known.findings.length} findings.`,
          ),
          ...(script === null ? [] : [line(script, 2)]),
        ]),
    ...(bias.length === 0
      ? []
      : [
          '',
          'Bias to expect, by audits of its client',
          ...bias.slice(0, MOST_BIAS).map(({ of, text }) => line(`- ${of}: ${text}`, 2)),
          ...(bias.length > MOST_BIAS
            ? [line(`- and ${bias.length - MOST_BIAS} more rows or figures`, 2)]
            : []),
        ]),
  ];
}

/** One claim, some dozens of lines. */
export function claimShortText(document: ClaimDocument, options: ClaimTextOptions = {}): string {
  const pen = penOf(options);
  const { paint, line } = pen;
  const lines = [
    line(`${paint(document.verdict)}: ${heading(document)}: ${oneLine(document.summary)}.`),
    ...document.claim.sources.map(({ url }) => line(oneLine(url), 2)),
    ...arithmeticLines(document, pen),
    ...verdictLines(document, pen),
    ...checklistLines(document, pen),
    ...knownLines(document, pen),
    ...(document.questions.length === 0
      ? []
      : [
          '',
          'Questions to send',
          ...document.questions.map(({ text }, i) => line(`${i + 1}. ${oneLine(text)}`, 2)),
        ]),
    '',
    line(WHAT_SUPPORTED_IS_NOT),
    line('Every figure with its reasons and every check with its working: --full, or --out DIR.'),
  ];
  const text = lines.join('\n');
  return options.plain === true ? plainText(text) : text;
}

/** Several claims: each in a line or two, with what stands out most. */
export function claimLine(document: ClaimDocument, options: ClaimTextOptions = {}): string {
  const { paint, line } = penOf(options);
  const text = line(`${paint(document.verdict)}: ${briefly(document)}`);
  return options.plain === true ? plainText(text) : text;
}
