/** What prompts have in common, and so what a prefix cache can do with them, in words. */
import type { RequestOptions } from './options.ts';

type PromptOptions = Pick<RequestOptions, 'extraBody' | 'endpoint' | 'prefix'>;

/** Whether the prompt is ours: the user's own fields may bring another one. */
export const promptsAreOurs = ({
  extraBody,
  endpoint,
}: Pick<RequestOptions, 'extraBody' | 'endpoint'>): boolean =>
  !((endpoint === 'chat' ? 'messages' : 'prompt') in extraBody);

/** The state of a prefix cache, as the prompts make it. A cache that an earlier run with this seed has filled is another matter. */
export function cacheWords(options: PromptOptions): string {
  if (!promptsAreOurs(options))
    return 'every prompt is the same, the user’s own: a prefix cache answers for all of it';
  const { prefix } = options;
  if (prefix === null) return 'every prompt differs from its first word';
  const groups = prefix.groups === 1 ? 'one group' : `${prefix.groups} groups`;
  return `shared prefix of ${prefix.tokens} token${prefix.tokens === 1 ? '' : 's'} in ${groups}, then every prompt differs`;
}
