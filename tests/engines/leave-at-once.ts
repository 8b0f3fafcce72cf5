import { chip, type Story, title, typeSignIn } from '#tests/engines/story.ts';

/** WebKit suspends a page that is left during its first writes, with its locks: the next page must not wait for it. */
export const leaveAtOnce: Story = {
  name: 'a page that is left in the middle of its first writes does not stop the next one',
  tell: async (telling) => {
    const { screen, server } = telling;
    await typeSignIn(telling, 'trainer@willowbrook.test');
    await screen.see(title(/^Good /));
    await screen.engine.goto(`${server.url}/care-certificate`);
    await screen.see(title('Care Certificate'));
    await screen.says(chip, /^All sent/);
  },
};
