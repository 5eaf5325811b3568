/** A claim's audit for the terminal, whole: the verdict first, then figures, checks with their working, checklist and questions. A string; printing is the caller's. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { plainText } from '../table.ts';
import { oneLine } from '../text.ts';
import { scriptWords } from './digest-words.ts';
import { type ClaimTextOptions, type Pen, penOf } from './pen.ts';
import {
  biasLines,
  capital,
  ended,
  figureName,
  heading,
  orderedChecks,
  verdictGroups,
  WHAT_SUPPORTED_IS_NOT,
} from './words.ts';

function figureLines(document: ClaimDocument, { paint, line }: Pen): string[] {
  const figures = verdictGroups(document).flatMap(({ verdict, reasons, figures: own }) => [
    line(`${paint(verdict)}: ${own.map(figureName).join(' · ')}`, 2),
    ...reasons.map((reason) => line(`- ${ended(capital(oneLine(reason)))}`, 4)),
  ]);
  const headlines = document.headlines.flatMap(({ headline, verdict, reasons }) => {
    const own = document.claim.headlines.find(({ id }) => id === headline);
    return [
      line(`${paint(verdict)}: headline ${oneLine(headline)}, "${oneLine(own?.text ?? '')}"`, 2),
      ...reasons.map((reason) => line(`- ${ended(capital(oneLine(reason)))}`, 4)),
    ];
  });
  return ['', 'Figures', ...figures, ...headlines];
}

function checkLines(document: ClaimDocument, { paint, line }: Pen): string[] {
  const [applied, absent] = [true, false].map((yes) =>
    orderedChecks(document).filter(({ state }) => (state !== 'not applicable') === yes),
  ) as [ClaimDocument['checks'], ClaimDocument['checks']];
  const lines = applied.flatMap((check) => [
    line(`${paint(check.state)}: ${oneLine(check.title)}. ${ended(oneLine(check.finding))}`, 2),
    ...check.working.map((step) => line(oneLine(step), 6)),
    ...check.explanations.map((one, i) =>
      line(`${i === 0 ? 'What would explain it' : 'Or'}: ${ended(oneLine(one))}`, 4),
    ),
  ]);
  return [
    '',
    'Arithmetic',
    ...(applied.length === 0 ? [line('no check applies to what is stated', 2)] : lines),
    ...absent.map(({ title, finding }) =>
      line(`not applicable: ${oneLine(title)}. ${ended(oneLine(finding))}`, 2),
    ),
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
          `Client: ${oneLine(known.title)} ${oneLine(known.version)}`,
          line(`${ended(capital(oneLine(known.architecture)))}`, 2),
          ...(script === null ? [] : [line(script, 2)]),
          // Their figures and probes are in the other reports: here what each does to a figure.
          ...known.findings.map(({ what, consequence }) =>
            line(`- ${oneLine(what).replace(/ \(probes? .*$/s, '')}: ${ended(oneLine(consequence))}`, 2),
          ),
        ]),
    ...(bias.length === 0
      ? []
      : [
          '',
          'Bias to expect, by audits of its client',
          ...bias.map(({ of, text }) => line(`- ${of}: ${text}`, 2)),
        ]),
  ];
}

/** The whole text. */
export function claimText(document: ClaimDocument, options: ClaimTextOptions = {}): string {
  const pen = penOf(options);
  const { paint, line } = pen;
  const asked = document.questions;
  const lines = [
    line(`${paint(document.verdict)}: ${heading(document)}: ${oneLine(document.summary)}.`),
    ...document.claim.sources.map(({ url }) => line(oneLine(url), 2)),
    ...figureLines(document, pen),
    ...checkLines(document, pen),
    '',
    'Checklist',
    ...document.checklist.map(({ state, title, answer }) =>
      line(`${paint(state)}: ${oneLine(title)}${answer === state ? '' : `: ${oneLine(answer)}`}`, 2),
    ),
    ...knownLines(document, pen),
    ...(asked.length === 0
      ? []
      : ['', 'Questions to send', ...asked.map(({ text }, i) => line(`${i + 1}. ${oneLine(text)}`, 2))]),
    '',
    line(WHAT_SUPPORTED_IS_NOT),
  ];
  const text = lines.join('\n');
  return options.plain === true ? plainText(text) : text;
}
