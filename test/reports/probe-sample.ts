/**
 * Invented results of `tare probe` for tests of the reports: realistic shapes, every verdict, long names, a client of which nothing
 * can be judged. Same options, same document.
 */

import plain from '../../probes/chunks/plain.ts';
import roleFirst from '../../probes/chunks/role-first.ts';
import { shownProbe } from '../../reports/probe/shown.ts';
import {
  type CellFigure,
  PROBE_SCHEMA,
  type ProbeCell,
  type ProbeDocument,
  type ProbedClient,
  type ProbeRun,
  type ProbeVerdict,
  type ShownProbe,
} from '../../src/audit/probe/document.ts';
import type { NamedProbe } from '../../src/measure/probe/probe.ts';

const IDS: Readonly<Record<string, string>> = {
  chunks:
    'plain role-first role-null role-absent reasoning-first reasoning-content-and-content two-per-event uneven-per-event bundled-first burst-every-ten empty-deltas one-token whole-answer-at-once',
  counts:
    'recount usage-absent usage-cumulative usage-in-last-chunk usage-wrong no-tokens cap-reached-while-thinking eos over-delivered finish-without-text tool-call-deltas two-choices',
  stream:
    'comment ping-between-tokens split-utf8 split-event split-in-crlf crlf-lines cr-lines no-space-after-colon data-over-two-lines event-field-and-id byte-order-mark done-missing late-usage json-with-escapes one-byte-writes',
  http: 'header-flush headers-held-until-first-token chunk-extension trailers close-delimited content-length keep-alive-then-close lower-case-headers interim-103 gzip-refused',
  errors:
    'error-in-stream error-first cut-without-done reset-in-stream survivors status-429-with-retry-after status-500-html json-of-another-shape half-of-the-requests closed-at-accept',
  delays: 'slow-first-token stall-of-two-seconds long-tail zero-delay uneven-gaps',
  load: 'cap-wait sleep-drift pool-cap tail-drain constant-not-constant on-the-second',
};

const CLIENTS = [
  'vllm',
  'guidellm',
  'k6',
  'tare',
  'our-own-client-with-a-rather-long-name',
  'vegeta',
  'sglang',
  'aiperf',
  'inference-perf',
  'inference-x',
  'locust',
  'autocannon',
  'oha',
  'genai-perf',
  'asyncio',
  'llmperf',
  'tt-bench',
  'wrk2-sse',
  'artillery',
  'hey',
];

const KINDS = [
  'first-chunk-as-token',
  'headers-as-token',
  'ttft-in-itl',
  'end-after-last-token',
  'chunks-as-tokens',
  'sound-request-fails',
  'error-as-success',
];

export interface ProbeSampleOptions {
  readonly clients?: number;
  readonly probes?: number;
  /** Put into every text that comes from outside. */
  readonly hostile?: string;
  readonly load?: boolean;
  /** Instead of invented probes. */
  readonly shown?: readonly ShownProbe[];
}

/** 0 … 1, the same for the same two numbers. */
function chance(a: number, b: number): number {
  const x = Math.sin(a * 12.9898 + b * 78.233 + 1) * 43_758.5453;
  return x - Math.floor(x);
}

function probesOf({ probes = 71, hostile = '', load = true }: ProbeSampleOptions): ShownProbe[] {
  const named = Object.entries(IDS).flatMap(([group, ids]) => ids.split(' ').map((id) => ({ group, id })));
  while (named.length < probes) named.push({ group: 'load', id: `variant-${named.length}` });
  return named
    .filter(({ group }) => load || group !== 'load')
    .slice(0, probes)
    .map(({ group, id }, i) => {
      const base = { ...(i % 2 === 0 ? plain : roleFirst), id, group } as NamedProbe;
      const probe = shownProbe(base);
      return {
        ...probe,
        title:
          id === 'plain' || id === 'role-first' ? probe.title : `${id.replaceAll('-', ' ')}: ${probe.title}`,
        about: `${probe.about}${hostile}`,
        scope: group === 'load' ? 'load' : group === 'errors' ? 'run' : 'request',
        sent: group === 'load' ? [] : probe.sent,
        load:
          group === 'load' ? [`at 10/s: 100 requests at 10/s, constant arrivals, 50 tokens${hostile}`] : [],
      } as const;
    });
}

/** What each client is like: which verdict it has under the p-th probe. */
function verdictOf(client: number, p: number, group: string): ProbeVerdict {
  if (client === 3) return 'right';
  if (client === 5) return 'not applicable';
  const x = chance(client, p);
  if (client === 4 && group === 'errors' && x < 0.5) return 'crashed';
  if (group === 'load' && x < 0.2) return 'undetermined';
  if (x < 0.1 + 0.02 * (client % 4)) return 'faulty';
  if (x < 0.24) return 'other definition';
  return x > 0.93 ? 'not applicable' : 'right';
}

const NAMES = [
  'success',
  'tokens',
  'ttft mean',
  'ttft p50',
  'ttft p99',
  'itl mean',
  'tpot mean',
  'e2e mean',
  'e2e p99',
];
const RIGHT = [1, 50, 200, 200, 200, 20, 20, 1180, 1180];

function figuresOf(verdict: ProbeVerdict, kind: string | null, seed: number): CellFigure[] {
  if (verdict === 'not applicable' || verdict === 'crashed') return [];
  const off = verdict === 'faulty' || verdict === 'other definition';
  return NAMES.map((name, i) => {
    const ttft = name.startsWith('ttft');
    const noise = i < 2 ? 0 : chance(seed, i) * 0.8;
    return {
      name,
      unit: i === 0 ? 'share' : i === 1 ? 'tokens' : 'ms',
      right: RIGHT[i]!,
      stated: verdict === 'other definition' && ttft ? 5 : null,
      got: name === 'tpot mean' && seed % 3 === 0 ? null : (off && ttft ? 5 : RIGHT[i]!) + noise,
      by: i % 4 === 3 ? 'records' : 'printed',
      tolerance: i < 2 ? 0 : 2,
      verdict: off && ttft ? verdict : 'right',
      kind: off && ttft ? kind : null,
    };
  });
}

function wordsOf(verdict: ProbeVerdict, kind: string | null): string {
  switch (verdict) {
    case 'right':
      return '';
    case 'other definition':
      return 'Its TTFT ends with the response head, as its documentation states.';
    case 'faulty':
      return kind === 'unnamed'
        ? 'TTFT mean 5.4 ms where 200 is right: no known fault makes this figure.'
        : 'TTFT mean 5.4 ms where 200 is right: it takes the first chunk, whatever is in it, for the first token.';
    case 'crashed':
      return 'It ended with exit code 1 and left no figures, here and when it was run again: IndexError: list index out of range.';
    case 'not applicable':
      return 'It gives no figure that this probe is about.';
    default:
      return 'The target’s own writes were up to 41 ms late, so what it printed cannot be judged.';
  }
}

function cellOf(client: string, c: number, probe: ShownProbe, p: number, hostile: string): ProbeCell {
  const verdict = verdictOf(c, p, probe.group);
  const bad = verdict === 'faulty';
  const kind = bad
    ? p % 9 === 0
      ? 'unnamed'
      : KINDS[(p + c) % KINDS.length]!
    : verdict === 'other definition'
      ? 'headers-as-token'
      : null;
  const judged = verdict !== 'not applicable';
  return {
    client,
    probe: probe.id,
    verdict,
    kind,
    words: wordsOf(verdict, kind) + (verdict === 'right' ? '' : hostile),
    size:
      bad || verdict === 'other definition'
        ? { figure: 'ttft mean', value: -194.6, unit: 'ms', percent: -97.3 }
        : null,
    figures: figuresOf(verdict, kind, c * 100 + p),
    requests: judged ? 10 : 0,
    run: judged ? `r${String(1 + (p % 5)).padStart(2, '0')}` : null,
    confirms: bad && p % 2 === 0 ? 'faulty' : null,
  };
}

function runsOf(client: string, c: number, cells: readonly ProbeCell[], hostile: string): ProbeRun[] {
  const ids = [...new Set(cells.flatMap(({ run }) => (run === null ? [] : [run])))].sort();
  return ids.map((id, i) => {
    const probes = cells.filter(({ run }) => run === id).map(({ probe }) => probe);
    const crashed = cells.some(({ run, verdict }) => run === id && verdict === 'crashed');
    return {
      id,
      probes,
      requests: 10 * probes.length,
      rate_rps: 10,
      elapsed_s: 8 + i + c / 10,
      command: [
        `/opt/${client}/bin/bench`,
        'serve',
        '--base-url',
        'http://127.0.0.1:43117',
        '--request-rate',
        '10',
        '--num-prompts',
        String(10 * probes.length),
        `--label=it’s a run${hostile}`,
      ],
      exit_code: crashed ? 1 : 0,
      end: crashed ? 'exited with 1' : 'exited with 0',
      failure: crashed
        ? `Traceback (most recent call last): IndexError: list index out of range${hostile}`
        : null,
      late_ms: 0.2 + i / 10,
      steal_share: 0.001,
    };
  });
}

/** A result of `tare probe`. Clients: the third states another TTFT, the fourth is right, the sixth gives nothing to judge. */
export function probeSample(options: ProbeSampleOptions = {}): ProbeDocument {
  const { clients = 6, hostile = '' } = options;
  const probes = options.shown ?? probesOf(options);
  const names = Array.from({ length: clients }, (_, c) => `${CLIENTS[c] ?? `client-${c}`}${hostile}`);
  const cells = names.flatMap((client, c) => probes.map((probe, p) => cellOf(client, c, probe, p, hostile)));
  return {
    schema: PROBE_SCHEMA,
    tare_version: '0.1.0',
    started_at: '2025-11-29T12:00:00.000Z',
    elapsed_s: 1_834.2,
    state: 'finished',
    not_run: [],
    host: {
      os: 'Debian GNU/Linux 12',
      kernel: '6.1.0',
      arch: 'x64',
      cpu_model: `Intel Xeon${hostile}`,
      cores: 2,
      allowed_cpus: [0, 1],
      memory_mb: 8_192,
      swap_used_mb: 0,
      cpu_governor: null,
      load_1m: 0.2,
      open_files_limit: 1_048_576,
      ephemeral_ports: 28_232,
      glibc: '2.36',
      node: '22.12.0',
      python: '3.11.2',
      taskset: '/usr/bin/taskset',
    },
    pinning_note: 'target on core 1, client on core 0',
    seed: 1,
    load: options.load ?? true,
    clients: names.map((client, c): ProbedClient => {
      const own = cells.filter((cell) => cell.client === client);
      return {
        client,
        version: `0.${c + 1}.${c}`,
        path: `/opt/${client}/bin/bench`,
        origin: 'tare setup',
        elapsed_s: 60 + 3.7 * c,
        load_elapsed_s: options.load === false ? 0 : 95.5 + c,
        runs: runsOf(client, c, own, hostile),
      };
    }),
    probes,
    cells,
  };
}
