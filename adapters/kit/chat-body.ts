/** The request that clients with a script or template of ours send. */

/**
 * A chat completion that streams and has exactly the workload's length; `usage`: its stream ends with the server's count of tokens. Without
 * `stream` the answer is whole, and usage always in it.
 */
export const chatBody = (
  model: string,
  prompt: string,
  outputTokens: number,
  usage = false,
  stream = true,
): string =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: prompt }],
    max_tokens: outputTokens,
    min_tokens: outputTokens,
    ignore_eos: true,
    stream,
    ...(usage && stream ? { stream_options: { include_usage: true } } : {}),
  });
