/** The line a request that chat.js prints to k6's console output, and the complaints in k6's log. */
import type { ClientRecord } from '../contract.ts';

/** id, start (ms since the test began), waiting, duration, blocked (ms), 1 for a success, k6's error code. */
const LINE = /msg="(\S+) ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+) ([01]) (\d+)"/;

function record(line: string): ClientRecord | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [startMs, waitingMs, durationMs, blockedMs] = match.slice(2, 6).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const ok = match[6] === '1';
  return {
    requestId: match[1]!,
    responseId: null,
    // The script's stamp is taken before the connection is acquired; k6's own clock starts after.
    startNs: Math.round((startMs + blockedMs) * 1e6),
    ok,
    ttftMs: ok ? waitingMs : null,
    e2eMs: ok ? durationMs : null,
    itlMs: null,
    outputTokens: null,
  };
}

/** The records of a console-output file; a line that was cut off at the end is left out. */
export function readRecords(text: string): ClientRecord[] {
  return text
    .split('\n')
    .map(record)
    .filter((one) => one !== null);
}

/** What k6's code of the first failed request in a console-output file means; null where none failed. */
export function firstFailure(text: string): string | null {
  const code = Number(/ 0 (\d+)"/.exec(text)?.[1] ?? 0);
  if (code === 0) return null;
  // Source: lib/netext/httpext/error_codes.go: 1000 + the status of an answer from 400 on.
  return code >= 1400 && code < 1600 ? `HTTP ${code - 1000}` : `k6's error code ${code}`;
}

/** A field of logrus's text format, unquoted. */
function field(line: string, name: string): string | null {
  const match = new RegExp(`(?:^| )${name}=("(?:[^"\\\\]|\\\\.)*"|\\S+)`).exec(line);
  if (!match) return null;
  const value = match[1]!;
  if (!value.startsWith('"')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value.slice(1, -1);
  }
}

/** The first complaint of a level in k6's log: its message and the error that it names. */
export function complaintIn(log: string, level: 'warning' | 'error'): string | null {
  for (const line of log.split('\n')) {
    if (!line.includes(`level=${level} `)) continue;
    const message = field(line, 'msg');
    const error = field(line, 'error');
    if (message !== null) return error === null ? message : `${message}: ${error}`;
  }
  return null;
}
