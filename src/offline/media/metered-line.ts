/** Thrown if a download is paused because the connection has become metered. Downloaded data is kept. */
export class MeteredLine extends Error {}

type Connection = EventTarget & { saveData?: boolean; type?: string };
const connection = (): Connection | undefined => (globalThis.navigator as { connection?: Connection } | undefined)?.connection;

/** A metered connection, or one in data-saving mode. Large downloads then need the person's consent. */
export const isMetered = (): boolean => {
  const line = connection();
  return line?.saveData === true || line?.type === 'cellular';
};

/** Calls the listener whenever the connection becomes metered or unmetered. Returns a function that stops it. */
export const whenLineChanges = (listener: (metered: boolean) => void): (() => void) => {
  const line = connection();
  if (typeof line?.addEventListener !== 'function') return () => undefined;
  let before = isMetered();
  const changed = () => {
    const now = isMetered();
    if (now !== before) listener(now);
    before = now;
  };
  line.addEventListener('change', changed);
  return () => line.removeEventListener('change', changed);
};
