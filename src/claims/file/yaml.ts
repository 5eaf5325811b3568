/** YAML with its places: text to plain data whose scalars are what is written, and from a path in it back to line and column. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { Fault, Path, PlacedFault } from './fault.ts';
import { spellPath } from './fault.ts';
import { LIMITS } from './limits.ts';

export interface PlacedYaml {
  /** Maps, lists, texts and null; `not stated` is undefined. */
  readonly plain: unknown;
  /** Faults of the YAML itself after which the rest can still be read: keys that stand twice, tags. */
  readonly faults: readonly PlacedFault[];
  place(fault: Fault): PlacedFault;
  /** From 1. */
  lineOf(path: Path, atKey?: true): number;
}

const NOT_STATED = /^not[ -]stated$/i;

/** Every scalar becomes its text: 1.10, yes, 0x10 and 2024-09-05 are what is written; only an empty one stays null. */
function asWritten(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (node.value === null || typeof node.value === 'string' || node.source === undefined) return;
      node.value = node.source;
    },
  });
}

function withoutNotStated(value: unknown): unknown {
  if (typeof value === 'string') return NOT_STATED.test(value.trim()) ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutNotStated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutNotStated(one)]));
}

/** A syntax fault of the library's in words that say what to do. */
function syntaxWords(code: string, message: string): string {
  const first = message.split('\n')[0]!;
  if (code === 'TAB_AS_INDENT') return 'a tab indents this line; allowed are spaces';
  if (code === 'MULTIPLE_DOCS')
    return 'a second document begins here; allowed is one claim a file: write two files';
  if (code === 'BAD_INDENT' || code === 'BLOCK_AS_IMPLICIT_KEY')
    return `${first}; see that the lines of one map begin in the same column, and put a text with ": " in it in quotes`;
  return first;
}

/** What the lexer says between the pieces of the text, none of which stands in it. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);

/** Where brackets lie deeper in each other than in any claim, counted before the parser meets them; null: nowhere. */
function tooDeep(text: string): number | null {
  let [depth, offset] = [0, 0];
  for (const piece of new Lexer().lex(text)) {
    if (MARKS.has(piece)) continue;
    if (piece === '[' || piece === '{') depth += 1;
    if (piece === ']' || piece === '}') depth -= 1;
    if (depth > LIMITS.depth) return offset;
    offset += piece.length;
  }
  return null;
}

/** Reads it; a list is the faults after which nothing can be read. */
export function readYaml(text: string): PlacedYaml | readonly PlacedFault[] {
  const lines = new LineCounter();
  const placed = (offset: number, message: string): PlacedFault => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const deep = tooDeep(text);
  if (deep !== null) {
    lines.addNewLine(0);
    for (const { index } of text.slice(0, deep).matchAll(/\n/g)) lines.addNewLine(index + 1);
    return [placed(deep, 'it is nested too deeply; a claim has at most five levels')];
  }
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    // The parser is recursive: a file of ten thousand brackets ends its stack.
    const what = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    return [{ line: 1, column: 1, message: `${what}; a claim has at most five levels` }];
  }
  // What follows a tab is read at a wrong depth, and every fault there is one of the tab.
  const tabs = document.errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  if (document.errors.length > 0)
    return (tabs.length > 0 ? tabs : document.errors).map((error) =>
      placed(error.pos[0], syntaxWords(error.code, error.message)),
    );
  if (document.contents === null)
    return [{ line: 1, column: 1, message: 'the file is empty; "tare claim new" prints one to fill in' }];

  const faults: PlacedFault[] = [];
  asWritten(document);
  let firstAlias = 0;
  const at = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;
  visit(document, {
    Map: (_, node) => {
      const seen = new Map<string, number>();
      for (const { key } of node.items) {
        if (!isScalar(key)) {
          faults.push(placed(at(isNode(key) ? key : node), 'a key must be a word'));
          continue;
        }
        const name = String(key.value);
        const before = seen.get(name);
        if (before !== undefined)
          faults.push(placed(at(key), `${name} stands twice here, first in line ${before}; write it once`));
        else seen.set(name, lines.linePos(at(key)).line);
      }
    },
    Alias: (_, node) => {
      if (firstAlias === 0) firstAlias = at(node);
      if (node.resolve(document) === undefined)
        faults.push(
          placed(
            at(node),
            `*${node.source}: no anchor &${node.source} stands before it; put it there, or write the value`,
          ),
        );
    },
    Node: (_, node) => {
      if (!isAlias(node) && node.tag !== undefined && !/^tag:yaml\.org,2002:(map|seq|str)$/.test(node.tag))
        faults.push(placed(at(node), `the tag ${node.tag} is not read; write the value alone`));
    },
  });
  if (faults.some(({ message }) => !message.includes('stands twice'))) return faults;
  let plain: unknown;
  try {
    plain = withoutNotStated(document.toJS({ maxAliasCount: LIMITS.aliases }));
  } catch (error) {
    const why = error instanceof RangeError ? 'they are nested too deeply' : (error as Error).message;
    return [placed(firstAlias, `its aliases cannot be followed (${why}); write the values out`)];
  }

  const followed = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  /** The node at a path, or the nearest of what it would be in; of a key the key itself. */
  const nodeAt = (path: Path, atKey?: true): Node | null => {
    let node: unknown = followed(document.contents);
    let last: Node | null = isNode(node) ? node : null;
    for (const [i, step] of path.entries()) {
      if (!isCollection(node)) return last;
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
        if (pair === undefined) return last;
        if (isNode(pair.key) && (pair.value === null || (atKey === true && i === path.length - 1)))
          return pair.key;
        node = followed(pair.value);
        // An empty value has no place of its own worth showing.
        if (isScalar(node) && node.value === null && isNode(pair.key)) return pair.key;
      } else node = followed(node.get(step, true));
      if (!isNode(node)) return last;
      last = node;
    }
    return last;
  };
  return {
    plain,
    faults,
    place: ({ path, message, atKey }) =>
      placed(at(nodeAt(path, atKey)), path.length === 0 ? message : `${spellPath(path)}: ${message}`),
    lineOf: (path, atKey) => Math.max(1, lines.linePos(at(nodeAt(path, atKey))).line),
  };
}
