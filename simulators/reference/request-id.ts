/** Finds the id that a client gives its request. */

/** Header names that carry one, by length, so that most headers are passed over without comparing. The first found counts. */
const BY_LENGTH: ReadonlyMap<number, readonly string[]> = new Map([
  [12, ['x-request-id']],
  [16, ['x-correlation-id']],
  [10, ['request-id']],
  [19, ['x-client-request-id']],
  [14, ['correlation-id']],
]);

/** The id, from Node's flat list of names and values (building the headers object would cost more than the whole ledger). */
export function requestIdOf(rawHeaders: readonly string[]): string | null {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const names = BY_LENGTH.get(name.length);
    if (names?.includes(name.toLowerCase())) return rawHeaders[i + 1]!;
  }
  return null;
}
