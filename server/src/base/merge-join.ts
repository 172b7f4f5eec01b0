/** The elements of two sequences with the same key. At least one of them is defined. */
interface Step<Left, Right> {
  readonly key: string;
  readonly left: Left | undefined;
  readonly right: Right | undefined;
}

/**
 * Reads two sequences side by side and pairs the elements with the same key. Both must be sorted by key (by
 * code unit) with each key once. Only one element of each is in memory.
 *
 * If a sequence is not sorted, elements that belong together may be yielded separately, but none is lost.
 */
export async function* mergeJoin<
  Left extends { readonly key: string },
  Right extends { readonly key: string },
>(lefts: AsyncIterable<Left>, rights: AsyncIterable<Right>): AsyncGenerator<Step<Left, Right>> {
  const [leftSource, rightSource] = [lefts[Symbol.asyncIterator](), rights[Symbol.asyncIterator]()];
  try {
    let left = await next(leftSource);
    let right = await next(rightSource);
    while (left !== undefined || right !== undefined) {
      if (right === undefined || (left !== undefined && left.key < right.key)) {
        yield { key: left?.key ?? '', left, right: undefined };
        left = await next(leftSource);
      } else if (left === undefined || right.key < left.key) {
        yield { key: right.key, left: undefined, right };
        right = await next(rightSource);
      } else {
        yield { key: left.key, left, right };
        left = await next(leftSource);
        right = await next(rightSource);
      }
    }
  } finally {
    await leftSource.return?.();
    await rightSource.return?.();
  }
}

async function next<T>(source: AsyncIterator<T>): Promise<T | undefined> {
  const { done, value } = await source.next();
  return done === true ? undefined : value;
}
