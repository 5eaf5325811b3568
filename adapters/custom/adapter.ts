/** A client file as an adapter. */
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { explainFileError } from '../../src/system/disk.ts';
import { asset } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';
import type { Adapter } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { factsOf } from './facts.ts';
import { type Home, homeOf } from './home.ts';
import { install } from './install.ts';
import { find } from './locate.ts';
import { parse } from './parse.ts';
import { prepare, refusesRate } from './prepare.ts';
import { readSpec } from './read.ts';
import type { ClientSpec } from './schema.ts';

/** An adapter that came from a client file, with what is to be kept of it. */
export interface FileAdapter extends Adapter {
  readonly home: Home;
}

function build(spec: ClientSpec, home: Home): FileAdapter {
  const facts = factsOf(spec, home);
  return {
    home,
    name: spec.name,
    title: spec.title ?? spec.name,
    facts,
    find: () => find(spec, home),
    ...(spec.install === undefined ? {} : { setup: (say) => install(spec, home, say) }),
    prepare: (request) => prepare(spec, home, request),
    parse: (request) => parse(spec, facts, request),
    refuses: (workload) => refuseArrivals(spec.name, facts, workload) ?? refusesRate(spec, workload),
  };
}

/** How many faults a message shows. */
const SHOWN = 20;

/**
 * From a client file's text. `path` is where it is (or was: an audit that is gone on with reads the copy it kept).
 * @throws UserError that names every fault with line and column.
 */
export function adapterFromText(text: string, path: string, builtIn = false): FileAdapter {
  const read = readSpec(text);
  const faults = read.ok
    ? read.spec.install !== undefined && !builtIn
      ? [
          {
            line: 1,
            column: 1,
            message: 'install: only for clients that ship with Tare; say in `remedy` how yours is installed',
          },
        ]
      : []
    : read.faults;
  if (faults.length > 0 || !read.ok) {
    const lines = faults
      .slice(0, SHOWN)
      .map(({ line, column, message }) => `  ${basename(path)}:${line}:${column}  ${message}`);
    const more = faults.length > SHOWN ? `\n  and ${faults.length - SHOWN} more` : '';
    throw new UserError(
      `${path} is no client file yet: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} (docs/your-own-client.md has the format)\n${lines.join('\n')}${more}`,
    );
  }
  return build(read.spec, homeOf(read.spec.name, path, text, builtIn));
}

/** Reads a client file. @throws UserError */
export function adapterFromFile(path: string): FileAdapter {
  const file = resolve(path);
  let content: Buffer;
  try {
    // Reading a pipe would wait for ever for one who writes.
    const kind = statSync(file);
    if (!kind.isFile())
      throw new Error(`it is a ${kind.isDirectory() ? 'folder' : 'pipe or device'}, not a file`);
    content = readFileSync(file);
  } catch (error) {
    throw new UserError(
      `${explainFileError(error, path, 'read')}. --client takes a name of \`tare doctor\`, or the path of a client file.`,
    );
  }
  return adapterFromText(utf8(content, path), file);
}

/** @throws UserError with line and column of the first byte that is no UTF-8. */
function utf8(content: Buffer, path: string): string {
  const text = content.toString('utf8');
  const again = Buffer.from(text);
  if (again.equals(content)) return text;
  const at = content.findIndex((byte, i) => byte !== again[i]);
  const before = content.subarray(0, at).toString('utf8').split('\n');
  const place = `${basename(path)}:${before.length}:${before.at(-1)!.length + 1}`;
  throw new UserError(
    `${path} is no client file yet: it is not UTF-8 text. Save it as UTF-8.\n  ${place}  byte 0x${content[at]!.toString(16)}`,
  );
}

/** A client that ships with Tare as a client file: `adapters/NAME/client.yaml`. */
export function builtInAdapter(name: string): Adapter {
  const path = asset(`adapters/${name}/client.yaml`);
  return adapterFromText(readFileSync(path, 'utf8'), path, true);
}

/** Is a value of --client a file rather than a name? */
export const isClientFile = (value: string): boolean => /[/\\]|\.ya?ml$/i.test(value);
