/** What zod finds wrong with a client file, in our words. */
import type { z } from 'zod';
import { nearest } from '../kit/near-miss.ts';
import type { Fault } from './check.ts';
import { clientSchema } from './schema.ts';

type Path = readonly PropertyKey[];

/** Keys that zod would accept in the object at a path, by asking it about an object with none of them wrong. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  let at: unknown = schema;
  for (const step of [...path, null]) {
    // Wrappers (optional, default, refined) hold what they wrap.
    for (;;) {
      const { def } = at as { def: { innerType?: unknown; in?: unknown } };
      if (def.innerType !== undefined) at = def.innerType;
      else if (def.in !== undefined) at = def.in;
      else break;
    }
    if (step === null) break;
    const { def } = at as {
      def: { shape?: Record<string, unknown>; element?: unknown; valueType?: unknown; options?: unknown[] };
    };
    const next = def.shape?.[String(step)] ?? def.element ?? def.valueType;
    if (next === undefined) return [];
    at = next;
  }
  return Object.keys((at as { def: { shape?: object } }).def.shape ?? {});
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'map of keys and values',
  record: 'map of keys and values',
  array: 'list',
  string: 'word',
};

const typeWord = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' ? (TYPE_WORDS[issue.expected] ?? issue.expected) : 'value';

/** An issue of zod's in our words; one that is about several keys becomes several. */
export function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path as (string | number)[];
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(clientSchema, path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const instead =
        near === null
          ? known.length === 0
            ? ''
            : `; known are ${known.join(', ')}`
          : `; did you mean ${near}?`;
      return { path: [...path, key], message: `there is no such key${instead}`, atKey: true };
    });
  }
  if (issue.code === 'invalid_union') {
    // The alternative that came furthest says best what is wrong.
    const deepest = issue.errors
      .flat()
      .toSorted((a, b) => b.path.length - a.path.length)
      .find((one) => one.code !== 'invalid_type');
    return deepest === undefined
      ? [
          {
            path,
            message: `a ${issue.errors.flatMap((errors) => errors.map(typeWord)).join(' or a ')} is needed here`,
          },
        ]
      : faultsOf({ ...deepest, path: [...path, ...deepest.path] } as z.core.$ZodIssue);
  }
  if (issue.code === 'invalid_key')
    return [{ path, message: issue.issues[0]?.message ?? 'it is no good key', atKey: true }];
  const piece = 'params' in issue ? (issue.params?.piece as string | undefined) : undefined;
  const message =
    issue.code === 'invalid_value' && issue.message.startsWith('Invalid')
      ? `it must be one of ${issue.values.join(', ')}`
      : issue.code === 'invalid_type' && issue.message.startsWith('Invalid')
        ? `a ${typeWord(issue)} is needed here`
        : issue.message;
  return [{ path, message, ...(piece === undefined ? {} : { piece }) }];
}
