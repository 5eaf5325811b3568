import { describe, expect, it } from 'vitest';
import { shownCommand } from '../../src/cli/load-command.ts';

const shown = (argv: readonly string[], key: string | null = null): string =>
  shownCommand(['load', ...argv], key).join(' ');

describe('the command that is shown', () => {
  it('is the one that ran', () => {
    expect(
      shown([
        '--rate',
        '5',
        '--api-key-env',
        'MY_KEY',
        '--extra-body',
        '{"max_tokens":5,"stop_token_ids":[1]}',
      ]),
    ).toBe('tare load --rate 5 --api-key-env MY_KEY --extra-body {"max_tokens":5,"stop_token_ids":[1]}');
  });
  it.each(['api_key', 'apiKey', 'Authorization', 'client_secret', 'password', 'access_token', 'token'])(
    'has no value of %s in a body, however deep',
    (name) => {
      const body = JSON.stringify({ a: [{ [name]: 'hush-hush' }], model: 'm' });
      for (const text of [shown(['--extra-body', body]), shown([`--extra-body=${body}`])]) {
        expect(text).not.toContain('hush');
        expect(text).toContain('"model":"m"');
      }
    },
  );
  it('has no key where it was pasted into another flag, and nothing of a body that is no JSON', () => {
    expect(shown(['--model', 'sk-A1b2C3d4'], 'sk-A1b2C3d4')).toBe('tare load --model ***');
    expect(shown(['--extra-body', '{"api_key":"hush'])).toBe('tare load --extra-body ***');
  });
});
