/** What a probe sends, as a table of writes. */
import type { ShownProbe, ShownWrite } from '../../src/audit/probe/document.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine } from '../text.ts';

/** How programmers write them: few fonts have pictures of control characters. */
const ESCAPES: Readonly<Record<string, string>> = {
  '␉': '\\t',
  '␊': '\\n',
  '␍': '\\r',
  '␀': '\\0',
  '␡': '\\x7F',
};
const escaped = (picture: string): string =>
  ESCAPES[picture] ?? `\\x${(picture.charCodeAt(0) - 0x2400).toString(16).padStart(2, '0').toUpperCase()}`;

/** Spelled control characters stand out from text by their colour, and lines of the stream are lines of the page. */
function marked(text: string): Html[] {
  return text.split(/([\u2400-\u2421]+|\\x[0-9A-F]{2}|\\u\{[0-9a-f]+\})/).map((part, i) => {
    if (i % 2 === 0) return html`${part}`;
    const shown = html`<i>${part.replace(/[\u2400-\u2421]/g, escaped)}</i>`;
    return part.endsWith('␊') ? html`${shown}\n` : shown;
  });
}

const writeRow = (write: ShownWrite): Html =>
  write.left_out === undefined
    ? html`<tr><td class="number">${grouped(write.at_ms)}<td class="number">${grouped(write.bytes)}<td><code>${marked(write.text)}</code>
`
    : html`<tr class="left"><td class="number">${grouped(write.at_ms)}<td class="number">${grouped(write.bytes)}<td>${write.text}
`;

/** Closed until asked for; nothing for a probe against the reference target. */
export function sentHtml({ sent, load }: ShownProbe): Html {
  const runs =
    load.length === 0
      ? html``
      : html`<p>Runs: ${load.map((line, i) => html`${i > 0 && html`; `}${oneLine(line)}`)}.</p>`;
  if (sent.length === 0) return runs;
  const several = sent.length > 1;
  return html`${runs}<details class="sent"><summary>What is sent, write by write</summary>
${sent.map(
  ({ place, writes, ending }) => html`<div class="scroll"><table>
<thead><tr><th scope="col" class="number">ms<th scope="col" class="number">bytes<th scope="col">${several ? `to request ${place + 1}` : 'what'}</thead>
<tbody>
${writes.map(writeRow)}<tr class="left"><td><td><td>Then ${ending}.
</tbody></table></div>
`,
)}<p class="quiet">${count(sent.length, 'answer')} to chat requests for 50 tokens with usage; ms since the request was read.${several && ' Requests that are not listed are answered like an earlier one.'}</p>
</details>`;
}
