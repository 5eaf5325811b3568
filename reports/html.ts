/** HTML written so that text from outside is always text: every value in a template is escaped unless it is HTML already. */

/** A piece of finished HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | null | undefined | false | Html | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in an element or between the quotes of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

/** Template tag. null, undefined and false give nothing; arrays are joined. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.map((part, i) => part + (i < values.length ? render(values[i]) : '')).join(''));

/** Finished HTML of our own making (an SVG of Vega's, the page's style); never text from a document. */
export const trusted = (text: string): Html => new Html(text);

/** A file inside the page, as a link's address. */
export const dataUri = (type: string, content: string | Uint8Array): string =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;
