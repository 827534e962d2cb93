// Work on many items, on a few at the same time.

/**
 * Calls work(item, index) for all items, `limit` of them at the same time. After an error no other item begins, and the
 * error is thrown once those that have begun are done.
 */
export async function inParallel(items, limit, work) {
  let next = 0;
  let isFailed = false;
  const one = async () => {
    while (next < items.length && !isFailed) {
      const index = next++;
      try {
        await work(items[index], index);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, one));
  const failed = results.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}
