/** What a client file of the right shape may still get wrong: parts that do not fit together. */
import type { Metric } from '../../src/measure/metrics.ts';
import type { ClientSpec } from './schema.ts';
import { placeholdersIn } from './template.ts';

export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The piece of the value's text that it is about. */
  readonly piece?: string;
  /** It is about the key, not the value. */
  readonly atKey?: boolean;
}

/** Every template that takes part in a launch. */
function launchTemplates(spec: ClientSpec): string[] {
  const files = Object.values(spec.files).map((file) =>
    typeof file === 'string' ? file : file.each_request,
  );
  const env = Object.values(spec.env).filter((value) => value !== null);
  return [...spec.command, ...files, ...env, ...Object.values(spec.arrivals).flat()];
}

const RATE = ['rate', 'rate_int', 'interval_ms', 'interval_us'];

function launchFaults(spec: ClientSpec): Fault[] {
  const faults: Fault[] = [];
  const used = new Set(launchTemplates(spec).flatMap(placeholdersIn));
  const has = (...names: string[]) => names.some((name) => used.has(name));
  if (!has('url') && !has('port'))
    faults.push({
      path: ['command'],
      message: 'neither {url} nor {port} is in it or its files: the client would not know the target',
    });
  if (!has(...RATE) && !(has('requests') && has('duration', 'duration_s', 'duration_ms', 'duration_int')))
    faults.push({
      path: ['command'],
      message: 'no {rate} is in it or its files: the client would not know how fast to send',
    });
  if (!has('requests', 'duration', 'duration_s', 'duration_ms', 'duration_int') && !linesAreRequests(spec))
    faults.push({
      path: ['command'],
      message:
        'neither {requests} nor {duration} is in it or its files: the client would not know when to end',
    });
  const spelled = Object.values(spec.arrivals).some((words) => words.length > 0);
  if (spelled && !spec.command.includes('{arrivals}'))
    faults.push({
      path: ['command'],
      message: 'arrivals are spelled out, but no word of the command is {arrivals}',
    });
  for (const [i, word] of spec.command.entries())
    if (word !== '{arrivals}' && placeholdersIn(word).includes('arrivals'))
      faults.push({
        path: ['command', i],
        message: '{arrivals} must be a word of its own',
        piece: '{arrivals}',
      });
  const from = spec.result?.from;
  if ((from === undefined || from === 'stdout' || from === 'stderr') && used.has('result'))
    faults.push({
      path: ['command'],
      message: '{result} is used, but result.from does not name a file',
      piece: '{result}',
    });
  return faults;
}

/** Does a file hold one line a request? Then its length says when to end. */
const linesAreRequests = (spec: ClientSpec): boolean =>
  Object.values(spec.files).some((file) => typeof file !== 'string');

function sourceFaults(spec: ClientSpec, key: 'result' | 'records'): Fault[] {
  const source = spec[key];
  if (source === undefined) return [];
  const faults: Fault[] = [];
  const fault = (field: string, message: string) => faults.push({ path: [key, field], message });
  if (source.format === 'text' && source.patterns === undefined)
    faults.push({
      path: [key],
      message:
        'format text needs `patterns`: regular expressions with named groups, e.g. "rate: (?<rate>[0-9.]+)"',
    });
  if (source.format !== 'text' && source.patterns !== undefined) fault('patterns', 'only for format text');
  if (source.format !== 'csv' && source.columns !== undefined) fault('columns', 'only for format csv');
  for (const [i, one] of (source.patterns ?? []).entries())
    if (!/\(\?<[A-Za-z_]/.test(one))
      faults.push({ path: [key, 'patterns', i], message: 'it has no named group, e.g. (?<rate>[0-9.]+)' });
  return faults;
}

/** Where a metric's figures come from, as the file says. */
function gives(spec: ClientSpec, metric: Metric): boolean {
  const { result, records } = spec;
  if (result?.figures[metric] !== undefined) return true;
  if (records === undefined) return false;
  const { ttft, e2e, itl, output_tokens: tokens } = records;
  if (metric === 'ttft') return ttft !== undefined;
  if (metric === 'e2e') return e2e !== undefined;
  if (metric === 'ntpot') return e2e !== undefined && tokens !== undefined;
  const tpot = ttft !== undefined && e2e !== undefined && tokens !== undefined;
  return metric === 'tpot' ? tpot : spec.definitions.itl === 'tpot' ? tpot : itl !== undefined;
}

function figureFaults(spec: ClientSpec): Fault[] {
  const faults: Fault[] = [];
  if (spec.result === undefined && spec.records === undefined)
    return [
      { path: [], message: 'neither `result` nor `records`: Tare would not know what the client reports' },
    ];
  if (spec.result !== undefined && spec.result.completed === undefined && spec.records === undefined)
    faults.push({
      path: ['result'],
      message:
        '`completed` is missing: a client that ends with exit code 0 though every request failed must be recognised',
    });
  for (const metric of ['ttft', 'itl', 'tpot', 'ntpot'] as const) {
    const kind = spec.definitions[metric];
    if (kind === 'none' && spec.result?.figures[metric] !== undefined)
      faults.push({
        path: ['definitions', metric],
        message: `none, but result.figures.${metric} gives one: say what it is`,
      });
    else if (
      kind === 'none' &&
      (metric === 'ttft' || metric === 'itl') &&
      spec.records?.[metric] !== undefined
    )
      faults.push({
        path: ['definitions', metric],
        message: `none, but records.${metric} gives one: say what it is`,
      });
    if (kind !== 'none' && !gives(spec, metric))
      faults.push({
        path: ['definitions', metric],
        message: `${kind}, but neither result.figures.${metric} nor records give it: map it, or say none`,
      });
  }
  if (!gives(spec, 'e2e'))
    faults.push({
      path: [spec.result === undefined ? 'records' : 'result'],
      message: 'nothing gives E2E: map result.figures.e2e or records.e2e',
    });
  return faults;
}

/** Every such fault. */
export const specFaults = (spec: ClientSpec): Fault[] => [
  ...launchFaults(spec),
  ...sourceFaults(spec, 'result'),
  ...sourceFaults(spec, 'records'),
  ...figureFaults(spec),
];
