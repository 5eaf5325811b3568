/** /metrics: the Prometheus text format, version 0.0.4. */
import type { Counters } from './counters.ts';
import type { Slots } from './slots.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly (readonly [labels: string, value: number])[];
}

/** One metric family as text. */
const format = ({ name, type, help, samples }: Family): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ].join('\n');

/** Of a target with slots: how many there are, and who has or awaits one. */
const slotFamilies = (slots: Slots): Family[] => [
  {
    name: 'tare_slots',
    type: 'gauge',
    help: 'Requests that can be in service at once.',
    samples: [['', slots.limits.slots]],
  },
  {
    name: 'tare_slots_in_use',
    type: 'gauge',
    help: 'Requests in service.',
    samples: [['', slots.inUse]],
  },
  {
    name: 'tare_requests_waiting',
    type: 'gauge',
    help: 'Requests that wait for a slot.',
    samples: [['', slots.waiting]],
  },
];

/** `lostRows`: requests that found no room in the ledger; `slots`: null at a target without any. */
export function metricsText(counters: Counters, lostRows: number, slots: Slots | null = null): string {
  const cpu = process.cpuUsage();
  const one = (value: number): Family['samples'] => [['', value]];
  const families: Family[] = [
    {
      name: 'tare_requests_total',
      type: 'counter',
      help: 'Completion requests that are over, by outcome.',
      samples: [
        ['{outcome="complete"}', counters.complete],
        ['{outcome="refused"}', counters.refused],
        ['{outcome="client_closed"}', counters.clientClosed],
        ['{outcome="fault_injected"}', counters.faultInjected],
      ],
    },
    {
      name: 'tare_requests_in_flight',
      type: 'gauge',
      help: 'Completion requests under way.',
      samples: one(counters.inFlight),
    },
    ...(slots === null ? [] : slotFamilies(slots)),
    {
      name: 'tare_prompt_tokens_total',
      type: 'counter',
      help: 'Prompt tokens of completed requests.',
      samples: one(counters.promptTokens),
    },
    {
      name: 'tare_output_tokens_total',
      type: 'counter',
      help: 'Output tokens written.',
      samples: one(counters.outputTokens),
    },
    {
      name: 'tare_connections_open',
      type: 'gauge',
      help: 'Open TCP connections.',
      samples: one(counters.openConnections),
    },
    {
      name: 'tare_ledger_lost_rows_total',
      type: 'counter',
      help: 'Requests that found no room in the ledger.',
      samples: one(lostRows),
    },
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'CPU time of the target.',
      samples: one((cpu.user + cpu.system) / 1e6),
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Resident memory of the target.',
      samples: one(process.memoryUsage.rss()),
    },
  ];
  return `${families.map(format).join('\n')}\n`;
}
