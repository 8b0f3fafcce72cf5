import { useEffect, useState } from 'react';
import { correctedNow } from '#src/offline/clock.ts';

const everyMs = 20_000;
/** The current time, as an instant; re-renders periodically. */
export const useNow = (): string => {
  const [now, setNow] = useState(() => correctedNow().toISOString());
  useEffect(() => {
    const timer = setInterval(() => setNow(correctedNow().toISOString()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};
