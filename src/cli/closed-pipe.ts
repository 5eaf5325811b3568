/** What is written to a pipe that nobody reads any more (`tare … | head`) is lost, and no fault: the command goes on to its own exit code. */
import type { EventEmitter } from 'node:events';

/** Any other error of the stream stays an error. */
export function allowClosedPipe(stream: Pick<EventEmitter, 'on'>): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
