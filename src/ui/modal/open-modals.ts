/**
 * Dialogs by name (specification section 2 and 4). A dialog is in the registry from its creation until it is torn down;
 * one that is opened later lies above those opened before.
 */
type Entry = { name: string; visible: boolean; data: unknown; order: number };
let entries: readonly Entry[] = [];
const listeners = new Set<() => void>();
const set = (next: readonly Entry[]) => {
  entries = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
const change = (name: string, patch: Partial<Entry>) => set(entries.map((e) => (e.name === name ? { ...e, ...patch } : e)));

/** Opens a dialog that is in the registry. Its data is what the dialog shows. */
export const openModal = (name: string, data?: unknown) =>
  change(name, { visible: true, data, order: Math.max(0, ...entries.filter((e) => e.visible).map((e) => e.order)) + 1 });
export const closeModal = (name: string) => change(name, { visible: false });
export const registeredModals = () => entries;

export const watchModals = subscribe;
/** A dialog enters the registry when it is created; the answer takes it out when it is torn down. */
export const registerModal = (name: string) => {
  set([...entries, { name, visible: false, data: undefined, order: 0 }]);
  return () => set(entries.filter((e) => e.name !== name));
};
