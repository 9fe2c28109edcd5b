// Binary search.

/** The number of places below `end` for which `isBefore` is true. It must be true for the first places, and false for all later places. */
export function countBefore(end, isBefore) {
  let low = 0, high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
