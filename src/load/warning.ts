/** Something that a reader of a load report must know: what it rests on, and what to do. */
export interface LoadWarning {
  readonly code: string;
  readonly evidence: string;
  readonly remedy: string;
}
