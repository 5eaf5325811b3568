/** From YAML text to a client's specification, or to every fault with its line and column. */
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { nearest } from '../kit/near-miss.ts';
import { type Fault, specFaults } from './check.ts';
import { type ClientSpec, clientSchema } from './schema.ts';

export interface PlacedFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadSpec =
  | { readonly ok: true; readonly spec: ClientSpec }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

type Path = readonly PropertyKey[];

/** `command[3]`, `result.figures.e2e` */
const spell = (path: Path): string =>
  path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`))
    .join('');

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

/** An issue of zod's in our words; one that is about several keys becomes several. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
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
      return { path: [...path, key], message: `there is no such key${instead}` };
    });
  }
  if (issue.code === 'invalid_union') {
    // The alternative that came furthest says best what is wrong.
    const deepest = issue.errors
      .flat()
      .toSorted((a, b) => b.path.length - a.path.length)
      .find((one) => one.code !== 'invalid_type');
    return deepest === undefined
      ? [{ path, message: 'it has the wrong shape' }]
      : faultsOf({ ...deepest, path: [...path, ...deepest.path] } as z.core.$ZodIssue);
  }
  const piece = 'params' in issue ? (issue.params?.piece as string | undefined) : undefined;
  const message =
    issue.code === 'invalid_value' && issue.message.startsWith('Invalid')
      ? `it must be one of ${issue.values.join(', ')}`
      : issue.code === 'invalid_type' && issue.message.startsWith('Invalid')
        ? `a ${TYPE_WORDS[issue.expected] ?? issue.expected} is needed here`
        : issue.message;
  return [{ path, message, ...(piece === undefined ? {} : { piece }) }];
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'map of keys and values',
  record: 'map of keys and values',
  array: 'list',
  string: 'word',
};

/** Reads a client file's text. */
export function readSpec(yaml: string): ReadSpec {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const placed = (offset: number, message: string): PlacedFault => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  if (document.errors.length > 0) {
    const faults = document.errors.map((error) => placed(error.pos[0], error.message));
    return { ok: false, faults };
  }
  // A version 12.10 or an argument 5 is a word; only null stays what it is.
  visit(document, {
    Scalar: (_, node) => {
      if ((typeof node.value === 'number' || typeof node.value === 'boolean') && node.source !== undefined)
        node.value = node.source;
    },
  });

  /** The place of a fault: its piece within the value, the value, the key, or the nearest map above that is there. */
  const place = ({ path, message, piece }: Fault): PlacedFault => {
    const words = path.length === 0 ? message : `${spell(path)}: ${message}`;
    const node = nodeAt(path);
    const offset = node?.range?.[0] ?? 0;
    if (piece !== undefined && node?.range) {
      const within = yaml.slice(node.range[0], node.range[1]).indexOf(piece);
      if (within > 0) return placed(offset + within, words);
    }
    return placed(offset, words);
  };
  const nodeAt = (path: Path): Node | null => {
    for (let length = path.length; length >= 0; length--) {
      const step = path[length - 1];
      const parent = length === 0 ? null : document.getIn(path.slice(0, length - 1) as unknown[], true);
      // An unknown key and a missing one are shown at the key, not at its value.
      if (isMap(parent) && length === path.length) {
        const pair = parent.items.find(({ key }) => isScalar(key) && key.value === step);
        if (pair && isNode(pair.key) && !isScalar(pair.value)) return pair.key;
      }
      const node =
        length === 0 ? document.contents : document.getIn(path.slice(0, length) as unknown[], true);
      if (isNode(node)) return node;
    }
    return null;
  };

  const checked = clientSchema.safeParse(document.toJS());
  const faults = checked.success ? specFaults(checked.data) : checked.error.issues.flatMap(faultsOf);
  if (checked.success && faults.length === 0) return { ok: true, spec: checked.data };
  return { ok: false, faults: faults.map(place).toSorted((a, b) => a.line - b.line || a.column - b.column) };
}
