/**
 * Prompts of a known length: words of a fixed vocabulary, one word one token, drawn from the trial's seed. The offline
 * tokenizer holds the same words, so that a client which tokenizes for itself counts what the target counts.
 */
import { uniform } from '../../src/measure/random.ts';

const WORDS = 2000;

/** Every word that a prompt can hold. */
export const promptVocabulary: readonly string[] = Array.from({ length: WORDS }, (_, i) => `w${i}`);

/** Stream of the seed that prompts are drawn from. */
const STREAM = 0x70726f6d;

/** Prompt number `index`: exactly `tokens` words, separated by single spaces. */
export function prompt(seed: number, index: number, tokens: number): string {
  const u = uniform(seed, STREAM, index);
  return Array.from({ length: tokens }, () => promptVocabulary[Math.floor(u() * WORDS)]).join(' ');
}

/** The first `count` prompts. More than `most` distinct ones are not made: clients go round. */
export function prompts(seed: number, count: number, tokens: number, most = 1000): string[] {
  return Array.from({ length: Math.max(1, Math.min(count, most)) }, (_, i) => prompt(seed, i, tokens));
}
