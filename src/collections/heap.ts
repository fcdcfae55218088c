/** A binary heap of numbers in a list, smallest first: child 2k + 1 and 2k + 2 of k are no smaller than it. */

export function pushHeap(heap: number[], value: number): void {
  let k = heap.length;
  heap.push(value);
  while (k > 0) {
    const parent = (k - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[k] = heap[parent]!;
    k = parent;
  }
  heap[k] = value;
}

export function popHeap(heap: number[]): number | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let k = 0;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= last) break;
    heap[k] = heap[child]!;
    k = child;
  }
  heap[k] = last;
  return top;
}
