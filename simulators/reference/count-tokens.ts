/** The target's tokenizer: one word, as white space parts them, is one token. */

/** Words of a text. */
export function countWords(text: string): number {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const space = c === 32 || (c >= 9 && c <= 13) || (c > 127 && /\s/.test(text[i] as string));
    if (!space && !inside) words++;
    inside = !space;
  }
  return words;
}

/** Words of a text, in order. */
export const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/**
 * Tokens of a chat's messages: the words of their contents (strings, or text parts; other parts count for nothing).
 * Null where they are not messages.
 */
export function countMessages(messages: unknown): number | null {
  if (!Array.isArray(messages) || messages.length === 0) return null;
  let tokens = 0;
  for (const message of messages) {
    if (typeof message !== 'object' || message === null) return null;
    const content: unknown = (message as { content?: unknown }).content;
    if (typeof content === 'string') tokens += countWords(content);
    else if (Array.isArray(content)) tokens += countParts(content);
    else if (content !== null && content !== undefined) return null;
  }
  return tokens;
}

function countParts(parts: readonly unknown[]): number {
  let tokens = 0;
  for (const part of parts) {
    const text: unknown = typeof part === 'string' ? part : (part as { text?: unknown } | null)?.text;
    if (typeof text === 'string') tokens += countWords(text);
  }
  return tokens;
}

const isTokenIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id) && id >= 0);

/** Tokens of a completion's prompt: text, token ids, or a list of one of these. `many` for a longer list, null for neither. */
export function countPrompt(prompt: unknown): number | 'many' | null {
  if (typeof prompt === 'string') return countWords(prompt);
  if (isTokenIds(prompt)) return prompt.length;
  if (!Array.isArray(prompt) || prompt.length === 0) return null;
  const counts = prompt.map((one) => (typeof one === 'string' || isTokenIds(one) ? countPrompt(one) : null));
  if (counts.includes(null)) return null;
  return counts.length === 1 ? (counts[0] as number) : 'many';
}
