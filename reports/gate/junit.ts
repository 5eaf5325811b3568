/**
 * A gate as JUnit XML: a suite a client and rate, a case a check. `failure`: out of tolerance; `error`: not decided, or the harness was not valid;
 * `skipped`: not judged. By the structure that Jenkins' junit-10.xsd describes and that GitLab, Azure and the GitHub actions for it read. Pure.
 */
import { create } from 'xmlbuilder2';
import type { GateCheck, GateDocument } from '../../src/audit/gate/document.ts';
import { checkLine, checkName, errorWords, limitWords, subjectOf, verdictWords } from './words.ts';

/** An element, as far as it is used here. */
type Node = ReturnType<ReturnType<typeof create>['ele']>;

const NODE = { fail: 'failure', undetermined: 'error', invalid: 'error', notJudged: 'skipped' } as const;

const count = (checks: readonly GateCheck[], node: (typeof NODE)[keyof typeof NODE]): number =>
  checks.filter(({ state }) => state !== 'pass' && NODE[state] === node).length;

const titleOf = (check: GateCheck): string => {
  const limit = limitWords(check);
  const beside = check.compared_with === undefined ? '' : ` against ${check.compared_with}`;
  return `${checkName(check)}${beside}${limit === '' ? '' : `: ${limit}`}`;
};

function addCase(suite: Node, check: GateCheck, timeS: number): void {
  const one = suite.ele('testcase', {
    name: titleOf(check),
    classname: `tare.gate.${subjectOf(check)}`,
    time: timeS.toFixed(3),
  });
  const line = checkLine(check);
  if (check.state === 'pass') {
    one.ele('system-out').txt(line);
    return;
  }
  const node = NODE[check.state];
  if (node === 'skipped') one.ele('skipped', { message: line });
  else
    one
      .ele(node, { message: line, type: check.state })
      .txt([line, check.remedy].filter((t) => t !== '').join('\n'));
}

function addProperties(suite: Node, document: GateDocument): void {
  const { tare_version, tolerance, budget_s, floor, host } = document;
  const properties: [string, string | null][] = [
    ['tare', tare_version],
    ['verdict', document.verdict],
    ['tolerance', tolerance],
    ['budget_s', budget_s === null ? null : String(budget_s)],
    ['floor', floor === null ? null : floor.how],
    ['host', host === null ? null : `${host.cpu_model}, ${host.cores} cores`],
    ['error', errorWords(document) || null],
  ];
  const list = suite.ele('properties');
  for (const [name, value] of properties) if (value !== null) list.ele('property', { name, value });
}

/** Checks by whose they are, in order. */
function bySubject(checks: readonly GateCheck[]): Map<string, GateCheck[]> {
  const suites = new Map<string, GateCheck[]>();
  for (const check of checks) {
    const subject = subjectOf(check);
    suites.set(subject, [...(suites.get(subject) ?? []), check]);
  }
  return suites;
}

/** Seconds of the repetitions of a suite. */
const timeOf = (document: GateDocument, checks: readonly GateCheck[]): number => {
  const [first] = checks;
  return document.trials
    .filter((t) => t.client === first?.client && t.workload.rateRps === first.rate_rps)
    .reduce((sum, { elapsed_s }) => sum + elapsed_s, 0);
};

/** The whole file. Characters that XML 1.0 has not are left out. */
export function junitXml(document: GateDocument): string {
  // Where the gate itself is not valid, or open for a reason that is no check's, that is a case of its own.
  const hasOwn =
    document.verdict === 'invalid' ||
    (document.verdict === 'undetermined' && !document.checks.some(({ state }) => state === 'undetermined'));
  const { checks } = document;
  const xml = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '' });
  const total = {
    tests: checks.length + (hasOwn ? 1 : 0),
    failures: count(checks, 'failure'),
    errors: count(checks, 'error') + (hasOwn ? 1 : 0),
  };
  const root = xml.ele('testsuites', { name: 'tare gate', ...total, time: document.elapsed_s.toFixed(3) });
  const timestamp = document.started_at.slice(0, 19);
  if (hasOwn) {
    const suite = root.ele('testsuite', {
      name: 'tare gate',
      tests: 1,
      failures: 0,
      errors: 1,
      skipped: 0,
      time: '0.000',
      timestamp,
    });
    const one = suite.ele('testcase', {
      name: 'the gate is valid here',
      classname: 'tare.gate',
      time: '0.000',
    });
    one.ele('error', { message: verdictWords(document), type: document.verdict }).txt(document.reason);
  }
  for (const [subject, of] of bySubject(checks)) {
    const timeS = timeOf(document, of);
    const suite = root.ele('testsuite', {
      name: subject,
      tests: of.length,
      failures: count(of, 'failure'),
      errors: count(of, 'error'),
      skipped: count(of, 'skipped'),
      time: timeS.toFixed(3),
      timestamp,
    });
    addProperties(suite, document);
    for (const check of of) addCase(suite, check, timeS / of.length);
  }
  return `${root.end({ prettyPrint: true })}\n`;
}
