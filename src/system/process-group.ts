/**
 * Launches programs so that nothing of them is left: each in a session of its own, marked in its environment, with a deadline, its output
 * capped. Plain child_process.spawn: what a library would add (waiting for the pipes, killing the one child) is what must not happen here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { CappedOutput } from './capped-output.ts';
import { nowNs } from './clock.ts';
import { explainFileError } from './disk.ts';
import { launchEnvironment } from './environment.ts';
import { LaunchedGroup } from './launched-group.ts';
import type { Launcher, LaunchResult, LaunchSpec, Running } from './launcher.ts';
import { withTaskset } from './pinning.ts';
import { resolveProgram } from './resolve-program.ts';
import { nextMarker } from './trial-marker.ts';
import { ensureWatchdog } from './watchdog.ts';

const DEFAULT_OUTPUT_BYTES = 16 * 1024 * 1024;
const folderExists = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Never started: nothing ran, nothing is left. */
function notStarted(argv: readonly string[], failure: string): Running {
  const at = nowNs();
  const result: LaunchResult = {
    end: 'notStarted',
    exitCode: null,
    signal: null,
    failure,
    startedNs: at,
    endedNs: at,
    leftovers: 0,
    stdoutBytes: 0,
    stderrBytes: 0,
    truncated: false,
    argv,
    notes: [],
  };
  return { pid: null, done: Promise.resolve(result), stop() {} };
}

function openOutputs(spec: LaunchSpec): readonly [CappedOutput, CappedOutput] | { failure: string } {
  const cap = spec.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  const opened: CappedOutput[] = [];
  for (const file of [spec.stdoutFile, spec.stderrFile]) {
    try {
      opened.push(new CappedOutput(file, cap));
    } catch (error) {
      for (const output of opened) output.close();
      return { failure: explainFileError(error, file) };
    }
  }
  return [opened[0]!, opened[1]!];
}

/** taskset starts even where it cannot start the program; then the program did not start. */
function unlessTasksetFailed(result: LaunchResult, spec: LaunchSpec): LaunchResult {
  if (result.end !== 'exited' || result.exitCode === 0 || result.stderrBytes > 1000) return result;
  const words = readFileSync(spec.stderrFile, 'utf8').trim();
  return words.startsWith('taskset: failed')
    ? { ...result, end: 'notStarted', exitCode: null, failure: words }
    : result;
}

function launch(spec: LaunchSpec): Running {
  const program = spec.argv[0];
  if (program === undefined || program === '') return notStarted(spec.argv, 'the command line is empty');
  if (!folderExists(spec.cwd)) return notStarted(spec.argv, `there is no folder ${spec.cwd} to run it in`);
  const marker = nextMarker();
  const env = launchEnvironment(spec.env ?? {}, marker);
  const resolved = resolveProgram(program, spec.cwd, env.PATH);
  if ('failure' in resolved) return notStarted(spec.argv, resolved.failure);

  const notes: string[] = [];
  let argv = spec.argv;
  if (spec.cpus !== undefined && spec.cpus.length > 0) {
    if ('path' in resolveProgram('taskset', spec.cwd, env.PATH)) argv = withTaskset(spec.argv, spec.cpus);
    else notes.push('not pinned: there is no taskset on the PATH');
  }
  const outputs = openOutputs(spec);
  if ('failure' in outputs) return notStarted(argv, outputs.failure);

  ensureWatchdog();
  const startedNs = nowNs();
  let child: ChildProcess;
  try {
    child = spawn(argv[0]!, argv.slice(1), {
      cwd: spec.cwd,
      env,
      detached: true, // setsid
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    for (const output of outputs) output.close();
    return notStarted(argv, startFailure(error as NodeJS.ErrnoException, resolved.path));
  }
  if (child.pid === undefined) {
    for (const output of outputs) output.close();
    const why = new Promise<Error>((resolve) => child.on('error', resolve));
    return {
      ...notStarted(argv, ''),
      done: why.then((error) => notStarted(argv, startFailure(error, resolved.path)).done),
    };
  }
  child.on('error', () => {}); // only failures of kill() come after the start; the group is killed by other means
  const running = new LaunchedGroup({ child, spec, argv, outputs, marker, startedNs, notes });
  return argv === spec.argv
    ? running
    : {
        pid: running.pid,
        done: running.done.then((result) => unlessTasksetFailed(result, spec)),
        stop: () => running.stop(),
      };
}

function startFailure(error: NodeJS.ErrnoException, path: string): string {
  switch (error.code) {
    case 'ENOENT':
      return `${path} is there, but the interpreter that its first line names is not (ENOENT)`;
    case 'EACCES':
      return `${path} may not be executed (EACCES: no permission, or a file system mounted noexec)`;
    case 'ENOEXEC':
      return `${path} is not a program for this machine (ENOEXEC)`;
    case 'E2BIG':
      return 'the command line and environment are too long (E2BIG)';
    case 'EAGAIN':
      return 'the limit of processes is reached (EAGAIN; ulimit -u)';
    default:
      return error.message;
  }
}

export { stopAll } from './live-groups.ts';

/** Runs real programs. */
export const processGroupLauncher: Launcher = { launch };
