/** From YAML text to a client's specification, or to every fault with its line and column. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { type Fault, specFaults } from './check.ts';
import { faultsOf } from './issues.ts';
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

/** Whether a path leads to something, through aliases too. */
function leads(document: Document, path: Path): boolean {
  let node: unknown = document.contents;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node) || !node.has(step)) return false;
    node = node.get(step, true);
  }
  return true;
}

/** Aliases that name no anchor before them, and the first alias of all. */
function aliasesOf(document: Document): { first: number; unresolved: { at: number; name: string }[] } {
  const unresolved: { at: number; name: string }[] = [];
  let first = -1;
  visit(document, {
    Alias: (_, node) => {
      const at = node.range?.[0] ?? 0;
      if (first === -1) first = at;
      if (node.resolve(document) === undefined) unresolved.push({ at, name: node.source });
    },
  });
  return { first: Math.max(0, first), unresolved };
}

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

  const nodeAt = ({ path, atKey }: Fault): Node | null => {
    const parent = atKey === true ? document.getIn(path.slice(0, -1) as unknown[], true) : null;
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
      : null;
    if (isNode(pair?.key)) return pair.key;
    // What is missing is shown at the nearest of what it would be in.
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length) as unknown[], true);
      if (isNode(node)) return node;
    }
    return document.contents;
  };
  /** The place of a fault: its piece within the value, or where the value, or else the key, begins. */
  const place = (fault: Fault): PlacedFault => {
    const { path, message, piece } = fault;
    const words = path.length === 0 ? message : `${spell(path)}: ${message}`;
    const range = nodeAt(fault)?.range;
    if (!range) return placed(0, words);
    const within = piece === undefined ? -1 : yaml.slice(range[0], range[1]).indexOf(piece);
    return placed(range[0] + Math.max(0, within), words);
  };
  const { first, unresolved } = aliasesOf(document);
  if (unresolved.length > 0)
    return {
      ok: false,
      faults: unresolved.map(({ at, name }) => placed(at, `*${name}: no anchor &${name} stands before it`)),
    };
  let plain: unknown;
  try {
    plain = document.toJS();
  } catch (error) {
    // What is left are aliases that multiply without bounds.
    return {
      ok: false,
      faults: [placed(first, `its aliases cannot be followed: ${(error as Error).message}`)],
    };
  }
  const checked = clientSchema.safeParse(plain);
  const named = (fault: Fault): Fault =>
    fault.atKey === true || leads(document, fault.path)
      ? fault
      : { ...fault, message: `it is missing; ${fault.message}` };
  const faults = checked.success
    ? specFaults(checked.data)
    : checked.error.issues.flatMap(faultsOf).map(named);
  if (checked.success && faults.length === 0) return { ok: true, spec: checked.data };
  return { ok: false, faults: faults.map(place).toSorted((a, b) => a.line - b.line || a.column - b.column) };
}
