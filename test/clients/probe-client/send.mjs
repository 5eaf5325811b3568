/** One request over node:http, and its record. */
import { Agent, request } from 'node:http';
import { Account } from './account.mjs';
import { eventReader } from './events.mjs';

const agent = new Agent({ keepAlive: true });
const forever = () => new Promise(() => setInterval(() => {}, 60_000));

/** A record of `{id, start, ok, error, ttft, e2e, itl, tokens}`; times in ms. Never rejects. */
export async function send(id, { url, model, tokens, has, now }) {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: `${id} Tell me a story.` }],
    max_tokens: tokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(has('stops-at-eos') ? {} : { ignore_eos: true }),
  });
  const start = now();
  const account = new Account(has, start, tokens);
  const headers = { 'content-type': 'application/json', 'x-request-id': id };
  let status = null;
  const outgoing = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers });
  const cut = await new Promise((resolve) => {
    outgoing.on('error', (error) => resolve(String(error)));
    outgoing.on('response', (response) => {
      account.head(now());
      status = response.statusCode;
      const refused = status >= 300;
      if (refused && has('crash-on-503')) process.exit(1);
      if (refused && !has('error-as-success')) {
        response.resume();
        response.on('error', () => {});
        response.on('close', () => resolve(`HTTP ${status}`));
        return;
      }
      const kept = [];
      const read = eventReader(has, (data) => account.event(data, now()));
      response.on('data', has('whole-body') ? (bytes) => kept.push(bytes) : read);
      response.on('error', (error) => resolve(String(error)));
      response.on('end', () => {
        for (const bytes of kept) read(bytes);
        resolve(null);
      });
    });
    outgoing.end(body);
  });
  const end = now();
  if (has('hang') && !account.done) await forever();
  const refused = status === null || status >= 300;
  const failure = refused && !has('error-as-success') ? (cut ?? 'no response') : account.failure(cut);
  if (failure !== null) return { id, start, ok: false, error: failure };
  return { id, start, ok: true, error: '', ...account.record(end), end };
}
