/** Lists for people. */

/** Width of a column of names: the longest and two spaces. */
export const columnWidth = (clients: readonly { readonly name: string }[]): number =>
  Math.max(0, ...clients.map(({ name }) => name.length)) + 2;
