import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { versionIn } from '../../../simulators/llm-d-inference-sim/build-info.ts';
import { simCommand } from '../../../simulators/llm-d-inference-sim/command.ts';
import { findSim, helpFault } from '../../../simulators/llm-d-inference-sim/find.ts';
import { simLatency } from '../../../simulators/llm-d-inference-sim/latency.ts';

const help = readFileSync('test/fixtures/llm-d-inference-sim/help.txt', 'utf8');

describe('helpFault', () => {
  it('accepts the help of a release that has all that is needed', () => expect(helpFault(help)).toBeNull());
  it('refuses one whose delays are whole milliseconds, or that asks the network for its tokenizer', () => {
    expect(helpFault(help.replace('time-to-first-token duration', 'time-to-first-token int'))).toMatch(
      /too old: its help lacks --time-to-first-token/,
    );
    expect(helpFault(help.replace('--force-dummy-tokenizer', ''))).toMatch(/too old/);
  });
  it('refuses another program', () => expect(helpFault('usage: vllm …')).toMatch(/not that of/));
});

describe('versionIn', () => {
  const of = (lines: string) => versionIn(Buffer.from(`\0\x7fELF\0${lines}\n\0\xff`, 'latin1'));
  const mod = 'path\tgithub.com/llm-d/llm-d-inference-sim/cmd/x\nmod\tgithub.com/llm-d/llm-d-inference-sim\t';
  it('reads what the linker left', () => {
    expect(of(`${mod}v0.9.2\th1:abc=`)).toBe('v0.9.2');
    expect(of(`${mod}(devel)\t\nbuild\tvcs.revision=eec055a0123456789`)).toBe(
      'a development build of eec055a01234',
    );
    expect(of(`${mod}(devel)\t\ndep\tx\tv1`)).toBe('a development build');
  });
  it('knows nothing of another program', () =>
    expect(of('mod\tgithub.com/llm-d/llm-d-router\tv0.10.0')).toBeNull());
});

describe('simLatency', () => {
  it.each([
    ['zero', 0, 0],
    ['ttft=50ms,itl=10ms', 50e6, 10e6],
    ['ttft=0.5ms', 0.5e6, 0],
    ['itl=20us', 0, 20e3],
  ])('%s', (text, ttftNs, itlNs) => expect(simLatency(text)).toEqual({ ttftNs, itlNs }));

  it.each([
    ['ttft=lognormal:50ms:0.4', /cannot give ttft=lognormal.*constant delays only/],
    ['ttft=1ms,itl=bimodal:10ms:80ms:0.02', /cannot give itl=bimodal/],
    ['ttft=empirical:x.csv', /cannot give ttft=empirical/],
    ['ttft=50ms,prefill=20us', /cannot give prefill/],
    ['ttft=fast', /is not understood/],
  ])('refuses %s', (text, why) => expect(() => simLatency(text)).toThrow(why));
});

describe('simCommand', () => {
  const command = (change = {}) =>
    simCommand({
      program: '/bin/sim',
      port: 1234,
      model: 'm',
      latency: 'ttft=0.5ms,itl=20us',
      seed: 7,
      promptTokens: 32,
      outputTokens: 16,
      most: 4000,
      ...change,
    });
  const flag = (argv: string[], name: string) => argv[argv.indexOf(name) + 1];

  it('uses only flags that the program has', () => {
    const flags = command().filter((word) => word.startsWith('--'));
    for (const name of flags) expect(help).toMatch(new RegExp(`^\\s+${name}\\s`, 'm'));
  });
  it('lets no request wait, gives the delays in a unit of Go’s, and room for long requests', () => {
    const argv = command();
    expect(flag(argv, '--max-num-seqs')).toBe('4000');
    expect(flag(argv, '--max-waiting-queue-length')).toBe('4000');
    expect(flag(argv, '--time-to-first-token')).toBe('500000ns');
    expect(flag(argv, '--inter-token-latency')).toBe('20000ns');
    expect(flag(argv, '--max-model-len')).toBe('1024');
    expect(flag(command({ promptTokens: 2000, outputTokens: 500 }), '--max-model-len')).toBe('8500');
  });
});

describe('findSim', () => {
  it('says which way it looked', async () => {
    expect(await findSim({ PATH: '/nowhere' })).toEqual({ fault: 'llm-d-inference-sim is not on the PATH' });
    expect(await findSim({ PATH: '/nowhere', TARE_INFERENCE_SIM: '/no/such/sim' })).toEqual({
      fault: expect.stringMatching(/^TARE_INFERENCE_SIM names \/no\/such\/sim/),
    });
  });
  it('refuses a program that is another', async () =>
    expect(await findSim({ PATH: '/nowhere', TARE_INFERENCE_SIM: '/bin/true' })).toEqual({
      fault: expect.stringMatching(/not that of llm-d-inference-sim/),
    }));
});
