import { describe, expect, it } from 'vitest';
import { architectureWords, observedWords } from '../../reports/architecture-words.ts';
import type { Observed } from '../../src/audit/document.ts';
import { sampleDocument } from './sample.ts';

const base: Observed = {
  processes_peak: 1,
  threads_peak: 3,
  rss_peak_mb: 80,
  busiest_thread_share: 0.984,
  busiest_thread: 'python3',
  cpu_share: 0.99,
  threads: [{ pid: 4711, tid: 4711, name: 'python3', share: 0.984, wait_share: 0 }],
  core_wait_share: 0,
  steal_share: 0,
};
const one: Observed = {
  ...base,
  system_part: 0.24,
  threads_working: 1,
  processes_working: 1,
  architecture: { shape: 'one', carriers: 1, carried_share: 0.99, carrier_processes: 1 },
  switches_per_s: 12_000.4,
  open_files_peak: 830,
  sockets_peak: 812,
  open_files_nearest: { open: 830, limit: 1024 },
};
const loops = (n: number, processes: number): Observed => ({
  ...one,
  processes_peak: processes + 1,
  threads_peak: 41,
  threads_working: n,
  threads: Array.from({ length: Math.min(n, 8) }, (_, i) => ({
    pid: 100 + (i % processes),
    tid: 100 + i,
    name: 'w',
    share: 0.5 - i / 100,
    wait_share: 0,
  })),
  architecture: { shape: 'equal', carriers: n, carried_share: 0.9, carrier_processes: processes },
});
const alike = (n: number): Observed => {
  const all = loops(n, 1);
  return { ...all, threads: all.threads.map((thread) => ({ ...thread, share: 0.08 })) };
};
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('architectureWords', () => {
  it.each([
    [
      one,
      'asyncio',
      '1 process, 3 threads, 1 at work; one event loop at 98.4 % of a core (python3, pid 4711); 812 sockets, 830 of 1,024 descriptors, 12,000 context switches/s, 24 % of its CPU time in the kernel',
    ],
    [one, 'goroutines', 'one thread at 98.4 % of a core (python3, pid 4711)'],
    [
      loops(3, 3),
      'libuv',
      '4 processes, 41 threads, 3 at work; 3 event loops, one a process, at 48–50 % of a core each',
    ],
    [loops(4, 1), 'tokio', '4 threads of 1 process, at 47–50 % of a core each'],
    [loops(20, 20), 'uvloop', '20 event loops, one a process, at most 50 % of a core each'],
    [
      { ...one, architecture: { shape: 'idle', carriers: 0, carried_share: 0, carrier_processes: 0 } },
      'asyncio',
      'no thread at work',
    ],
    [
      { ...one, architecture: { shape: 'uneven', carriers: 3, carried_share: 1, carrier_processes: 2 } },
      'threads',
      'the work unevenly over 3 threads, the busiest at 98.4 %',
    ],
    [
      { ...one, architecture: { shape: 'uneven', carriers: 1, carried_share: 0.48, carrier_processes: 1 } },
      'goroutines',
      'one thread at 98.4 % of a core (python3, pid 4711), 48 % of the work, the rest over threads below 1 % each',
    ],
    [alike(2), 'tokio', '2 threads of 1 process, at 8 % of a core each'],
    [base, 'asyncio', '1 process, 3 threads; busiest thread at 98.4 % of a core (python3, pid 4711)'],
    [
      { ...base, busiest_thread_share: null, threads: [] },
      'asyncio',
      '1 process, 3 threads; CPU time not read',
    ],
    [{ ...one, busiest_thread: 'a\u001b[31m\nb' }, 'asyncio', '(a b, pid 4711)'],
  ] as const)('%#: says what was seen', (observed, runtime, words) => {
    expect(plain(architectureWords(observed as Observed, runtime))).toContain(words);
  });

  it('of a client is that of its busiest trial, with the rate', () => {
    const { trials } = sampleDocument();
    const mine = trials.filter((trial) => trial.client === 'asyncio');
    expect(observedWords(mine, 'asyncio')).toMatch(/at its busiest, [\d,]+ requests\/s asked$/);
    expect(observedWords([], 'asyncio')).toBe('not observed');
    expect(
      observedWords(
        mine.map((trial) => ({ ...trial, observed: null })),
        'asyncio',
      ),
    ).toBe('not observed');
  });
});
