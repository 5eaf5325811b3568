import type { LoadProbe } from '../../src/measure/probe/probe.ts';
import { judgeOmission, lacksSchedule } from '../kit/load-omission.ts';

export default {
  scope: 'load',
  title: 'a server that never stalls, 97/s',
  about:
    'A client whose own loop stalls sends late what was due meanwhile. Counted from the send, those requests look as fast as any: the stall is in no figure (coordinated omission).',
  source:
    'arithmetic: E2E from schedule = E2E from the send + what the request waited to be sent, by the ledger',
  right: 'p90 and p99 from the schedule, with what the client itself held back',
  runs: [{ name: '97/s', rateRps: 97, requests: 242, tokens: 4, arrivals: 'constant', latency: 'ttft=40ms' }],
  known: [
    {
      kind: 'omission',
      what: 'counts latencies from the send, and holds sends back',
      arithmetic:
        'a loop blocked 100 ms in each 500: a fifth of the requests wait 50 ms in the mean; p99 short by 95 ms',
      definition: true,
    },
  ],
  refuses: lacksSchedule,
  judge: ([run]) => judgeOmission(run!),
} satisfies LoadProbe;
