/** What the tests know of real processes, read without the code under test. */
import { readdirSync, readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function alive(where: 'environ' | 'cmdline', text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/${where}`).includes(text))
    .filter((pid) => !/^\d+ \(.*\) [ZX]/s.test(read(`/proc/${pid}/stat`)))
    .map(Number);
}

/** Pids of the living whose environment holds `text`. */
export const withEnvironment = (text: string): number[] => alive('environ', text);

/** Pids of the living whose command line holds `text`. */
export const withArgument = (text: string): number[] => alive('cmdline', text);
