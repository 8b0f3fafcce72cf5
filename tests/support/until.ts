/** Asks again until it is so; throws, with what was seen last, where it does not come. */
export const until = async <T>(what: string, ask: () => Promise<T | null | false | undefined>, withinMs = 20_000): Promise<T> => {
  const late = Date.now() + withinMs;
  let last: unknown = null;
  for (;;) {
    try {
      const found = await ask();
      if (found) return found;
      last = found;
    } catch (error) {
      // A page that is being replaced answers nothing.
      last = error;
    }
    if (Date.now() > late) throw new Error(`${what}: did not come within ${withinMs / 1000} s${last instanceof Error ? ` (${last.message})` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
};
