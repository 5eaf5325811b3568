/** A gate for GitHub Actions: annotations, and a table for the step's summary. Pure. */
import type { GateCheck, GateDocument } from '../../src/audit/gate/document.ts';
import { oneLine } from '../text.ts';
import {
  checkLine,
  checkName,
  errorWords,
  figureWords,
  limitWords,
  STATE_WORDS,
  subjectOf,
  verdictWords,
} from './words.ts';

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const LEVEL = { fail: 'error', undetermined: 'warning', invalid: 'error' } as const;

/** A workflow command for each check that is neither passed nor skipped, and one for the gate where it is not valid. */
export function annotations(document: GateDocument): string[] {
  const lines = document.checks.flatMap((check) =>
    check.state === 'pass' || check.state === 'notJudged'
      ? []
      : [
          `::${LEVEL[check.state]} title=${property(`tare gate: ${subjectOf(check)}`)}::${message(checkLine(check))}`,
        ],
  );
  return document.verdict === 'invalid'
    ? [`::error title=tare gate::${message(verdictWords(document))}`, ...lines]
    : lines;
}

/** What came from outside is shown as text: no markup, no new cell, no line of its own. */
const cell = (text: string): string =>
  oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/[[\]*_`~#!@]/g, '\\$&');

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
