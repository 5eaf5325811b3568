import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { M } from '../kit/profile.ts';
import { spelled } from '../kit/stream.ts';

/** The same JSON with blanks and tabs at every place where the grammar allows them. */
const spaced = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (part) => (part.length > 1 ? part : ` ${part}\t `));

export default {
  scope: 'request',
  title: 'blanks and tabs within the JSON',
  about:
    'Python’s json.dumps puts blanks behind colons and commas, others before them too. A reader that looks for `"content":"` by its bytes finds nothing; JSON’s grammar allows white space around every sign.',
  source: 'RFC 8259 §2: insignificant white space is allowed around the six structural characters',
  right: 'success; 50 tokens; M’s figures',
  answer: (asked) => spelled(asked, (json) => event(spaced(json))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
