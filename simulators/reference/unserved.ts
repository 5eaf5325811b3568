/** Requests for what the target does not serve: a client that was given a wrong path shows here, and nowhere in the ledger's rows. */
import type { Unserved } from '../../src/measure/ledger.ts';

/** So many different ones are told apart; a client that puts an id into each path must not fill the memory. */
const MOST_KINDS = 8;
const MOST_CHARACTERS = 120;
const OTHERS = 'other paths';

export class UnservedRequests {
  readonly #counts = new Map<string, number>();

  /** `path` without its query, which may hold a key. */
  note(method: string, path: string): void {
    const asked = `${method} ${path.length > MOST_CHARACTERS ? `${path.slice(0, MOST_CHARACTERS)}…` : path}`;
    const kind = this.#counts.has(asked) || this.#counts.size < MOST_KINDS ? asked : OTHERS;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  clear(): void {
    this.#counts.clear();
  }

  /** The most asked first; those asked equally often in the order of their first. */
  list(): Unserved[] {
    return [...this.#counts]
      .map(([asked, requests]) => ({ asked, requests }))
      .sort((a, b) => b.requests - a.requests);
  }
}
