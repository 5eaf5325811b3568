import { type Command, InvalidArgumentError, Option } from 'commander';
import { ROLE_MODES, type RoleMode } from '../../simulators/reference/frames.ts';
import { DEFAULT_OPTIONS, PACING_CHOICES, type PacingChoice } from '../../simulators/reference/options.ts';
import { type ReferenceTarget, serveReference } from '../../simulators/reference/server.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { UserError } from '../system/user-error.ts';
import { collect, seconds, share } from './options.ts';
import { type ServeProbeFlags, serveProbes } from './serve-probe.ts';
import { checkHost, endOfService } from './serve-shared.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly expose?: true;
  readonly ledger?: string;
  readonly latency: string;
  readonly seed: number;
  readonly model: string;
  readonly tokens: number;
  readonly eos?: number;
  readonly maxModelLen: number;
  readonly pacing: PacingChoice;
  readonly role: RoleMode;
  readonly headers: 'first-token' | 'early';
  readonly tail?: number;
  readonly slots?: number;
  readonly queueLimit?: number;
  readonly refuse: number;
  readonly break: number;
  readonly maxBody: number;
  readonly capacityRequests: number;
  readonly capacityTokens: number;
  readonly warmUp: number;
  readonly parentPid?: number;
  readonly probe?: readonly string[];
  readonly plainFirst: number;
}

/** A flag's whole number between two bounds. */
const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`a whole number from ${least} to ${most} is needed.`);
    return value;
  };

/** Registers `tare serve`. */
export function registerServe(program: Command): void {
  const { model, capacity } = DEFAULT_OPTIONS;
  program
    .command('serve')
    .description('the reference target alone: an OpenAI-compatible server whose every delay is known')
    .option('--port <n>', 'port to listen on; 0 takes a free one', whole(0, 65_535), DEFAULT_OPTIONS.port)
    .option('--host <address>', 'address to listen on', DEFAULT_OPTIONS.host)
    .option('--expose', 'allow an address that other machines can reach')
    .option('--ledger <file>', 'write what really happened to this Arrow file at the end')
    .option(
      '--latency <model>',
      'zero, or ttft=50ms,itl=10ms,prefill=20us; a delay may also be lognormal:MEAN:CV, bimodal:USUAL:RARE:SHARE or empirical:FILE[#COLUMN]',
      DEFAULT_OPTIONS.latency,
    )
    .option('--seed <n>', 'seed of the delays that are drawn', whole(0, 2 ** 53 - 1), DEFAULT_OPTIONS.seed)
    .option('--model <name>', 'name of the one model that is served', model.name)
    .option('--tokens <n>', 'output tokens where a request does not say', whole(1, 1e6), model.defaultTokens)
    .option('--eos <n>', 'the model ends after n tokens, unless ignore_eos or min_tokens', whole(1, 1e6))
    .option('--max-model-len <n>', 'context length in tokens', whole(2, 1e9), model.maxModelLen)
    .addOption(
      new Option('--pacing <how>', 'how a token’s instant is waited for')
        .choices(PACING_CHOICES)
        .default(DEFAULT_OPTIONS.pacing),
    )
    .addOption(
      new Option('--role <where>', 'where a streamed chat’s role goes').choices(ROLE_MODES).default('merged'),
    )
    .addOption(
      new Option('--headers <when>', 'when the response head leaves')
        .choices(['first-token', 'early'])
        .default('first-token'),
    )
    .option(
      '--tail <time>',
      'usage, [DONE] and the end come this long after the last token, e.g. 20ms',
      seconds,
    )
    .option(
      '--slots <n>',
      'requests in service at once; the others wait, first come, first served: capacity = n / mean service time',
      whole(1, 1e6),
    )
    .option(
      '--queue-limit <n>',
      'with --slots: more than n waiting requests are refused with 429',
      whole(0, 1e7),
    )
    .option('--refuse <share>', 'share of the requests that get a 503 at once, e.g. 5%', share, 0)
    .option(
      '--break <share>',
      'share of the answers that break off with an error after half of their tokens',
      share,
      0,
    )
    .option('--max-body <bytes>', 'largest request body', whole(1, 2 ** 30), DEFAULT_OPTIONS.maxBodyBytes)
    .option('--capacity-requests <n>', 'rows of the ledger', whole(1, 2e7), capacity.requests)
    .option('--capacity-tokens <n>', 'token stamps of the ledger', whole(0, 2 ** 28), capacity.tokens)
    .option('--warm-up <ms>', 'longest time to warm up before it is ready', whole(0, 60_000), 1000)
    .option('--parent-pid <pid>', 'end when this process does', whole(1, 2 ** 31))
    .option('--probe <ids>', 'play these probes instead, a request each in turn; see docs/target.md', collect)
    .option('--plain-first <n>', 'with --probe: the first n requests are warm-up', whole(0, 1e9), 0)
    .action((flags: ServeFlags, command: Command) =>
      flags.probe === undefined ? serve(flags) : serveProbes(flags as ServeProbeFlags, command),
    );
}

function start(flags: ServeFlags): Promise<ReferenceTarget> {
  return serveReference({
    host: flags.host,
    port: flags.port,
    model: {
      name: flags.model,
      defaultTokens: flags.tokens,
      maxModelLen: flags.maxModelLen,
      eos: flags.eos ?? null,
    },
    latency: flags.latency,
    seed: flags.seed,
    pacing: flags.pacing,
    role: flags.role,
    earlyHeaders: flags.headers === 'early',
    tailNs: Math.round((flags.tail ?? 0) * NANOS_PER_S),
    slots: flags.slots === undefined ? null : { slots: flags.slots, queueLimit: flags.queueLimit ?? null },
    refuseShare: flags.refuse,
    breakShare: flags.break,
    maxBodyBytes: flags.maxBody,
    capacity: { requests: flags.capacityRequests, tokens: flags.capacityTokens },
    ledgerFile: flags.ledger ?? null,
    warmUpMs: flags.warmUp,
  });
}

/** Serves until SIGTERM, SIGINT or the parent's end. */
async function serve(flags: ServeFlags): Promise<void> {
  checkHost(flags);
  if (flags.plainFirst > 0)
    throw new UserError('--plain-first has a meaning with --probe only; add it, or leave this out');
  if (flags.queueLimit !== undefined && flags.slots === undefined)
    throw new UserError(
      '--queue-limit has a meaning with --slots only: without slots nothing waits; add it, or leave this out',
    );
  const ended = endOfService(flags.parentPid);
  const target = await start(flags);
  const ready = { ready: true, url: target.url, port: target.port, pid: process.pid, model: flags.model };
  process.stdout.write(
    `${JSON.stringify({ ...ready, latency: flags.latency, slots: flags.slots ?? null, queue_limit: flags.queueLimit ?? null, pacing: target.pacing })}\n`,
  );
  await ended;
  const { rows, meta } = await target.stop();
  const { lostRows, lostTokens } = meta;
  if (flags.ledger !== undefined) process.stderr.write(`ledger of ${rows} requests: ${flags.ledger}\n`);
  if (lostRows > 0 || lostTokens > 0)
    process.stderr.write(
      `the ledger was full: ${lostRows} requests and ${lostTokens} token stamps are missing from it; see --capacity-requests, --capacity-tokens\n`,
    );
}
