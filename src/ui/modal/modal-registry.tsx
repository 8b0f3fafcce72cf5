import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { protocol } from '#contract/protocol.ts';

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

type Props<T> = {
  name: string;
  title: string;
  width?: number;
  scrollable?: boolean;
  /** Fires with the stored data when the dialog becomes visible. */
  onBeforeOpen?: (data: T) => void;
  /** Fires when it is hidden. */
  onBeforeClose?: () => void;
  children: (data: T) => ReactNode;
};

export const RegisteredModal = <T,>({
  name,
  title,
  width = protocol.modal.widthPx,
  scrollable = false,
  onBeforeOpen,
  onBeforeClose,
  children,
}: Props<T>) => {
  useEffect(() => {
    set([...entries, { name, visible: false, data: undefined, order: 0 }]);
    return () => set(entries.filter((e) => e.name !== name));
  }, [name]);
  const entry = useSyncExternalStore(subscribe, () => entries.find((e) => e.name === name));
  const visible = entry?.visible ?? false;
  const data = entry?.data as T;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of visibility opens or closes
  useEffect(() => {
    if (!visible) return;
    onBeforeOpen?.(data);
    return () => onBeforeClose?.();
  }, [visible]);
  return (
    <Modal
      opened={visible}
      onClose={() => closeModal(name)}
      title={title}
      size={Math.min(width, protocol.modal.maxWidthPx)}
      zIndex={protocol.modal.layerStart + (entry?.order ?? 0)}
      closeOnClickOutside
      centered
      withinPortal
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      styles={{
        title: { fontWeight: 700, fontSize: '1.25rem' },
        ...(scrollable ? {} : { content: { overflowY: 'auto' } }),
        body: { overflowX: 'hidden' },
      }}
    >
      {visible && children(data)}
    </Modal>
  );
};
