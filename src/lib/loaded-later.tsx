import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A component whose code is loaded when it is first shown, with `meanwhile` in its place until then, and shown as soon as
 * the code is there: under `Suspense` React holds back what comes after a fallback until that has stood for 300 ms. A load
 * that fails goes to the error boundary, and is tried again when the component is next shown. `ready` loads it ahead.
 */
export const loadedLater = <P extends object>(load: () => Promise<ComponentType<P>>) => {
  let known: ComponentType<P> | null = null;
  const ready = async () => {
    known ??= await load();
    return known;
  };
  const Later = ({ meanwhile = null, ...props }: P & { meanwhile?: ReactNode }) => {
    const [Loaded, setLoaded] = useState(() => known);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useEffect(() => {
      let gone = false;
      if (!Loaded)
        ready().then(
          (loaded) => !gone && setLoaded(() => loaded),
          (error: unknown) => !gone && setFailure({ error }),
        );
      return () => {
        gone = true;
      };
    }, [Loaded]);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...(props as unknown as P)} /> : meanwhile;
  };
  return Object.assign(Later, { ready });
};
