import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { annotations, stepSummary } from '../../reports/gate/github.ts';
import { junitXml } from '../../reports/gate/junit.ts';
import { gateSummary } from '../../reports/gate/summary.ts';
import { gateJsonSchema } from '../../reports/json-schema.ts';
import { buildGate } from '../../src/audit/gate/build.ts';
import type { GateCheck, GateDocument } from '../../src/audit/gate/document.ts';
import { runGate } from '../../src/audit/gate/run.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { type Scripted, scattered, scriptedGate } from '../audit/gate/trials.ts';

async function gate(of: Scripted): Promise<GateDocument> {
  const input = scriptedGate(of);
  return buildGate(input, await runGate(input), {
    version: '0.1.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:01:00.000Z',
  }).document;
}

let failed: GateDocument;
let passed: GateDocument;
let invalid: GateDocument;
beforeAll(async () => {
  const of = (around: number) => (_: string, nth: number) => ({
    without: ['e2e_p99'],
    bias: { ttft_p50: scattered(around, 0.05, nth), ttft_p99: scattered(0.4, 0.1, nth) },
  });
  const change = { explicit: false };
  const tolerance = 'rate=2%,ttft_p50=1ms,ttft_p99=5ms,e2e_p99=10ms';
  failed = await gate({ script: of(8), tolerance, change });
  passed = await gate({ script: of(0.3), tolerance, change });
  invalid = await gate({ script: () => ({ steal: 0.3 }), tolerance, change });
});

/** Elements and attributes of JUnit XML, as junit-10.xsd (Jenkins xUnit) has them; of each element the children in their order. */
const JUNIT: Record<
  string,
  { children: readonly string[]; required: readonly string[]; optional: readonly string[] }
> = {
  testsuites: {
    children: ['testsuite'],
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
  },
  testsuite: {
    children: ['properties', 'testcase', 'system-out', 'system-err'],
    required: ['name', 'tests'],
    optional: ['failures', 'errors', 'time', 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
  },
  properties: { children: ['property'], required: [], optional: [] },
  property: { children: [], required: ['name', 'value'], optional: [] },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    required: ['name', 'classname'],
    optional: ['assertions', 'time', 'status'],
  },
  skipped: { children: [], required: [], optional: ['message'] },
  error: { children: [], required: [], optional: ['type', 'message'] },
  failure: { children: [], required: [], optional: ['type', 'message'] },
  'system-out': { children: [], required: [], optional: [] },
};

type Ordered = Record<string, unknown> & { ':@'?: Record<string, string> };
const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' });

/** Breaches of the structure, in words. */
function breaches(nodes: readonly Ordered[], parent: string | null): string[] {
  return nodes.flatMap((node) => {
    const [name] = Object.keys(node).filter((key) => key !== ':@');
    if (name === '#text' || name === '?xml') return [];
    const rule = JUNIT[name!];
    if (rule === undefined) return [`<${name}> is no element of JUnit`];
    const attributes = Object.keys(node[':@'] ?? {});
    const children = node[name!] as Ordered[];
    const names = children
      .map((child) => Object.keys(child).find((key) => key !== ':@')!)
      .filter((one) => one !== '#text');
    const order = names.map((one) => rule.children.indexOf(one));
    return [
      ...(parent !== null && !JUNIT[parent]!.children.includes(name!) ? [`<${name}> in <${parent}>`] : []),
      ...rule.required.filter((one) => !attributes.includes(one)).map((one) => `<${name}> lacks ${one}`),
      ...attributes
        .filter((one) => ![...rule.required, ...rule.optional].includes(one))
        .map((one) => `<${name}> has ${one}`),
      ...(order.some((place, i) => i > 0 && place < order[i - 1]!)
        ? [`children of <${name}> out of order`]
        : []),
      ...breaches(children, name!),
    ];
  });
}

interface Suite {
  '@': Record<string, string>;
  testcase: Record<string, unknown>[];
}
const plain = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: '@',
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});
const suitesOf = (xml: string): { '@': Record<string, string>; testsuite: Suite[] } =>
  plain.parse(xml).testsuites;

describe('JUnit XML', () => {
  it.each([
    ['a gate that passed', () => passed],
    ['one that failed', () => failed],
    ['one that was not valid', () => invalid],
  ])('of %s is well formed, of the known structure, and counts what it holds', (_, of) => {
    const xml = junitXml(of());
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(breaches(parser.parse(xml), null)).toEqual([]);
    const root = suitesOf(xml);
    let all = { tests: 0, failures: 0, errors: 0 };
    for (const { '@': stated, testcase } of root.testsuite) {
      const count = (name: string) => testcase.filter((one) => name in one).length;
      const counted = {
        tests: testcase.length,
        failures: count('failure'),
        errors: count('error'),
        skipped: count('skipped'),
      };
      expect(stated).toMatchObject(
        Object.fromEntries(Object.entries(counted).map(([k, v]) => [k, String(v)])),
      );
      all = {
        tests: all.tests + counted.tests,
        failures: all.failures + counted.failures,
        errors: all.errors + counted.errors,
      };
    }
    expect(root['@']).toMatchObject(Object.fromEntries(Object.entries(all).map(([k, v]) => [k, String(v)])));
  });

  it('has a case a check, with its evidence', () => {
    const cases = suitesOf(junitXml(failed)).testsuite[0]!.testcase;
    expect(cases.map((one) => (one['@'] as { name: string }).name)).toEqual([
      'run: no run without figures',
      'rate: 98 % to 102 %',
      'TTFT p50 bias: within ±1 ms',
      'TTFT p99 bias: within ±5 ms',
      'E2E p99 bias: within ±10 ms',
    ]);
    const { failure } = cases[2]! as { failure: { '@': { message: string; type: string } } };
    expect(failure['@'].type).toBe('fail');
    expect(failure['@'].message).toMatch(
      /^TTFT p50 bias: \+8\.0\d ms \[7\.\d+, 8\.\d+\] over 3 repetitions, within ±1 ms$/,
    );
    expect(cases[4]).toHaveProperty('skipped');
  });

  it('is the same for the same document, to the byte', () => {
    const golden = junitXml({
      ...passed,
      checks: passed.checks.slice(1, 3),
      trials: [],
      floor: null,
      host: null,
    });
    expect(golden).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="tare gate" tests="2" failures="0" errors="0" time="44.000">
        <testsuite name="tare-multi at 200/s" tests="2" failures="0" errors="0" skipped="0" time="0.000" timestamp="2026-01-01T00:00:00">
          <properties>
            <property name="tare" value="0.1.0"/>
            <property name="verdict" value="pass"/>
            <property name="tolerance" value="rate=2%,ttft_p50=1ms,ttft_p99=5ms,e2e_p99=10ms"/>
            <property name="budget_s" value="57"/>
            <property name="error" value="4 checks at 1 look: where repetitions differ normally, it would pass out of tolerance with at most 5 %, and fail within it with at most 5 %"/>
          </properties>
          <testcase name="rate: 98 % to 102 %" classname="tare.gate.tare-multi at 200/s" time="0.000">
            <system-out>rate: 100 % [100, 100] over 3 repetitions, 98 % to 102 %</system-out>
          </testcase>
          <testcase name="TTFT p50 bias: within ±1 ms" classname="tare.gate.tare-multi at 200/s" time="0.000">
            <system-out>TTFT p50 bias: +0.300 ms [0.106, 0.494] over 3 repetitions, within ±1 ms</system-out>
          </testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });

  it('shows what came from outside as text, without characters that XML has not', () => {
    const nasty = '<b>&"\'\u0000\u001b[31m]]>\ud800 ok\n';
    const check: GateCheck = { ...failed.checks[0]!, client: nasty, state: 'fail', reason: nasty };
    const xml = junitXml({ ...failed, checks: [check] });
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(breaches(parser.parse(xml), null)).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/);
    expect(xml).not.toContain('<b>');
    expect(xml).toContain('&lt;b&gt;');
  });
});

describe('for GitHub', () => {
  it('a check that fails is an error, one that is open a warning, one that passed nothing', () => {
    // A figure that is not given is no fault, and not kept quiet either.
    expect(annotations(passed).map((line) => line.split(' ')[0])).toEqual(['::notice']);
    const lines = annotations(failed).filter((line) => !line.startsWith('::notice'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^::error title=tare gate%3A tare-multi at 200\/s::TTFT p50 bias: \+8/);
    expect(annotations(invalid)[0]).toMatch(
      /^::error title=tare gate::gate not valid here: .*30 %25 of CPU time/,
    );
  });

  it('nothing from outside makes a command, a cell or markup of its own', () => {
    const nasty =
      'x|y\n::error::<img src=x> [a](b) `c` %0A ##[error]z $a$ https://evil.example www.evil.example';
    const document = {
      ...failed,
      checks: [{ ...failed.checks[0]!, client: nasty, state: 'fail' as const, reason: nasty }],
    };
    for (const line of annotations(document)) expect(line.split('\n')).toHaveLength(1);
    const table = stepSummary(document)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(table).toHaveLength(3);
    // Six cells, so seven bars that are not escaped.
    for (const line of table) expect(line.match(/(?<!\\)\|/g)).toHaveLength(7);
    for (const text of [annotations(document).join(), gateSummary(document)])
      expect(text).not.toContain('##[');
    expect(stepSummary(document)).not.toMatch(/https:\/\/evil|www\.evil|\$a/);
    expect(stepSummary(document)).not.toContain('<img');
    expect(stepSummary(document)).not.toMatch(/(?<!\\)\[a/);
  });

  it('the summary has a row a check', () => {
    const text = stepSummary(failed);
    expect(text).toContain('### gate FAILED: 1 of 5 checks failed');
    expect(text.split('\n').filter((line) => line.startsWith('| tare-multi at 200/s'))).toHaveLength(5);
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('the terminal’s summary', () => {
  it('ends with the verdict and has a line a check', () => {
    const lines = gateSummary(failed).split('\n');
    expect(lines.at(-1)).toMatch(/^gate FAILED: 1 of 5 checks failed \(\d+ s\)$/);
    expect(lines.filter((line) => line.startsWith('  FAIL'))).toHaveLength(1);
    expect(gateSummary(passed)).toContain('gate passed: 4 checks passed');
    expect(gateSummary(invalid)).toContain(
      'left out: tare-multi-200rps-r1, the hypervisor took 30 % of CPU time',
    );
  });
});

describe('the published schema', () => {
  it('is that of the document, and takes it', () => {
    const file = readFileSync(join(packageRoot, 'schema/gate.schema.json'), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(gateJsonSchema()));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(file));
    for (const document of [passed, failed, invalid])
      expect(validate(JSON.parse(JSON.stringify(document)))).toBe(true);
    expect(validate({ ...passed, verdict: 'good' })).toBe(false);
  });
});
