/** A download was paused because the line has become one that may cost money. What has come stays. */
export class MeteredLine extends Error {}

type Connection = EventTarget & { saveData?: boolean; type?: string };
const connection = (): Connection | undefined => (globalThis.navigator as { connection?: Connection } | undefined)?.connection;

/** A metered line, or one whose owner asked to save data: large files wait until somebody says that they may come. */
export const isMetered = (): boolean => {
  const line = connection();
  return line?.saveData === true || line?.type === 'cellular';
};

/** Calls whenever the line becomes metered, or stops being so. Answers what ends it. */
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
