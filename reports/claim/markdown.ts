/** A claim's audit as Markdown, ready for an issue or a mail to the claimant. What came from the claim is text there, never markup. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { oneLine } from '../text.ts';
import { entryWords, figureCounts, firstSteps, scriptWords } from './digest-words.ts';
import {
  biasLines,
  capital,
  ended,
  figureName,
  orderedChecks,
  verdictGroups,
  WHAT_SUPPORTED_IS_NOT,
  webAddress,
} from './words.ts';

/** Text with what Markdown would read as markup escaped; an @ or # that would call somebody or something is cut from its word. */
export const markdownText = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/(^|\W)([@#])(?=\w)/g, '$1$2<!-- -->')
    .replace(/^([-+=]|\d+[.)])/, (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`)
    .replace(/\b(https?):\/\//g, '$1:\\/\\/')
    .replace(/\bwww\./g, 'www\\.');

/** Between backticks nothing is markup; a text that holds some gets more of them around it. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** An address of the web as a link, anything else as text. */
function link(url: string): string {
  const web = webAddress(url);
  return web === null ? markdownText(url) : `<${web}>`;
}

const cell = (text: string): string => markdownText(text).replace(/\n/g, ' ');
const sentence = (text: string): string => markdownText(ended(capital(text)));

const digestPart = ({ digest }: ClaimDocument): string[] => [
  ...digest.flatMap((entry) => [
    `- **${entry.state}**: ${markdownText(entryWords(entry))}`,
    ...firstSteps(entry.working).map((step) => `  - ${markdownCode(step)}`),
  ]),
  ...(digest.length > 0 ? [''] : []),
];

const headlinePart = ({ claim, headlines }: ClaimDocument): string[] => {
  const texts = new Map(claim.headlines.map(({ id, text }) => [id, text]));
  return headlines.length === 0
    ? []
    : [
        '| headline | verdict | why |',
        '| --- | --- | --- |',
        ...headlines.map(
          ({ headline, verdict, reasons }) =>
            `| “${cell(texts.get(headline) ?? headline)}” | **${verdict}** | ${reasons.map(sentence).join(' ')} |`,
        ),
        '',
      ];
};

/** Figures that share verdict and reasons, a row. */
const figurePart = (document: ClaimDocument): string[] => [
  '## Every figure',
  '',
  '| verdict | figures | why |',
  '| --- | --- | --- |',
  ...verdictGroups(document).map(
    ({ verdict, reasons, figures }) =>
      `| **${verdict}** | ${figures.map((one) => markdownCode(figureName(one)).replaceAll('|', '\\|')).join(', ')} | ${reasons.map(sentence).join(' ')} |`,
  ),
  '',
];

function checkPart(document: ClaimDocument): string[] {
  const applied = orderedChecks(document).filter(({ state }) => state !== 'not applicable');
  const absent = document.checks.filter(({ state }) => state === 'not applicable');
  return [
    '## Every check with its working',
    '',
    ...applied.flatMap((check) => [
      `**${markdownText(check.title)}: ${check.state}.** ${sentence(check.finding)}`,
      '',
      ...check.working.map((step) => `- ${markdownCode(step)}`),
      ...check.explanations.map(
        (one, i) => `- ${i === 0 ? 'What would explain it' : 'Or'}: ${markdownText(ended(one))}`,
      ),
      '',
    ]),
    ...(absent.length === 0
      ? []
      : [
          `Not applicable: ${absent.map(({ title, finding }) => `${markdownText(title)} (${markdownText(finding.replace(/\.$/, ''))})`).join('; ')}.`,
          '',
        ]),
  ];
}

function knownPart(document: ClaimDocument): string[] {
  const { known_client: known } = document;
  const bias = biasLines(document);
  const script = scriptWords(document);
  return [
    ...(known === null
      ? []
      : [
          '## The client',
          '',
          `${markdownText(known.title)} ${markdownText(known.version)}: ${markdownText(ended(known.architecture))}`,
          '',
          ...(script === null ? [] : [markdownText(script), '']),
          ...known.findings.map(
            ({ what, consequence, versions, source }) =>
              `- ${markdownText(ended(what))} ${markdownText(ended(consequence))} (${markdownText(versions)}; ${markdownCode(source)})`,
          ),
          ...(known.findings.length > 0 ? [''] : []),
        ]),
    ...(bias.length === 0
      ? []
      : [
          '## Bias to expect, by audits of its client',
          '',
          ...bias.map(({ of, text }) => `- ${markdownCode(of)}: ${markdownText(text)}`),
          '',
        ]),
  ];
}

/** The whole text. Same document, same text. */
export function claimMarkdown(document: ClaimDocument): string {
  const { claim, checklist, questions } = document;
  const sources = claim.sources.map(
    ({ url, title, read }) =>
      `- ${title === null ? '' : `${markdownText(title)}: `}${link(url)}${read === null ? '' : ` (read ${markdownText(read)})`}`,
  );
  return `${[
    `# ${markdownText(claim.title)}`,
    '',
    `Claimed by ${markdownText(claim.claimant)}. **${capital(document.verdict)}**: ${markdownText(document.summary)}.`,
    '',
    ...sources,
    ...(sources.length > 0 ? [''] : []),
    ...digestPart(document),
    ...headlinePart(document),
    ...figureCounts(document).map(({ verdict, words }) => `- **${verdict}**: ${markdownText(words)}`),
    '',
    `_${WHAT_SUPPORTED_IS_NOT}_`,
    '',
    ...(questions.length === 0
      ? []
      : ['## Questions', '', ...questions.map(({ text }, i) => `${i + 1}. ${markdownText(text)}`), '']),
    '## Checklist',
    '',
    '| state | point | answer |',
    '| --- | --- | --- |',
    ...checklist.map(
      ({ state, title, answer }) => `| ${state} | ${cell(title)} | ${answer === state ? '' : cell(answer)} |`,
    ),
    '',
    ...knownPart(document),
    ...figurePart(document),
    ...checkPart(document),
    `Made by Tare ${markdownText(document.tare_version)}.`,
  ].join('\n')}\n`;
}
