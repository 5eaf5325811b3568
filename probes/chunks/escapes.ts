import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { M } from '../kit/profile.ts';
import { spelled } from '../kit/stream.ts';

/** What stands for the space and the word in JSON: all of them are one word. */
const SPELLINGS = [
  String.raw`\u0020tok`,
  String.raw` \u0074\u006f\u006b`,
  String.raw` \ud83d\ude42`,
  String.raw` \"tok\"`,
  String.raw` a\/b`,
  String.raw` a\\b`,
  String.raw` \u00e9\u0301`,
  String.raw` \u0022content\u0022:\u0022\u0022`,
];

export default {
  scope: 'request',
  title: 'text as JSON escapes',
  about:
    'Each token is spelled with escapes: \\u and surrogate pairs, quotes, slashes, and the letters of `"content":""` within the string. To JSON’s grammar they are plain strings that are not empty; who searches the text for quotes is misled.',
  source: 'RFC 8259 §7',
  right: 'success; 50 tokens; M’s figures',
  answer: (asked) =>
    spelled(asked, (json, i) => event(json.replace(' tok', SPELLINGS[i % SPELLINGS.length]!))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
