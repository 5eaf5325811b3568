import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Launcher, LaunchResult, LaunchSpec } from '../../src/system/launcher.ts';
import {
  captureCommand,
  captureProblem,
  parseCounts,
  startCapture,
} from '../../src/system/packet-capture.ts';

const ENDED: LaunchResult = {
  end: 'interrupted',
  exitCode: 0,
  signal: null,
  failure: null,
  startedNs: 0,
  endedNs: 0,
  leftovers: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: false,
  argv: [],
};

/** A tcpdump that says `first` at once, and ends with `ended`: by itself, or when it is stopped. */
function fakeLauncher(first: string, last: string, ended: LaunchResult, byItself: boolean) {
  const launched: LaunchSpec[] = [];
  const launcher: Launcher = {
    launch(spec) {
      launched.push(spec);
      writeFileSync(spec.stderrFile, first);
      let end = () => {};
      const done = new Promise<LaunchResult>((resolve) => {
        end = () => {
          writeFileSync(spec.stderrFile, first + last);
          resolve(ended);
        };
      });
      if (byItself) end();
      return { pid: null, done, stop: () => end() };
    },
  };
  return { launcher, launched };
}

const start = (launcher: Launcher) => {
  const dir = mkdtempSync(join(tmpdir(), 'tare-capture-'));
  const stderrFile = join(dir, 'stderr.txt');
  return startCapture(
    { launcher, port: 8150, file: join(dir, 'wire.pcap'), stderrFile, deadlineMs: 1000 },
    0,
  );
};

// As tcpdump 4.99.3 prints them.
const LISTENS = 'tcpdump: listening on lo, link-type EN10MB (Ethernet), snapshot length 1024 bytes\n';
const COUNTS = '88421 packets captured\n176842 packets received by filter\n3 packets dropped by kernel\n';
const DENIED =
  "tcpdump: lo: You don't have permission to perform this capture on that device\n(socket: Operation not permitted)\n";

describe('a capture', () => {
  it('is under way once tcpdump listens, and says at its end what was dropped', async () => {
    const { launcher, launched } = fakeLauncher(LISTENS, COUNTS, ENDED, false);
    const capture = await start(launcher);
    expect(await capture.stop()).toEqual({ captured: 88421, dropped: 3 });
    expect(launched[0]!.argv).toContain('tcp port 8150');
    expect(readFileSync(launched[0]!.stderrFile, 'utf8')).toBe(LISTENS + COUNTS);
  });

  it('that may not be made says what to do', async () => {
    const { launcher } = fakeLauncher(DENIED, '', { ...ENDED, end: 'exited', exitCode: 1 }, true);
    await expect(start(launcher)).rejects.toThrow(
      /Operation not permitted.*setcap cap_net_raw,cap_net_admin=eip/,
    );
  });

  it('without tcpdump says what to install', async () => {
    const failure = 'there is no program "tcpdump" on the PATH (ENOENT)';
    const { launcher } = fakeLauncher('', '', { ...ENDED, end: 'notStarted', failure }, true);
    await expect(start(launcher)).rejects.toThrow(/apt-get install tcpdump/);
  });

  it('that fails otherwise passes on the reason', () => {
    expect(captureProblem(null, 'tcpdump: lo: No such device exists\n')).toMatch(/No such device exists/);
  });
});

it('keeps root where Debian would give it up before it opens the file', () => {
  expect(captureCommand(1, 'a.pcap', true).join(' ')).toContain('-Z root');
  expect(captureCommand(1, 'a.pcap', false)).not.toContain('-Z');
});

it('has no counts where tcpdump gave none', () => {
  expect(parseCounts('tcpdump: pcap_loop: The interface disappeared\n')).toEqual({
    captured: null,
    dropped: null,
  });
  expect(
    parseCounts('1 packet captured\n2 packets received by filter\n0 packets dropped by kernel\n'),
  ).toEqual({
    captured: 1,
    dropped: 0,
  });
});
