/** Why a run of GenAI-Perf failed, from what it and perf_analyzer wrote. The exit code alone says nothing: it is 1 for everything. */

interface Cause {
  readonly pattern: RegExp;
  readonly says: (match: RegExpExecArray) => string;
}

const CAUSES: readonly Cause[] = [
  {
    pattern: /had error: (OpenAI response returns HTTP code (\d+):?[ \t]*(.*))/,
    says: ([, , code, body]) =>
      code === '400' && body!.trim() === ''
        ? 'perf_analyzer ended the run at the first request that failed: a connection refused, reset or cut (it calls that "HTTP code 400")'
        : `perf_analyzer ended the run at the first request that failed: HTTP ${code}${body ? `: ${body.trim()}` : ''}`,
  },
  { pattern: /Thread \[\d+\] had error: (.+)/, says: ([, words]) => `perf_analyzer: ${words}` },
  {
    pattern: /No valid requests recorded within time interval/,
    says: () =>
      'perf_analyzer recorded no request: it leaves out those whose whole answer comes in one HTTP chunk',
  },
  { pattern: /^Error: (.+)/m, says: ([, words]) => `perf_analyzer: ${words}` },
  {
    pattern: /ZeroDivisionError/,
    says: () =>
      'GenAI-Perf divided by an inter token latency that it had rounded to 0 ns: it cannot measure a target without delay between tokens',
  },
  {
    pattern: /No such file or directory: 'perf_analyzer'/,
    says: () => 'perf_analyzer is not there (pip took its empty placeholder 0.1.0?)',
  },
  { pattern: /(.*GLIBC(?:XX)?_[\d.]+.* not found.*)/, says: ([, words]) => words!.trim() },
  {
    pattern: /_extract_openai_\w+_text_output[\s\S]*IndexError: list index out of range/,
    says: () => 'GenAI-Perf cannot read an event without choices (a usage event)',
  },
];

/** The exception that ended the Python program: the last line that begins like one. */
const exception = (text: string): string | null =>
  text
    .split('\n')
    .filter((line) => /^[A-Za-z_.]+(Error|Exception|Interrupt)\b/.test(line))
    .at(-1)
    ?.slice(0, 300) ?? null;

/** The cause in words; null where the output names none. */
export function causeOf(stdout: string, stderr: string): string | null {
  const text = `${stderr}\n${stdout}`;
  for (const { pattern, says } of CAUSES) {
    const match = pattern.exec(text);
    if (match) return says(match).slice(0, 400);
  }
  return exception(stderr);
}

/** perf_analyzer's own warnings worth repeating. */
export function warningsIn(stdout: string): string[] {
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /not able to keep up|requests were delayed/i.test(line))
    .map((line) => `perf_analyzer: ${line.replace(/^\[?WARNING\]?:?\s*/i, '')}`);
}
