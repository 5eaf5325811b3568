/** Environment variables that every third-party client gets (src/system keeps proxies off loopback). */

/** Keeps a key of the user's out of the requests, and trackers silent. */
export const CLIENT_ENV: Readonly<Record<string, string | null>> = {
  OPENAI_API_KEY: null,
  DO_NOT_TRACK: '1',
};
