import { chip, type Story, title, typeSignIn } from '#tests/engines/story.ts';

/** A page that is left in the middle of its first writes is put aside with its locks in WebKit: the next one must not wait for it. */
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
