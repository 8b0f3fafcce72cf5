import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A component whose code is loaded on first use, with `meanwhile` shown until then. It appears as soon as it has loaded,
 * whereas React's `Suspense` keeps a fallback for at least 300 ms. A failed load goes to the error boundary and is retried
 * when the component is next shown. `ready` preloads it.
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
      let isUnmounted = false;
      if (!Loaded)
        ready().then(
          (loaded) => !isUnmounted && setLoaded(() => loaded),
          (error: unknown) => !isUnmounted && setFailure({ error }),
        );
      return () => {
        isUnmounted = true;
      };
    }, [Loaded]);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...(props as unknown as P)} /> : meanwhile;
  };
  return Object.assign(Later, { ready });
};
