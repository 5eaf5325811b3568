/** What one answer's chunks come to: instants, tokens, success. Times in ms. */

/** Of a client that ends where its fault leads it: it does not look whether the stream was whole. */
const CARELESS = ['split-utf8', 'segments-as-events', 'lf-lf-only', 'needs-space', 'error-as-success'];

const wordsOf = (text) => text.split(/\s+/).filter((word) => word !== '').length || (text === '' ? 0 : 1);

/** The text of a choice, reasoning and the arguments of tools included, since they are output. */
function textOf(choice, answerOnly) {
  const { content, reasoning_content, reasoning, refusal, tool_calls } = choice.delta ?? {};
  if (answerOnly) return choice.text ?? content ?? '';
  const tools = (tool_calls ?? []).map((call) => call.function?.arguments ?? '');
  return [choice.text, content, reasoning_content ?? reasoning, refusal, ...tools]
    .filter((part) => typeof part === 'string')
    .join('');
}

/** Keeps the account of one request that was sent at `t0`. */
export class Account {
  #has;
  #t0;
  #requested;
  #headMs = null;
  /** Instants that count as output tokens for TTFT and gaps. */
  #tokenMs = [];
  #textChunks = 0;
  #words = 0;
  #usage = null;
  #usageMs = null;
  #finished = false;
  done = false;
  error = null;

  constructor(has, t0, requested) {
    this.#has = has;
    this.#t0 = t0;
    this.#requested = requested;
  }

  head(at) {
    this.#headMs = at - this.#t0;
  }

  /** The data of one event. */
  event(data, at) {
    const has = this.#has;
    if (this.done && !has('reads-past-done')) return;
    if (data.trim() === '') return;
    if (data.trim() === '[DONE]') {
      this.done = true;
      return;
    }
    let chunk;
    try {
      chunk = JSON.parse(data);
    } catch (error) {
      this.error ??= String(error);
      return;
    }
    this.#chunk(chunk ?? {}, at - this.#t0);
  }

  #chunk(chunk, ms) {
    const has = this.#has;
    if (chunk.error != null || chunk.object === 'error') this.error ??= JSON.stringify(chunk);
    const usage = chunk.usage?.completion_tokens ?? null;
    if (usage !== null) {
      this.#usage = has('usage-summed') ? (this.#usage ?? 0) + usage : usage;
      this.#usageMs = ms;
    }
    const choice = chunk.choices?.[0];
    if (choice === undefined) {
      if (has('usage-chunk-as-token') && usage !== null) this.#token(ms, 1);
      return;
    }
    const finish = choice.finish_reason ?? null;
    if (finish === 'error' || finish === 'abort') this.error ??= `finish_reason ${finish}`;
    if (finish !== null) this.#finished = true;
    const words = wordsOf(textOf(choice, has('answer-only')));
    if (words > 0) {
      this.#textChunks += 1;
      this.#words += words;
    }
    const counts =
      words > 0 || has('first-chunk-as-token') || (has('empty-as-token') && this.#tokenMs.length > 0);
    if (counts) this.#token(ms, has('recounted-with-start-token') ? words + 1 : 1);
  }

  #token(ms, times) {
    for (let i = 0; i < times; i++) this.#tokenMs.push(ms);
  }

  #tokens() {
    const has = this.#has;
    if (has('requested-as-tokens')) return this.#requested;
    if (has('chunks-as-tokens')) return this.#textChunks;
    if (has('usage-chunk-as-token') || has('recounted-with-start-token') || has('empty-as-token'))
      return this.#tokenMs.length;
    if (has('answer-only')) return this.#words;
    return this.#usage || this.#words;
  }

  /** The record of a success, at the end of the response. */
  record(endAt) {
    const has = this.#has;
    const at = this.#tokenMs;
    const endMs = endAt - this.#t0;
    const ttft = has('headers-as-token') ? this.#headMs : (at[0] ?? null);
    const last = at.at(-1) ?? endMs;
    const e2e = has('end-at-response') ? endMs : has('end-at-usage') ? (this.#usageMs ?? last) : last;
    const gaps = at.slice(1).map((ms, i) => ms - at[i]);
    return {
      ttft,
      e2e,
      itl: has('ttft-in-itl') && ttft !== null ? [ttft, ...gaps] : gaps,
      tokens: this.#tokens(),
    };
  }

  /** Why the request failed, at the end of its response; null: it did not. `cut`: the body ended too early. */
  failure(cut) {
    if (CARELESS.some((name) => this.#has(name))) return null;
    if (this.error !== null) return this.error;
    if (!this.done && cut !== null) return cut;
    if (this.#finished || (this.done && this.#tokenMs.length > 0)) return null;
    return 'the stream ended without finish_reason';
  }
}
