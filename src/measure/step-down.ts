/** Several changes looked for at once, by Holm's step-down. Pure. */

/**
 * For each of several figures, among how many comparisons its interval is drawn (1 − 0.05 / comparisons) when it is judged: the surest change is judged
 * as one of all, the next as one of those that are left, and so on until one is none; that one and all after it are no changes, and have the
 * interval of one of all. A change is so found falsely among all of them in at most 5 %, as with Bonferroni's, and more are found.
 *
 * A figure that changed at its own place stays a change among as many comparisons; one that did not has none at any smaller place that it was given.
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6, 1979.
 * @param changes of each figure, whether it is a change among so many comparisons; once it is not, it is not among more either
 */
export function stepDown(changes: readonly ((comparisons: number) => boolean)[]): readonly number[] {
  const all = changes.length;
  const most = changes.map((isChange) => mostComparisons(isChange, all));
  const order = most.map((_, i) => i).sort((p, q) => most[q]! - most[p]!);
  const places = changes.map(() => all);
  for (const [place, i] of order.entries()) {
    if (most[i]! < all - place) break;
    places[i] = all - place;
  }
  return places;
}

/** The most comparisons, up to `all`, among which it is a change; 0: not even alone. */
function mostComparisons(isChange: (comparisons: number) => boolean, all: number): number {
  let [yes, no] = [0, all + 1];
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (isChange(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}
