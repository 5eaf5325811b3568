/**
 * What ends the programs when the harness itself is killed and can end nothing more: one small shell, in a session of its own, that
 * reads from a pipe of the harness. When the pipe breaks it kills the groups that were named on it, and all that carries the harness's mark.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { harnessId } from './trial-marker.ts';

/** Lines "+ GROUP" and "- GROUP" come in; at their end, everything still named is killed. $1 is the harness's mark. */
const SCRIPT = `
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -9 "-$group"; done
for round in 1 2 3 4 5 6 7 8; do
  pids=
  for file in $(grep -lF "$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    pids="$pids \${file%/environ}"
  done
  [ -z "$pids" ] && exit 0
  kill -9 $pids
  sleep 0.05 || sleep 1
done
`;

let shell: ChildProcess | null = null;
const groups = new Set<number>();

function start(): ChildProcess | null {
  // Without our environment: it must not carry the mark of what it kills.
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'tare-watchdog', harnessId], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const forget = (): void => {
    if (shell === child) shell = null;
  };
  child.on('error', forget);
  child.on('exit', forget);
  child.stdin!.on('error', forget);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}

function tell(line: string): void {
  shell?.stdin?.write(line);
}

/** Starts the watchdog if there is none. Before a launch, so that a program's first instant is covered too. */
export function ensureWatchdog(): void {
  if (shell !== null) return;
  shell = start();
  for (const group of groups) tell(`+ ${group}\n`);
}

/** From now on the group is killed should this process end without a word. */
export function watchGroup(group: number): void {
  groups.add(group);
  tell(`+ ${group}\n`);
}

/** The group is gone: its number may be another's by now. */
export function forgetGroup(group: number): void {
  groups.delete(group);
  tell(`- ${group}\n`);
}

/** The watchdog's pid; null when there is none. */
export const watchdogPid = (): number | null => shell?.pid ?? null;
