import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { allowClosedPipe } from '../../src/cli/closed-pipe.ts';

describe('a stream that nobody reads any more', () => {
  const emit = (code: string) => {
    const stream = new EventEmitter();
    allowClosedPipe(stream);
    stream.emit('error', Object.assign(new Error(code), { code }));
  };
  it('is no fault', () => expect(() => emit('EPIPE')).not.toThrow());
  it('of another error is one', () => expect(() => emit('ENOSPC')).toThrow('ENOSPC'));
});
