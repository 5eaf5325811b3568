/** What may stand in braces in a client file: names, and where each is known. */

export type Scope = 'locate' | 'always' | 'line' | 'gamma' | 'trace' | 'tls';

interface Placeholder {
  readonly scope: Scope;
  readonly meaning: string;
}

const of = (scope: Scope, meaning: string): Placeholder => ({ scope, meaning });

/**
 * `locate`: known before anything is launched (program, version, after …); `always`: in the command, its environment and its files;
 * `line`: only in a file with one line a request; `gamma`, `trace`: only in the spelling of those arrivals; `tls`: only in words of variants.
 */
export const PLACEHOLDERS = {
  program: of('locate', 'path of the program that was found'),
  here: of('locate', 'folder of the client file'),
  cache: of('locate', "folder of this client's own under Tare's cache"),
  url: of('always', 'base URL of the target, no slash at its end: http://127.0.0.1:8150'),
  host: of('always', "the target's host: 127.0.0.1"),
  port: of('always', "the target's port"),
  model: of('always', 'model to ask for'),
  rate: of('always', 'requests/s'),
  rate_int: of('always', 'requests/s, for a client of whole rates only: other rates are refused'),
  interval_ms: of('always', 'mean time between requests, ms'),
  interval_us: of('always', 'mean time between requests, µs'),
  requests: of('always', 'number of requests'),
  duration: of('always', 'seconds of load: requests / rate'),
  duration_s: of('always', 'the same, with its unit in its name'),
  duration_ms: of('always', 'milliseconds of load'),
  duration_int: of('always', 'seconds of load, rounded up to whole ones'),
  concurrency: of(
    'always',
    'connections or users enough for the rate: 1.5 × rate × about the time a request takes, and 20',
  ),
  workers: of('always', '`--workers`; 1 where it is auto'),
  cores: of('always', 'cores that the client may use'),
  seed: of('always', "the trial's seed, a whole number below 2³²"),
  output_tokens: of('always', 'tokens to ask for in each answer'),
  prompt_tokens: of('always', 'words of each prompt'),
  prompt: of('always', 'a prompt of that many words; in a line: the one of that request'),
  body: of('always', 'a streaming chat completion with that prompt, as JSON'),
  dir: of('always', "the trial's folder for this client's files, also its working directory"),
  result: of('always', 'path of the file that `result.from` names'),
  arrivals: of('always', 'the words that `arrivals` has for the process asked; a word of its own'),
  index: of('line', 'number of the request, from 0'),
  request_id: of('line', 'an id for the request, for its x-request-id header'),
  cv2: of('gamma', 'squared coefficient of variation of the gaps'),
  burstiness: of('gamma', '1 / cv2'),
  trace: of('trace', 'path of the trace file'),
  ca_file: of('tls', "the authority that signed an https target's certificate, PEM"),
} as const satisfies Readonly<Record<string, Placeholder>>;

export type PlaceholderName = keyof typeof PLACEHOLDERS;

/** How a value may be written: `{rate:2}` two decimals, `{prompt:json}` a JSON string with its quotes, … */
export const FORMATS = {
  json: 'as a JSON string, quotes included',
  base64: 'in base64',
  url: 'percent-encoded',
} as const;

/** Names known in all of the given scopes. */
export const namesIn = (...scopes: readonly Scope[]): PlaceholderName[] =>
  (Object.keys(PLACEHOLDERS) as PlaceholderName[]).filter((name) =>
    scopes.includes(PLACEHOLDERS[name].scope),
  );

/** In values of `env` only: a variable of the user's own environment. */
export const FROM_USER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
