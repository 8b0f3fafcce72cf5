import { observable } from '#src/lib/observable.ts';

/** Short messages: added with an increasing id, removed by id (specification section 3). */
export type Notice = { id: number; type: 'info' | 'success' | 'error'; message: string };
const notices = observable<readonly Notice[]>([]);
let last = 0;

export const removeNotice = (id: number) => notices.set(notices.get().filter((n) => n.id !== id));
/** Shows a message; an identical one replaces it. Errors stay until closed, others disappear after a while. */
export const notify = (type: Notice['type'], message: string): number => {
  const id = ++last;
  const others = notices.get().filter((n) => n.type !== type || n.message !== message);
  notices.set([...others, { id, type, message }]);
  if (type !== 'error') setTimeout(() => removeNotice(id), 6000);
  return id;
};
export const watchNotices = notices.subscribe;
export const currentNotices = notices.get;
