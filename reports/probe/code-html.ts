/** Words of probes, in which backticks stand around code. */
import { type Html, html } from '../html.ts';
import { oneLine } from '../text.ts';

/** One line; what is between two backticks is code, a backtick without another stays. */
export const withCode = (text: string): Html =>
  html`${oneLine(text)
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`))}`;

/** For where there is no markup: without the backticks around code. */
export const withoutTicks = (text: string): string => text.replace(/`([^`]+)`/g, '$1');
