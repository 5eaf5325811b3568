/** Takes the records of a run once, for every file that is made of them. */
import type { LoadReport } from '../../src/load/report.ts';
import type { AskedRecord } from '../../src/load/requests/asked-fields.ts';
import { type LoadSeries, SeriesBuilder } from '../../src/load/series.ts';
import { HlogFile } from './hlog.ts';
import { PromBuckets } from './prometheus.ts';
import { RequestsCsv } from './requests-csv.ts';

/** Where the large files go, in pieces; absent: it is not made. */
export interface RecordSinks {
  readonly csv?: ((text: string) => void) | undefined;
  readonly hlog?: ((text: string) => void) | undefined;
}

export interface Collected {
  readonly series: LoadSeries;
  readonly buckets: PromBuckets;
}

/** Goes through the records, in the order of their ends. */
export function collect(report: LoadReport, records: Iterable<AskedRecord>, sinks: RecordSinks): Collected {
  const series = new SeriesBuilder(report.start_ns, report.elapsed_s);
  const buckets = new PromBuckets();
  const { prompt_tokens: prompt, output_tokens: output } = report.options;
  const csv =
    sinks.csv === undefined ? null : new RequestsCsv(sinks.csv, report.start_ns, { prompt, output });
  const hlog =
    sinks.hlog === undefined
      ? null
      : new HlogFile(sinks.hlog, {
          tareVersion: report.tare_version,
          startedAt: report.started_at,
          startNs: report.start_ns,
        });
  for (const record of records) {
    series.add(record);
    csv?.add(record);
    // What is in no figure of the report is in no figure of theirs.
    if (record.excluded) continue;
    buckets.add(record);
    hlog?.add(record);
  }
  csv?.finish();
  hlog?.finish();
  return { series: series.finish(), buckets };
}
