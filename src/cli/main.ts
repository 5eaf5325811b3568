#!/usr/bin/env node
/** The `tare` command: registers the commands, one file each, and turns their outcome into an exit code. */
import { Command } from 'commander';
import { registerAudit } from './audit.ts';
import { registerDoctor } from './doctor.ts';
import { registerLoad } from './load.ts';
import { registerReport } from './report.ts';
import { runProgram } from './run.ts';
import { registerServe } from './serve.ts';
import { registerSetup } from './setup.ts';
import { version } from './version.ts';

const program = new Command('tare')
  .description('Finds out what a benchmark client itself adds to the figures it reports about an LLM server.')
  .version(version);

for (const register of [
  registerAudit,
  registerServe,
  registerLoad,
  registerReport,
  registerDoctor,
  registerSetup,
])
  register(program);
await runProgram(program);
