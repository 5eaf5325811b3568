/** Faults of a client file, each at its line and column. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterFromFile, adapterFromText, isClientFile } from '../../adapters/custom/adapter.ts';
import { readSpec } from '../../adapters/custom/read.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { EXIT, UserError } from '../../src/system/user-error.ts';
import { MINIMAL } from './custom-minimal.ts';

/** Apart, since it would be taken for a template of ours. */
const OF_USER = ['$', '{KEY}'].join('');

/** The faults of MINIMAL with one piece replaced, as `line:column message`. */
function faults(from: string, to: string): string[] {
  expect(MINIMAL).toContain(from);
  const read = readSpec(MINIMAL.replace(from, to));
  return read.ok ? [] : read.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('a client file', () => {
  it('is read: words stay words whatever YAML takes them for, numbers become numbers', () => {
    const read = readSpec(MINIMAL.replace("'{rate}'", '1.0, 0x1F, true').replace('{url}', '{url}/{rate}'));
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    expect(read.spec.command.slice(2)).toEqual(['1.0', '0x1F', 'true', '{requests}']);
    expect(read.spec.definitions.warmup_requests).toBe(0);
    expect(read.spec.facts.open_loop).toBe(true);
    expect(read.spec.program).toEqual(['node']);
    expect(read.spec.exit_codes).toEqual([0]);
  });

  it.each([
    [
      'an unknown placeholder',
      "'{rate}'",
      "'{ratee}'",
      '4:30 command[2]: {ratee} is no placeholder; did you mean {rate}?',
    ],
    [
      'one within a word',
      "'{rate}'",
      "'-q={ratee}'",
      '4:33 command[2]: {ratee} is no placeholder; did you mean {rate}?',
    ],
    [
      'one that is near nothing',
      "'{rate}'",
      "'{zzzzzzzz}'",
      '4:30 command[2]: {zzzzzzzz} is no placeholder; known are: program, here',
    ],
    [
      'one that is known elsewhere',
      "'{rate}'",
      "'{cv2}'",
      '4:30 command[2]: {cv2} is not known here; known are',
    ],
    [
      'a lone brace',
      "'{rate}'",
      "'{rate} }'",
      '4:35 command[2]: } is no placeholder; for a brace in the text write {{ or }}',
    ],
    [
      'an unknown format',
      "'{rate}'",
      "'{rate:hex}'",
      '4:30 command[2]: {rate:hex}: there is no format "hex"',
    ],
    [
      'the user’s environment in the command',
      "'{rate}'",
      `'${OF_USER}'`,
      `4:31 command[2]: ${OF_USER}: the user's environment can be taken in values of \`env\` only`,
    ],
    ['an unknown key', 'program:', 'programm:', '3:1 programm: there is no such key; did you mean program?'],
    [
      'an unknown key further down',
      'mean: m',
      'meen: m',
      '10:31 result.figures.e2e.meen: there is no such key; did you mean mean?',
    ],
    ['a missing key', 'program: node\n', '', '2:1 program: it is missing; a word or a list is needed here'],
    [
      'a missing definition',
      '  end: lastToken\n',
      '',
      '14:3 definitions.end: it is missing; it must be one of lastToken, responseEnd',
    ],
    ['a wrong word', 't0: sent', 't0: sending', '14:7 definitions.t0: it must be one of scheduled, sent'],
    ['a list where a word is needed', 'name: minimal', 'name: [a]', '2:7 name: a word is needed here'],
    ['a wrong name', 'name: minimal', 'name: My Client', '2:7 name: small letters, digits and hyphens only'],
    [
      'a wrong unit',
      'unit: ms',
      'unit: sec',
      '10:27 result.figures.e2e.unit: it must be one of s, ms, us, ns, min, text',
    ],
    [
      'a wrong expression',
      'mean: m',
      'mean: a.50th',
      '10:37 result.figures.e2e.mean: not a JMESPath expression',
    ],
    [
      'a function that JMESPath lacks',
      'mean: m',
      'mean: total(a)',
      '10:37 result.figures.e2e.mean: JMESPath has no function total()',
    ],
    [
      'a wrong regular expression',
      'program: node',
      "program: node\nversion: {command: [a], pattern: '('}",
      '4:35 version.pattern: Invalid regular expression',
    ],
    [
      'a number that is none',
      'warmup_requests: 0',
      'warmup_requests: none',
      '25:20 definitions.warmup_requests: it must be a number from 0 on',
    ],
    [
      'an arrival process that is none',
      'constant: []',
      'poison: []',
      '6:3 arrivals.poison: there is no such key; did you mean poisson?',
    ],
    ['a path for a file', 'from: r.json', 'from: a/r.json', '8:9 result.from: a file’s name, without a path'],
    [
      'its own folder for a file',
      'from: r.json',
      'from: .',
      '8:9 result.from: a file’s name, without a path',
    ],
    [
      'a file that Tare writes',
      '# line 12',
      'files: { after.json: hello }',
      '12:10 files.after.json: after.json is what Tare writes itself',
    ],
    [
      'a name that is too long',
      'name: minimal',
      `name: ${'a'.repeat(41)}`,
      '2:7 name: at most 40 characters',
    ],
    [
      'a format that only JavaScript knows',
      "'{rate}'",
      "'{rate:constructor}'",
      '4:30 command[2]: {rate:constructor}: there is no format "constructor"',
    ],
    [
      'a placeholder that only JavaScript knows',
      "'{rate}'",
      "'{constructor}'",
      '4:30 command[2]: {constructor} is no placeholder',
    ],
    [
      'an alias of nothing',
      'completed: ok',
      'completed: *nope',
      '11:14 *nope: no anchor &nope stands before it',
    ],
    [
      'an alias of what is wrong, at the alias',
      'completed: ok',
      'completed: &x [a]\n  failed: *x',
      '12:11 result.failed: a word is needed here',
    ],
    [
      'aliases without bounds',
      '# line 1\n',
      `a: &a [x, x, x, x, x, x]\n${[...'bcdefg'].map((name, i) => `${name}: &${name} [${`*${'abcdef'[i]}, `.repeat(9)}]\n`).join('')}`,
      '2:8 its aliases cannot be followed',
    ],
    ['a duplicate key', 'program: node', 'program: node\nname: b', '4:1 Map keys must be unique'],
    ['YAML that is none', 'name: minimal', 'name: [a', '3:1 Flow sequence in block collection'],
    ['a tab', '  constant: []', '\tconstant: []', '6:1 '],
  ])('%s', (_, from, to, fault) => {
    const all = faults(from, to);
    // Found where it is, or else all of them are shown.
    expect(all.find((one) => one.startsWith(fault)) ?? all.join('\n')).toContain(fault);
  });

  it.each([
    ['no target', "'{url}/v1', ", '', 'command: neither {url} nor {port} is in it'],
    ['no rate', "'{rate}', ", '', 'command: no {rate} is in it'],
    ['no end', ", '{requests}'", '', 'command: neither {requests} nor {duration} is in it'],
    [
      'arrivals that reach no command',
      'constant: []',
      'constant: [--flat]',
      'command: arrivals are spelled out, but no word of the command is {arrivals}',
    ],
    [
      'arrivals within a word',
      "'{rate}'",
      "'{rate}', '-a={arrivals}'",
      'command[3]: {arrivals} must be a word of its own',
    ],
    [
      'no count of successes',
      '  completed: ok\n',
      '',
      'result: `completed` is missing: a client that ends with exit code 0',
    ],
    [
      'a figure of a metric that there is none of',
      'ttft: none',
      'ttft: headers',
      'definitions.ttft: headers, but neither result.figures.ttft nor records give it',
    ],
    [
      'the other way round',
      'figures: {',
      'figures: { ttft: { unit: ms, mean: t },',
      'definitions.ttft: none, but result.figures.ttft gives one',
    ],
    [
      'so for records',
      '# line 12\n',
      'records: { from: r.json, format: json, ok: ok, itl: { value: g, unit: ms } }\n',
      '17:8 definitions.itl: none, but records.itl gives one',
    ],
    ['no E2E', 'e2e: {', 'ttft: {', 'result: nothing gives E2E'],
    ['text without patterns', 'format: json', 'format: text', 'result: format text needs `patterns`'],
    [
      'a pattern without a named group',
      'format: json',
      "format: text\n  patterns: ['rate (.*)']",
      'result.patterns[0]: it has no named group',
    ],
    [
      'columns of JSON',
      'format: json',
      'format: json\n  columns: [a]',
      'result.columns: only for format csv',
    ],
  ])('that hangs together: %s', (_, from, to, fault) => {
    const all = faults(from, to).join('\n');
    expect(all).toContain(fault);
  });

  it('shows all faults at once, in order, with the file in front of each', () => {
    const text = MINIMAL.replace('name: minimal', 'name: A B')
      .replace("'{rate}'", "'{rat}'")
      .replace('t0: sent', 't0: x');
    let error: unknown;
    try {
      adapterFromText(text, '/somewhere/my.yaml');
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).code).toBe(EXIT.usage);
    const lines = (error as UserError).message.split('\n');
    expect(lines[0]).toBe(
      '/somewhere/my.yaml is no client file yet: 3 faults (docs/your-own-client.md has the format)',
    );
    expect(lines.slice(1).map((line) => line.split('  ')[1])).toEqual([
      'my.yaml:2:7',
      'my.yaml:4:30',
      'my.yaml:14:7',
    ]);
  });

  it('cannot install anything: that is for clients that ship with Tare', () => {
    const text = MINIMAL.replace(
      'program: node',
      'program: node\ninstall: { needs: sh, needs_remedy: x, command: [sh] }',
    );
    expect(() => adapterFromText(text, '/x/my.yaml')).toThrow(
      /install: only for clients that ship with Tare/,
    );
    expect(adapterFromText(text, '/x/my.yaml', true).setup).toBeDefined();
  });

  it('that is no UTF-8 text is said to be, with the place of the first such byte', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'tare-read-')), 'my.yaml');
    await writeFile(file, Buffer.from(MINIMAL.replace('one process', 'n\u00e9\u00e9'), 'latin1'));
    expect(() => adapterFromFile(file)).toThrow(/it is not UTF-8 text[\s\S]*my.yaml:27:18 {2}byte 0xe9/);
  });

  it('that is a folder or a pipe is not read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tare-read-'));
    expect(() => adapterFromFile(folder)).toThrow('it is a folder, not a file');
    const pipe = join(folder, 'my.yaml');
    execFileSync('mkfifo', [pipe]);
    expect(() => adapterFromFile(pipe)).toThrow('it is a pipe or device, not a file');
  });

  it('that is not there is said to be, with what --client takes', () => {
    expect(() => adapterFromFile('./nowhere.yaml')).toThrow(
      /cannot read .\/nowhere.yaml: it does not exist. --client takes a name/,
    );
  });

  it('is told from a name by a slash or its ending', () => {
    expect(['./x', 'a/b.json', 'x.yaml', 'X.YML'].map(isClientFile)).toEqual([true, true, true, true]);
    expect(['vegeta', 'vllm-rs'].map(isClientFile)).toEqual([false, false]);
  });
});

describe('client files that ship with Tare', () => {
  const adapters = join(packageRoot, 'adapters');
  const builtIn = readdirSync(adapters).filter((name) => existsSync(join(adapters, name, 'client.yaml')));

  it.each(builtIn)('%s has no fault, and evidence for what its figures rest on', (name) => {
    const path = join(adapters, name, 'client.yaml');
    const { facts } = adapterFromText(readFileSync(path, 'utf8'), path, true);
    const about = new Set(facts.evidence.map((fact) => fact.about));
    for (const aspect of [
      't0',
      'ttft',
      'e2e',
      'throughput',
      'failures',
      'tokenSource',
      'processes',
      'warmup',
      'connections',
      'schedule',
    ] as const)
      expect(about, aspect).toContain(aspect);
  });

  it('the example of the docs has none either, and says that its facts are the user’s own', () => {
    const adapter = adapterFromFile(join(packageRoot, 'docs/examples/bench.yaml'));
    expect(adapter.facts.evidence.at(-1)?.what).toContain('Tare has not checked them');
    expect(adapter.facts.joins).toBe('requestId');
  });
});
