/** A gate for GitHub Actions: annotations, and a table for the step's summary. Pure. */
import type { GateCheck, GateDocument } from '../../src/audit/gate/document.ts';
import {
  checkLine,
  checkName,
  errorWords,
  figureWords,
  limitWords,
  plain,
  STATE_WORDS,
  subjectOf,
  verdictWords,
} from './words.ts';

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const LEVEL = { fail: 'error', undetermined: 'warning', invalid: 'error', notJudged: 'notice' } as const;

/** A workflow command for each check that did not pass, a notice where it was not judged, and one for the gate where it is not valid. */
export function annotations(document: GateDocument): string[] {
  const lines = document.checks.flatMap((check) =>
    check.state === 'pass'
      ? []
      : [
          `::${LEVEL[check.state]} title=${property(`tare gate: ${subjectOf(check)}`)}::${message(checkLine(check))}`,
        ],
  );
  return document.verdict === 'invalid'
    ? [`::error title=tare gate::${message(verdictWords(document))}`, ...lines]
    : lines;
}

/** What came from outside is shown as text: no markup, no formula, no link by itself, no new cell, no line of its own. */
const cell = (text: string): string =>
  plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/[[\]*_`~#!@]/g, '\\$&')
    .replaceAll('$', '&#36;')
    .replaceAll('://', '&#58;//')
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}&#46;`);

const row = (check: GateCheck): string =>
  `| ${[
    subjectOf(check),
    checkName(check) + (check.compared_with === undefined ? '' : ` against ${check.compared_with}`),
    figureWords(check),
    limitWords(check),
    STATE_WORDS[check.state],
    check.state === 'pass' ? '' : [check.reason, check.remedy].filter((text) => text !== '').join('; '),
  ]
    .map(cell)
    .join(' | ')} |`;

/** Markdown for GITHUB_STEP_SUMMARY, with a newline at the end. */
export function stepSummary(document: GateDocument): string {
  const { baseline, tolerance } = document;
  const error = errorWords(document);
  return [
    `### ${cell(verdictWords(document))}`,
    '',
    '| of | check | figure [interval] | would do | verdict | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...document.checks.map(row),
    '',
    ...(tolerance === null
      ? []
      : [`Tolerance: ${cell(tolerance)}.${error === '' ? '' : ` ${cell(error)}.`}`, '']),
    ...(baseline?.refused == null
      ? []
      : [`Not compared with ${cell(baseline.from)}: ${cell(baseline.refused)}.`, '']),
    '',
  ].join('\n');
}
