/** `tare setup`: installs clients, each into an environment of its own under the cache folder. */
import type { Command } from 'commander';
import type { Adapter } from '../../adapters/contract.ts';
import { allAdapters, findAdapter } from '../../adapters/registry.ts';
import { UserError } from '../system/user-error.ts';
import { columnWidth } from './columns.ts';
import { endSetUpOnSignal } from './interruptible.ts';

interface Options {
  readonly list?: boolean;
  readonly force?: boolean;
  readonly all?: boolean;
}

type Say = (line: string) => void;

/** Installs one client unless it is there already. */
export async function setUp(adapter: Adapter, force: boolean, say: Say): Promise<void> {
  const before = await adapter.find();
  if (before.state === 'found' && !force) {
    say(`${adapter.name}: ${before.version} is there already (${before.origin}); --force makes it anew`);
    return;
  }
  if (!adapter.setup) {
    const remedy = before.state === 'missing' ? before.remedy : `it is at ${before.path} already`;
    throw new UserError(`${adapter.name} cannot be installed by Tare: ${remedy}`);
  }
  const started = performance.now();
  await adapter.setup((line) => say(`${adapter.name}: ${line}`));
  const after = await adapter.find();
  if (after.state === 'missing') {
    if (after.remedy.includes('tare setup')) {
      throw new UserError(`${adapter.name} was installed, but is not found afterwards: ${after.reason}`, 1);
    }
    // What is left is the user's to do, and no reason to end the set-up of other clients.
    say(`${adapter.name}: its part is installed; still missing: ${after.reason}. ${after.remedy}`);
    return;
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${adapter.name}: ${after.version} is ready after ${seconds} s (${after.path})`);
}

/**
 * Installs several in turn. One that fails does not keep the others from being installed.
 * @throws UserError that names those that failed, each with its reason; the failure's own error where there is only one client.
 */
export async function setUpAll(adapters: readonly Adapter[], force: boolean, say: Say): Promise<void> {
  if (adapters.length === 1) return setUp(adapters[0]!, force, say);
  const failed: string[] = [];
  // Two clients of one package share a set-up: made anew once, not twice.
  const made = new Set<Adapter['setup']>();
  for (const adapter of adapters) {
    try {
      await setUp(adapter, force && !made.has(adapter.setup), say);
      made.add(adapter.setup);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      say(`${adapter.name}: ${error.message}`);
      failed.push(adapter.name);
    }
  }
  if (failed.length > 0)
    throw new UserError(
      `${failed.length} of ${adapters.length} could not be set up: ${failed.join(', ')} (reasons above); the others are ready`,
      1,
    );
}

/** What can be installed, and by whom. */
export async function listClients(adapters: readonly Adapter[], say: Say): Promise<void> {
  const width = columnWidth(adapters);
  for (const adapter of adapters) {
    const found = await adapter.find();
    const state =
      found.state === 'found'
        ? `found, ${found.version}`
        : adapter.setup
          ? `missing; tare setup ${adapter.name} installs it`
          : `missing; ${found.remedy}`;
    say(`${adapter.name.padEnd(width)}${adapter.title}: ${state}`);
  }
}

/** Registers `tare setup`. */
export function registerSetup(program: Command): void {
  program
    .command('setup')
    .description('installs clients, each into its own environment under the cache folder ($TARE_CACHE)')
    .argument('[names...]', 'names as tare doctor shows them')
    .option('--list', 'show the clients and do nothing')
    .option('--all', 'every client that Tare can install')
    .option('--force', 'make an environment anew although it is there')
    .action(async (names: string[], options: Options) => {
      const say: Say = (line) => process.stderr.write(`${line}\n`);
      if (options.list) return listClients(allAdapters, say);
      endSetUpOnSignal();
      const installable = allAdapters.filter((adapter) => adapter.setup);
      if (options.all) return setUpAll(installable, options.force === true, say);
      if (names.length === 0) {
        const all = installable.map((adapter) => adapter.name);
        throw new UserError(
          `name the clients to install: tare setup ${all.join(' ')}; or --all for every one. tare setup --list shows them`,
        );
      }
      // Every name is checked before anything is installed.
      const adapters = [...new Set(names)].map((name) => findAdapter(name));
      await setUpAll(adapters, options.force === true, say);
    });
}
