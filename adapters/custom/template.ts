/** Text with `{name}` and `{name:format}` in it; `{{` and `}}` stand for braces. */
import { nearest } from '../kit/near-miss.ts';
import { FORMATS, namesIn, PLACEHOLDERS, type PlaceholderName, type Scope } from './placeholders.ts';

export type Values = Readonly<Partial<Record<PlaceholderName, string | number>>>;

interface Part {
  readonly text: string;
  readonly name?: string;
  readonly format?: string;
}

/** A fault of a template: in words, and the piece of text that it is about. */
export interface TemplateFault {
  readonly message: string;
  readonly piece: string;
}

const PIECE = /\{\{|\}\}|\{([^{}\n]*)\}|[{}]/g;

/** Cuts a template into text and placeholders. A brace on its own is a part whose name is ''. */
function parts(template: string): Part[] {
  const found: Part[] = [];
  let from = 0;
  for (const match of template.matchAll(PIECE)) {
    if (match.index > from) found.push({ text: template.slice(from, match.index) });
    from = match.index + match[0].length;
    if (match[0] === '{{' || match[0] === '}}') found.push({ text: match[0][0]! });
    else {
      const [name, format] = (match[1] ?? '').split(':', 2);
      found.push({ text: match[0], name: name!.trim(), ...(format === undefined ? {} : { format }) });
    }
  }
  if (from < template.length) found.push({ text: template.slice(from) });
  return found;
}

/** Names of the placeholders in a template. */
export const placeholdersIn = (template: string): string[] =>
  parts(template).flatMap((part) => (part.name === undefined ? [] : [part.name]));

const isFormat = (format: string): boolean => Object.hasOwn(FORMATS, format) || /^\d$/.test(format);

/** What is wrong with a template where only placeholders of these scopes are known. */
export function templateFaults(template: string, scopes: readonly Scope[]): TemplateFault[] {
  const known = namesIn(...scopes);
  const faults: TemplateFault[] = [];
  let before = '';
  for (const { text, name, format } of parts(template)) {
    const ofUser = before.endsWith('$');
    before = text;
    if (name === undefined) continue;
    const fault = (message: string) => faults.push({ message, piece: text });
    if (ofUser) {
      fault(
        `$${text}: the user's environment can be taken in values of \`env\` only, so that it reaches no file`,
      );
      continue;
    }
    if (name === '' || /[^a-z0-9_]/i.test(name))
      fault(`${text} is no placeholder; for a brace in the text write {{ or }}`);
    else if (!(known as string[]).includes(name)) {
      if (Object.hasOwn(PLACEHOLDERS, name)) {
        fault(`{${name}} is not known here; known are: ${known.join(', ')}`);
      } else {
        const near = nearest(name, known);
        fault(
          near === null
            ? `{${name}} is no placeholder; known are: ${known.join(', ')}`
            : `{${name}} is no placeholder; did you mean {${near}}?`,
        );
      }
    } else if (format !== undefined && !isFormat(format))
      fault(
        `${text}: there is no format "${format}"; there are ${Object.keys(FORMATS).join(', ')} and a digit (decimals)`,
      );
  }
  return faults;
}

/** A number as short as it can be, never with an exponent. */
const plain = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(9).replace(/\.?0+$/, '') : text;
};

function formatted(value: string | number, format: string | undefined): string {
  const text = typeof value === 'number' ? plain(value) : value;
  if (format === undefined) return text;
  if (format === 'json') return JSON.stringify(text);
  if (format === 'base64') return Buffer.from(text).toString('base64');
  if (format === 'url') return encodeURIComponent(text);
  return Number(value).toFixed(Number(format));
}

/** Fills a template in. A placeholder without a value is a fault of the caller's: what is known was checked when the file was read. */
export function fill(template: string, values: Values): string {
  return parts(template)
    .map(({ text, name, format }) => {
      if (name === undefined) return text;
      const value = values[name as PlaceholderName];
      if (value === undefined) throw new Error(`{${name}} has no value here`);
      return formatted(value, format);
    })
    .join('');
}
