/** Which trace a file is, by its header, and where its columns are. */
import { parseDate, parseSeconds, type TracePoint } from './trace-time.ts';

export interface TraceFormat {
  /**
   * `azure-llm`: the Azure LLM inference traces of 2023 and 2024, `TIMESTAMP,ContextTokens,GeneratedTokens` (github.com/Azure/AzurePublicDataset). `burstgpt`:
   * BurstGPT, `Timestamp,…,Model,Request tokens,Response tokens,Total tokens,Log Type`, with or without `Session ID` and `Elapsed time`
   * (github.com/HPMLL/BurstGPT).
   */
  readonly name: 'azure-llm' | 'burstgpt';
  readonly time: Column;
  readonly prompt: Column;
  readonly output: Column;
  /** null: the trace has none. */
  readonly model: Column | null;
  readonly kind: Column | null;
  /** Columns that change what a request is, and that no request of ours can follow. */
  readonly ignored: readonly string[];
  readonly point: (cell: string) => TracePoint | null;
  /** What a time looks like, in words. */
  readonly times: string;
}

/** A column: its place, and its name in the header. */
export interface Column {
  readonly at: number;
  readonly name: string;
}

/** The format that a header states; null for any other file. Order and case of the columns do not matter. */
export function traceFormat(header: readonly string[]): TraceFormat | null {
  const column = (name: string): Column | null => {
    const at = header.findIndex((cell) => cell.trim().toLowerCase() === name.toLowerCase());
    return at < 0 ? null : { at, name };
  };
  const time = column('Timestamp');
  if (time === null) return null;
  const azure = [column('ContextTokens'), column('GeneratedTokens')] as const;
  if (azure[0] !== null && azure[1] !== null)
    return {
      name: 'azure-llm',
      time: { ...time, name: 'TIMESTAMP' },
      prompt: azure[0],
      output: azure[1],
      model: null,
      kind: null,
      ignored: column('NumImages') === null ? [] : ['NumImages'],
      point: parseDate,
      times: 'a date and time such as 2023-11-16 18:15:46.6805900',
    };
  const burst = [column('Request tokens'), column('Response tokens')] as const;
  if (burst[0] === null || burst[1] === null) return null;
  return {
    name: 'burstgpt',
    time,
    prompt: burst[0],
    output: burst[1],
    model: column('Model'),
    kind: column('Log Type'),
    ignored: [],
    point: parseSeconds,
    times: 'a number of seconds such as 118 or 19440110.0',
  };
}
