/** What zod finds wrong with a claim's file, in our words: what was found, what is allowed, what to do. */
import type { z } from 'zod';
import { nearest } from '../../../adapters/kit/near-miss.ts';
import type { Fault, Path } from './fault.ts';
import { claimFileSchema } from './schema.ts';

/** Keys that the object at a path may have. */
function keysAt(path: Path): readonly string[] {
  let at: unknown = claimFileSchema;
  const bare = (schema: unknown): unknown => {
    let inner = schema;
    for (;;) {
      const { def } = inner as { def: { innerType?: unknown } };
      if (def.innerType === undefined) return inner;
      inner = def.innerType;
    }
  };
  for (const step of path) {
    const { def } = bare(at) as { def: { shape?: Record<string, unknown>; element?: unknown } };
    at = typeof step === 'number' ? def.element : def.shape?.[step];
    if (at === undefined) return [];
  }
  return Object.keys((bare(at) as { def: { shape?: object } }).def.shape ?? {});
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  array: 'a list',
  string: 'a word or a quantity',
};

const foundWords = (value: unknown): string =>
  Array.isArray(value)
    ? 'a list'
    : typeof value === 'object' && value !== null
      ? 'a map'
      : `"${String(value).slice(0, 60)}"`;

/** What stands at a path of the plain data. */
export function valueAt(plain: unknown, path: Path): unknown {
  let at = plain;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

/** Truth values of YAML 1.1, as people still write them. */
const TRUTH: Readonly<Record<string, readonly string[]>> = {
  yes: ['true', 'on', 'y'],
  no: ['false', 'off', 'n'],
  on: ['true', 'yes', 'enabled'],
  off: ['false', 'no', 'disabled'],
};

function enumWords(found: unknown, allowed: readonly string[]): string {
  const meant = allowed.find((word) => TRUTH[word]?.includes(String(found).toLowerCase()));
  if (meant !== undefined)
    return `${foundWords(found)} is none of ${allowed.join(', ')}, not stated; write ${meant}`;
  const near = typeof found === 'string' && !allowed.includes(found) ? nearest(found, allowed) : null;
  return `${foundWords(found)} is none of ${allowed.join(', ')}, not stated${near === null ? '' : `; did you mean ${near}?`}`;
}

/** Keys without which there is nothing to check, and what to write. */
const NEEDED: Readonly<Record<string, string>> = {
  'tare-claim': 'write tare-claim: 1, the version of this format',
  title: 'write what the page is called, or what is claimed',
  claimant: 'write who claims it',
  systems: 'write a list of at least one system, each with its name',
  name: 'write its name',
  url: 'write the address of the page',
  id: 'write a short name of its own, for figures and headlines to refer to',
  columns: 'write the list of its columns, as in [concurrency, output_throughput tok/s]',
  rows: 'write its rows, a list of cells each',
  ratio: 'write the factor as printed: 2.7',
  better: 'write higher where more is better (throughput), lower for latencies',
  text: 'write its words as the page has them',
  'at-most': 'write the bound with its unit: 0.3 ms',
  how: 'write how that is known, and where it can be read',
};

/** `, with the keys name, version`, of a map that has keys of its own. */
function keysHint(path: Path): string {
  const keys = keysAt(path);
  return keys.length === 0 ? '' : `, with the keys ${keys.join(', ')}`;
}

/** An issue in our words; one about several keys becomes several. */
export function faultsOf(issue: z.core.$ZodIssue, plain: unknown): Fault[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const instead = near === null ? `; allowed are ${known.join(', ')}` : `; did you mean ${near}?`;
      const merge = key === '<<' ? '; merge keys are not read: write the keys themselves' : instead;
      return { path: [...path, key], message: `there is no such key${merge}`, atKey: true };
    });
  }
  const found = valueAt(plain, path);
  if (issue.code === 'custom') {
    const atKey = issue.params?.atKey === true;
    return [{ path, message: issue.message, ...(atKey ? { atKey: true as const } : {}) }];
  }
  if (found === undefined) {
    const last = path.at(-1);
    const what = NEEDED[String(last)] ?? 'write it';
    return [{ path, message: `it is missing; ${what}` }];
  }
  if (found === null) {
    const what = NEEDED[String(path.at(-1))] ?? 'write its value, or not stated';
    return [{ path, message: `it is empty; ${what}` }];
  }
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const words =
      path[0] === 'tare-claim'
        ? `${foundWords(found)} is a version that is not read here; allowed is 1`
        : enumWords(found, allowed);
    return [{ path, message: words }];
  }
  if (issue.code === 'invalid_type')
    return [
      {
        path,
        message: `${foundWords(found)} stands here; allowed is ${TYPE_WORDS[issue.expected] ?? issue.expected}${keysHint(path)}`,
      },
    ];
  return [{ path, message: issue.message }];
}
