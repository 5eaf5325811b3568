#!/usr/bin/env node
/** The `tare` command: registers the commands, one file each, and turns their outcome into an exit code. */
import { Command } from 'commander';
import { version } from '../system/version.ts';
import { allowClosedPipe } from './closed-pipe.ts';
import { runProgram } from './run.ts';

const program = new Command('tare')
  .description('Finds out what a benchmark client itself adds to the figures it reports about an LLM server.')
  .version(version);

/** Each command's module is loaded only when it is named: charts and Arrow take half a second that `tare serve` need not spend. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  audit: async () => (await import('./audit.ts')).registerAudit,
  check: async () => (await import('./check.ts')).registerCheck,
  claim: async () => (await import('./claim.ts')).registerClaim,
  gate: async () => (await import('./gate.ts')).registerGate,
  front: async () => (await import('./front.ts')).registerFront,
  profile: async () => (await import('./profile.ts')).registerProfile,
  serve: async () => (await import('./serve.ts')).registerServe,
  load: async () => (await import('./load.ts')).registerLoad,
  envelope: async () => (await import('./envelope.ts')).registerEnvelope,
  probe: async () => (await import('./probe.ts')).registerProbe,
  report: async () => (await import('./report.ts')).registerReport,
  model: async () => (await import('./model.ts')).registerModel,
  correct: async () => (await import('./correct.ts')).registerCorrect,
  doctor: async () => (await import('./doctor.ts')).registerDoctor,
  selftest: async () => (await import('./selftest.ts')).registerSelftest,
  setup: async () => (await import('./setup.ts')).registerSetup,
};

allowClosedPipe(process.stdout);
allowClosedPipe(process.stderr);
const named = commands[process.argv[2] ?? ''];
for (const register of named === undefined ? Object.values(commands) : [named]) (await register())(program);
await runProgram(program);
