import { appIsKept, chip, signIn, type Story } from '#tests/engines/story.ts';

/** Closing a private window clears everything: the list of what waits says so, before anybody relies on it. */
export const privateWindow: Story = {
  name: 'a private window says that it keeps nothing',
  tell: async (telling) => {
    const { screen, picture } = telling;
    await signIn(telling, 'learner@willowbrook.test');
    await appIsKept(telling);
    await screen.tap(chip);
    await screen.says({ role: 'dialog', name: 'Your work on this device' }, /This looks like a private window: closing it clears it\./);
    await picture('private-window');
  },
};
