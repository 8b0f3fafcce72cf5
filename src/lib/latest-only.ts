/** Passes on the value of the read that was started last: an earlier one that ends later would show what is no longer so. */
export const latestOnly = <T>(show: (value: T) => void) => {
  let started = 0;
  return async (read: () => Promise<T>): Promise<void> => {
    const turn = ++started;
    const value = await read();
    if (turn === started) show(value);
  };
};
