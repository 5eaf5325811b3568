/** `tare setup`: installs clients, each into an environment of its own under the cache folder. */
import type { Command } from 'commander';
import type { Adapter } from '../../adapters/contract.ts';
import { allAdapters, findAdapter } from '../../adapters/registry.ts';
import { UserError } from '../system/user-error.ts';

interface Options {
  readonly list?: boolean;
  readonly force?: boolean;
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
    throw new UserError(`${adapter.name} was installed, but is not found afterwards: ${after.reason}`, 1);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${adapter.name}: ${after.version} is ready after ${seconds} s (${after.path})`);
}

/** What can be installed, and by whom. */
export async function listClients(adapters: readonly Adapter[], say: Say): Promise<void> {
  for (const adapter of adapters) {
    const found = await adapter.find();
    const state =
      found.state === 'found'
        ? `found, ${found.version}`
        : adapter.setup
          ? `missing; tare setup ${adapter.name} installs it`
          : `missing; ${found.remedy}`;
    say(`${adapter.name.padEnd(13)}${adapter.title}: ${state}`);
  }
}

/** Registers `tare setup`. */
export function registerSetup(program: Command): void {
  program
    .command('setup')
    .description('installs clients, each into its own environment under the cache folder ($TARE_CACHE)')
    .argument('[names...]', 'names as tare doctor shows them')
    .option('--list', 'show the clients and do nothing')
    .option('--force', 'make an environment anew although it is there')
    .action(async (names: string[], options: Options) => {
      const say: Say = (line) => process.stderr.write(`${line}\n`);
      if (options.list) return listClients(allAdapters, say);
      if (names.length === 0) {
        const all = allAdapters.filter((adapter) => adapter.setup).map((adapter) => adapter.name);
        throw new UserError(
          `name the clients to install: tare setup ${all.join(' ')}; tare setup --list shows them`,
        );
      }
      // Every name is checked before anything is installed.
      const adapters = [...new Set(names)].map((name) => findAdapter(name));
      for (const adapter of adapters) await setUp(adapter, options.force === true, say);
    });
}
