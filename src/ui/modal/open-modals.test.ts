import { describe, expect, it } from 'vitest';
import { closeModal, openModal, registeredModals, registerModal } from '#src/ui/modal/open-modals.ts';

const of = (name: string) => registeredModals().find((m) => m.name === name);

describe('the registry of dialogs', () => {
  it('knows a dialog from its creation until it is torn down', () => {
    const leave = registerModal('one');
    expect(of('one')).toMatchObject({ visible: false });
    leave();
    expect(of('one')).toBeUndefined();
  });
  it('puts what is opened later above, keeps its data, and opens only what there is', () => {
    const leave = [registerModal('a'), registerModal('b')];
    openModal('b', { id: 1 });
    openModal('a');
    expect(of('b')).toMatchObject({ visible: true, data: { id: 1 } });
    expect(of('a')?.order).toBeGreaterThan(of('b')?.order as number);
    closeModal('a');
    closeModal('b');
    openModal('a');
    expect(of('a')?.order).toBe(1);
    openModal('nobody');
    expect(registeredModals()).toHaveLength(2);
    for (const go of leave) go();
  });
});
