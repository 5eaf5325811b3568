/**
 * Runs probes of load against clients and prints a line for each cell:
 * `node dist/scripts/probe-load.js CLIENT… [-- PROBE…]`, a client by its name, or `fault=NAME[:DOSE]` for our own with that fault.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAdapter } from '../adapters/registry.ts';
import { createFaultyAdapter } from '../adapters/tare/adapter.ts';
import { loadProbes } from '../probes/catalogue.ts';
import { type NamedLoadProbe, runLoadProbe } from '../src/audit/probe/load/run.ts';
import { ResultsFolder } from '../src/audit/results.ts';
import { checkPlan } from '../src/audit/run-definition-check.ts';
import { readHost } from '../src/system/host.ts';
import { processGroupLauncher } from '../src/system/process-group.ts';

const words = process.argv.slice(2);
const cut = words.indexOf('--');
const clients = cut < 0 ? words : words.slice(0, cut);
const wanted = cut < 0 ? undefined : words.slice(cut + 1);
const probes = (await loadProbes(wanted)).filter((probe): probe is NamedLoadProbe => probe.scope === 'load');

const path = await mkdtemp(join(tmpdir(), 'tare-probe-load-'));
const folder = await ResultsFolder.create(path);
const plan = checkPlan(clients, await readHost());
const context = { launcher: processGroupLauncher, folder, plan, signal: new AbortController().signal };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  for (const client of clients) {
    const adapter = client.startsWith('fault=') ? createFaultyAdapter(client.slice(6)) : findAdapter(client);
    const found = await adapter.find();
    if (found.state !== 'found') {
      say(`${client}: ${found.reason}`);
      continue;
    }
    const began = Date.now();
    for (const probe of probes) {
      const from = Date.now();
      const { cell, runs } = await runLoadProbe(probe, adapter, found, context);
      const size =
        cell.size === null ? '' : ` ${cell.size.figure} ${cell.size.value.toFixed(3)} ${cell.size.unit}`;
      const took = ((Date.now() - from) / 1000).toFixed(1);
      say(
        `${client} · ${probe.id}: ${cell.verdict} ${cell.kind ?? ''}${size} (${took} s, ${runs.length} runs)`,
      );
      say(`    ${cell.words}`);
      for (const { name, unit, right, got, by, tolerance } of cell.figures)
        say(`    ${name}: ${by} ${got} for ${right} ± ${tolerance} ${unit}`);
    }
    say(`${client}: ${((Date.now() - began) / 1000).toFixed(0)} s in all`);
  }
} finally {
  await rm(path, { recursive: true, force: true });
}
