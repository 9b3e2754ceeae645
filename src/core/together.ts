/**
 * Waits for what was begun together. When one fails, the others are waited for all the same: the caller is going to undo
 * what they did (a transaction, files in the making), and none of them may go on after that.
 * @throws the first error in the order of the list
 */
export async function together<Values extends readonly unknown[]>(
  begun: readonly [...{ [At in keyof Values]: Promise<Values[At]> }],
): Promise<Values> {
  const settled = await Promise.allSettled(begun);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Values;
}
