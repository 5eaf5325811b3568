/** JMESPath (jmespath.org, with arithmetic): how a client file says where in the client's output a figure is. */
import { compile, isRegistered, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';

type Tree = ReturnType<typeof compile>;

const compiled = new Map<string, Tree>();

function treeOf(expression: string): Tree {
  let tree = compiled.get(expression);
  if (tree === undefined) {
    tree = compile(expression);
    compiled.set(expression, tree);
  }
  return tree;
}

/** Functions called anywhere in an expression. */
function functionsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(functionsIn);
  if (typeof node !== 'object' || node === null) return [];
  const own = 'type' in node && node.type === 'Function' && 'name' in node ? [String(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(functionsIn)];
}

/** What is wrong with an expression's spelling, or null. */
export function expressionFault(expression: string): string | null {
  try {
    const unknown = functionsIn(treeOf(expression)).find((name) => !isRegistered(name));
    return unknown === undefined ? null : `JMESPath has no function ${unknown}()`;
  } catch (error) {
    const quote = /(^|\.)\d/.test(expression)
      ? ' (a key that begins with a digit needs double quotes: latencies."50th")'
      : '';
    return `not a JMESPath expression: ${(error as Error).message}${quote}`;
  }
}

/** A failed evaluation: the output has another shape than the expression takes for granted. */
export class ExpressionError extends Error {}

/** The expression's value in data; null where there is nothing. */
export function evaluate(expression: string, data: unknown): unknown {
  try {
    return TreeInterpreter.search(treeOf(expression), data as JSONValue) ?? null;
  } catch (error) {
    throw new ExpressionError(`"${expression}": ${(error as Error).message}`);
  }
}
