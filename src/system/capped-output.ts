/** A program's output, into a file up to a cap. What is beyond is read, counted and dropped, so that the program never blocks on it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { explainFileError } from './disk.ts';

export class CappedOutput {
  /** All that the program wrote. */
  bytes = 0;
  /** Why the file holds less than it should, in words; null when it does not, or only for the cap. */
  failure: string | null = null;
  private readonly file: string;
  private readonly cap: number;
  private fd: number | null;
  private written = 0;

  /** Throws as openSync does. */
  constructor(file: string, cap: number) {
    this.file = file;
    this.cap = cap;
    this.fd = openSync(file, 'w');
  }

  get truncated(): boolean {
    return this.bytes > this.written;
  }

  /** Takes all that comes. Written synchronously: what has arrived is in the file, even if the harness ends without a word. */
  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.fd === null || this.written >= this.cap) return;
    const end = Math.min(chunk.length, this.cap - this.written);
    let from = 0;
    try {
      while (from < end) {
        const length = writeSync(this.fd, chunk, from, end - from);
        from += length;
        this.written += length;
      }
    } catch (error) {
      this.failure = explainFileError(error, this.file);
      this.close();
    }
  }

  /** Settles at the stream's end, or once `close` has been called on it. Never rejects: an error ends the output. */
  drain(stream: Readable): Promise<void> {
    return new Promise((resolve) => {
      stream.on('data', (chunk: Buffer) => this.take(chunk));
      stream.on('error', () => {});
      stream.on('close', () => {
        this.close();
        resolve();
      });
    });
  }

  close(): void {
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }
}
