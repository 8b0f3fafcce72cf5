import { createContext } from 'react';

/**
 * Dialogs by name (specification sections 2 and 4). A dialog is in the registry from its creation until it is destroyed;
 * dialogs opened later are above earlier ones.
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

/** Opens a registered dialog with its data. */
export const openModal = (name: string, data?: unknown) =>
  change(name, { visible: true, data, order: Math.max(0, ...entries.filter((e) => e.visible).map((e) => e.order)) + 1 });
export const closeModal = (name: string) => change(name, { visible: false });
export const registeredModals = () => entries;

/** The dialog that contains an element. */
export const ModalName = createContext<string | null>(null);
/** Unsaved changes in dialogs. */
const holds = new Map<string, () => void>();
/** Until the returned function is called, closing this dialog asks first. */
export const holdModal = (name: string, ask: () => void) => {
  holds.set(name, ask);
  return () => {
    if (holds.get(name) === ask) holds.delete(name);
  };
};
/** Closed by the person: with Escape, the backdrop or the close button. */
export const dismissModal = (name: string) => (holds.get(name) ?? (() => closeModal(name)))();

export const watchModals = subscribe;
/** Registers a dialog; the returned function removes it. */
export const registerModal = (name: string) => {
  set([...entries, { name, visible: false, data: undefined, order: 0 }]);
  return () => set(entries.filter((e) => e.name !== name));
};
