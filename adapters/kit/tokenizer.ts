/**
 * The offline tokenizer: a Hugging Face tokenizer directory that needs no network, in which one word between white space is one
 * token (WordLevel, WhitespaceSplit, no post-processor, so no token is added). Words that it does not know are one `<unk>` each,
 * so counts hold for any text; decoding and encoding again also gives the same count, which clients rely on.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promptVocabulary } from './prompts.ts';

const SPECIAL = ['<unk>', '<s>', '</s>'];
/** The target's output words come first after the special ones. */
const OUTPUT_WORDS = ['tok'];

function tokenizerJson(words: readonly string[]) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: '<unk>',
    },
  };
}

const tokenizerConfig = {
  tokenizer_class: 'PreTrainedTokenizerFast',
  unk_token: '<unk>',
  bos_token: '<s>',
  eos_token: '</s>',
  model_max_length: 1_048_576,
  clean_up_tokenization_spaces: false,
  chat_template: "{% for m in messages %}{{ m['content'] }} {% endfor %}",
};

/** vLLM's own command looks for a model's configuration beside the tokenizer. */
const modelConfig = { model_type: 'llama', architectures: ['LlamaForCausalLM'] };

/** Writes the directory (made if absent) and returns its path. `extraWords` join the vocabulary. */
export async function writeTokenizer(folder: string, extraWords: readonly string[] = []): Promise<string> {
  await mkdir(folder, { recursive: true });
  const words = [...new Set([...SPECIAL, ...OUTPUT_WORDS, ...promptVocabulary, ...extraWords])];
  const write = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await write('tokenizer.json', tokenizerJson(words));
  await write('tokenizer_config.json', tokenizerConfig);
  await write('config.json', modelConfig);
  return folder;
}

/** Keeps Hugging Face's libraries off the network; for clients that allow it. */
export const OFFLINE_ENV = { HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1', HF_HUB_DISABLE_TELEMETRY: '1' };
