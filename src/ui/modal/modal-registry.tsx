import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { protocol } from '#contract/protocol.ts';
import { dismissModal, ModalName, registeredModals, registerModal, watchModals } from '#src/ui/modal/open-modals.ts';

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
  useEffect(() => registerModal(name), [name]);
  const entry = useSyncExternalStore(watchModals, () => registeredModals().find((e) => e.name === name));
  const visible = entry?.visible ?? false;
  // Escape closes only the topmost one.
  const isTop = useSyncExternalStore(watchModals, () => !registeredModals().some((e) => e.visible && e.order > (entry?.order ?? 0)));
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
      onClose={() => dismissModal(name)}
      closeOnEscape={isTop}
      title={title}
      size={Math.min(width, protocol.modal.maxWidthPx)}
      zIndex={protocol.modal.layerStart + (entry?.order ?? 0)}
      closeOnClickOutside
      centered
      withinPortal
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      styles={{
        title: { fontWeight: 700, fontSize: '1.25rem' },
        // A dialog without a scrolling part keeps its height; on a low screen the backdrop scrolls.
        ...(scrollable
          ? // A scrollbar that takes up space has the dialog's colour.
            { content: { overflowY: 'auto', scrollbarColor: 'var(--app-line-strong) transparent' } }
          : { inner: { overflowY: 'auto', alignItems: 'safe center' }, content: { overflowY: 'visible', maxHeight: 'none' } }),
        body: { overflowX: 'hidden' },
      }}
    >
      {visible && <ModalName value={name}>{children(data)}</ModalName>}
    </Modal>
  );
};
