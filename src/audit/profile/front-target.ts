/** The reference target of a profile: waiting in the kernel, and behind a front where the layer has one. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrontProtocol, FrontRecord } from '../../../simulators/front/record.ts';
import { entry } from '../../system/package-root.ts';
import type { RunningTarget, TargetOptions, TargetSource } from '../target.ts';
import { startTargetProcess } from '../target-process.ts';
import { referenceWith } from '../target-reference.ts';

/** Folder of the front's files within a trial's. */
const FRONT = 'front';
/** A front shares the target's core, which a spinning target would keep from it; and a spinning neighbour slows a client on the same physical core. */
const FLAGS = ['--pacing', 'block', '--warm-up', '400'];

/** What the front of a run says was negotiated; null where it left nothing. */
export const readFront = async (dir: string): Promise<FrontRecord | null> =>
  readFile(join(dir, FRONT, 'front.json'), 'utf8').then(
    (text) => JSON.parse(text) as FrontRecord,
    () => null,
  );

async function startBehind(protocol: FrontProtocol, options: TargetOptions): Promise<RunningTarget> {
  const target = await referenceWith(FLAGS).start(options);
  const dir = join(options.dir, FRONT);
  try {
    await mkdir(dir, { recursive: true });
    const argv = [
      process.execPath,
      entry('src/cli/main.js'),
      'front',
      ...[
        '--upstream',
        target.url,
        '--protocol',
        protocol,
        '--dir',
        dir,
        '--parent-pid',
        String(process.pid),
      ],
    ];
    const front = await startTargetProcess('the front', argv, join(dir, 'front.json'), { ...options, dir });
    return {
      url: front.url,
      ledgerFile: target.ledgerFile,
      caFile: join(dir, 'ca.pem'),
      async stop() {
        const ofFront = await front.stop();
        const ofTarget = await target.stop();
        const failure = ofTarget.failure ?? (ofFront.failure === null ? null : `the front left no record`);
        return { ...ofTarget, failure };
      },
    };
  } catch (error) {
    await target.stop();
    throw error;
  }
}

/** The target of a layer. */
export const profileTarget = (front: FrontProtocol | null): TargetSource =>
  front === null ? referenceWith(FLAGS) : { start: (options) => startBehind(front, options) };
