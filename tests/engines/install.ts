import { signIn, type Story } from '#tests/engines/story.ts';

/** Where the browser makes no offer to install the app, the menu says how it is done, or that it cannot be done here. */
export const installing: Story = {
  name: 'the menu says how the app is installed where the browser does not offer it',
  tell: async (telling) => {
    const { screen, picture } = telling;
    await signIn(telling, 'learner@willowbrook.test');
    await screen.tap({ role: 'button', name: /Amara Okafor/ });
    await screen.tap({ role: 'menuitem', name: 'Install on this device' });
    await screen.says({ role: 'dialog', name: 'Install on this device' }, /This browser cannot install Lantern/);
    await picture('install');
  },
};
