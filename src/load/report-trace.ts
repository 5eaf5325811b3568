/** What a report says of the trace that it followed. */
export interface TraceReport {
  readonly file: string;
  readonly format: 'offsets' | 'azure-llm' | 'burstgpt';
  /** Rows that were read, up to the end of the slice; and of those the requests that can be sent. */
  readonly rows: number;
  readonly used: number;
  /** Rows before the slice; of other models; without output, which had failed. */
  readonly before_slice: number;
  readonly other_model: number;
  readonly failed_rows: number;
  /** What became of the failed rows: left out, or sent with 1 output token. */
  readonly failed_rows_are: 'skipped' | 'sent' | null;
  /** Prompts of 0 tokens in the trace: sent with 1. */
  readonly prompts_raised: number;
  /** To null: to the end of the trace. */
  readonly slice_s: readonly [from: number, to: number | null] | null;
  readonly model: string | null;
  /** Requests per second, over those of the trace. */
  readonly scale: number;
  /** Whether requests have the trace's lengths. */
  readonly lengths: 'as in the trace' | 'not used' | 'none stated';
  /** What to know about it, in words. */
  readonly notes: readonly string[];
}
