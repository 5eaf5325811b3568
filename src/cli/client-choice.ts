/** What `--client` names: clients that Tare knows, and client files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from '../../adapters/contract.ts';
import {
  adapterFromFile,
  adapterFromText,
  type FileAdapter,
  isClientFile,
} from '../../adapters/custom/adapter.ts';
import { allAdapters, findAdapter } from '../../adapters/registry.ts';
import type { ClientEntry } from '../audit/document.ts';
import { explainFileError } from '../system/disk.ts';
import { UserError } from '../system/user-error.ts';

export interface ClientChoice {
  /** Names in the order given; null where none were. */
  readonly names: readonly string[] | null;
  /** Those of them that came from client files. */
  readonly fromFiles: readonly FileAdapter[];
  /** The adapter of a name. @throws UserError for an unknown one. */
  readonly byName: (name: string) => Adapter;
}

function choiceOf(names: readonly string[] | null, fromFiles: readonly FileAdapter[]): ClientChoice {
  return {
    names,
    fromFiles,
    byName: (name) => fromFiles.find((one) => one.name === name) ?? findAdapter(name),
  };
}

/** A client's name is what its figures go by: two clients cannot share one. */
function checkName(adapter: FileAdapter, others: readonly FileAdapter[]): void {
  const { name, home } = adapter;
  const other = others.find((one) => one.name === name);
  if (other !== undefined && other.home.file !== home.file)
    throw new UserError(
      `${home.file} and ${other.home.file} both have \`name: ${name}\`: give one of them another name.`,
    );
  if (allAdapters.some((one) => one.name === name))
    throw new UserError(
      `${home.file}: \`name: ${name}\` is the name of a client that Tare knows: give yours another one.`,
    );
}

/**
 * Reads the values of `--client`. One with a slash, or that ends in .yaml or .yml, is a client file.
 * @throws UserError with every fault of such a file.
 */
export function chooseClients(values: readonly string[] | null): ClientChoice {
  if (values === null) return choiceOf(null, []);
  const files: FileAdapter[] = [];
  const names = values.map((value) => {
    if (!isClientFile(value)) return value;
    const adapter = adapterFromFile(value);
    checkName(adapter, files);
    files.push(adapter);
    return adapter.name;
  });
  return choiceOf(names, files);
}

const kept = (folder: string, name: string): string => join(folder, 'clients', `${name}.yaml`);

/** Keeps a copy of every client file in the results folder: what the figures rest on, and what --resume reads. */
export async function keepClientFiles(folder: string, choice: ClientChoice): Promise<void> {
  if (choice.fromFiles.length === 0) return;
  await mkdir(join(folder, 'clients'), { recursive: true });
  for (const { name, home } of choice.fromFiles) await writeFile(kept(folder, name), home.text);
}

/** The clients of an audit that is gone on with, as they were when it began. */
export async function keptChoice(folder: string, clients: readonly ClientEntry[]): Promise<ClientChoice> {
  const files: FileAdapter[] = [];
  for (const { name, found } of clients) {
    const origin = found.state === 'found' ? found.handle.client_file : undefined;
    if (origin === undefined) continue;
    const copy = kept(folder, name);
    const text = await readFile(copy, 'utf8').catch((error) => {
      throw new UserError(
        `${explainFileError(error, copy, 'read')}. It is the audit's own copy of ${origin}: start a new audit.`,
      );
    });
    files.push(adapterFromText(text, origin));
  }
  return choiceOf(null, files);
}
