/** A binary heap of items by the instant at which they are due. Equal instants come out in any order. */
export class DueHeap<T> {
  readonly #due: number[] = [];
  readonly #items: T[] = [];

  get size(): number {
    return this.#due.length;
  }

  /** The earliest instant; Infinity when empty. */
  get earliest(): number {
    return this.#due.length === 0 ? Number.POSITIVE_INFINITY : this.#due[0]!;
  }

  push(dueNs: number, item: T): void {
    const due = this.#due;
    const items = this.#items;
    let at = due.length;
    due.push(dueNs);
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (due[parent]! <= dueNs) break;
      due[at] = due[parent]!;
      items[at] = items[parent]!;
      at = parent;
    }
    due[at] = dueNs;
    items[at] = item;
  }

  /** The item that is due first, left in its place. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Removes the earliest item. */
  pop(): T | undefined {
    const first = this.#items[0];
    const due = this.#due.pop();
    const item = this.#items.pop();
    if (this.#due.length > 0) this.#sink(due!, item!);
    return first;
  }

  /** Gives the earliest item a new instant: a pop and a push in one. */
  replace(dueNs: number): void {
    this.#sink(dueNs, this.#items[0]!);
  }

  #sink(dueNs: number, item: T): void {
    const due = this.#due;
    const items = this.#items;
    const size = due.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && due[child + 1]! < due[child]!) child++;
      if (due[child]! >= dueNs) break;
      due[at] = due[child]!;
      items[at] = items[child]!;
      at = child;
    }
    due[at] = dueNs;
    items[at] = item;
  }
}
