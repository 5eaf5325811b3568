/** Whether stored load runs are repetitions of one load: asked alike in all that a report keeps, and not one run twice. Pure. */
import type { LoadReport } from '../../load/report.ts';

interface Named {
  readonly file: string;
  readonly report: LoadReport;
}

/** Of the options what may differ between repetitions: draws and names. In a closed loop the number of requests is a result. */
const OWN: readonly string[] = ['seed', 'request_id_prefix', 'absent'];

/** All that was asked, by name. What a report does not keep, such as --extra-body, cannot be told. */
function asked(report: LoadReport): Map<string, unknown> {
  const { options, closed_loop: loop, stages, trace, retry, excluded, prompts, tasks } = report;
  const isTimed = loop !== null && loop?.duration_s != null;
  return new Map<string, unknown>([
    ...Object.entries(options).filter(([name]) => !OWN.includes(name) && !(isTimed && name === 'requests')),
    ['loop', loop == null ? 'open' : 'closed'],
    ['concurrency', loop?.concurrency],
    ['think_ms', loop?.think_ms],
    ['stagger_ms', loop?.stagger_ms],
    ['closed-loop duration_s', loop?.duration_s],
    ['stages', stages?.list.map(({ stage }) => stage)],
    ['stages length_s', stages?.length_s],
    [
      'trace',
      trace == null
        ? null
        : [
            trace.file,
            trace.format,
            trace.failed_rows_are,
            trace.slice_s,
            trace.model,
            trace.scale,
            trace.lengths,
          ],
    ],
    ['retry-after', retry == null ? null : [retry.followed, retry.limits]],
    ['exclusion', excluded?.rule],
    ['shared prefix', prompts == null ? null : [prompts.shared_prefix_tokens, prompts.shared_prefix_groups]],
    ['tasks', tasks?.map(({ name, share, prompt, output }) => [name, share, prompt, output])],
  ]);
}

const spelled = (value: unknown): string =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** In words why they are no repetitions of one load; null where they are. */
export function notRepetitions(reports: readonly Named[]): string | null {
  const starts = new Map<string, string>();
  for (const { file, report } of reports) {
    const start = `${report.started_at} ${report.start_ns}`;
    const before = starts.get(start);
    if (before !== undefined)
      return `${before} and ${file} are one and the same run (started ${report.started_at}), which counts once`;
    starts.set(start, file);
  }
  const [first] = reports;
  const of = asked(first!.report);
  for (const { file, report } of reports)
    for (const [name, value] of asked(report)) {
      const [a, b] = [spelled(of.get(name)), spelled(value)];
      if (a !== b) return `${first!.file} has ${name} ${a}, ${file} has ${b}`;
    }
  return null;
}
