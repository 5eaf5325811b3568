import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: 'OpenAI’s padding: obfuscation, service_tier, system_fingerprint',
  about:
    'OpenAI pads chunks with a random string `obfuscation` so that their size does not give the text away, and names its tier and build. Bytes and fields differ from chunk to chunk; tokens do not.',
  source: 'OpenAI’s API reference, stream_options.include_obfuscation: on by default',
  right: 'success; M’s figures',
  answer: (asked) =>
    withParts(asked, (i) => ({
      extra: {
        service_tier: 'default',
        system_fingerprint: 'fp_44709d6fcb',
        obfuscation: 'n3Kq8ZrT0vYx5LdW2sBh7'.slice(i % 20),
      },
    })),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
