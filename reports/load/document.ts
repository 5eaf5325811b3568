/** What the reports of a load are made from: its report, its series, and how it was run. */
import type { LoadReport } from '../../src/load/report.ts';
import type { LoadSeries } from '../../src/load/series.ts';
import type { HostInfo } from '../../src/system/host.ts';

export interface LoadDocument {
  readonly report: LoadReport;
  readonly series: LoadSeries;
  readonly host: HostInfo;
  /** The command without secrets; null where it was not run as a command. */
  readonly command: readonly string[] | null;
}
