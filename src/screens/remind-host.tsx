import { loadedLater } from '#src/lib/loaded-later.tsx';
import { reminded } from '#src/screens/remind.ts';
import { useAskedDialog } from '#src/screens/use-asked-dialog.ts';

const RemindDialog = loadedLater(() => import('#src/screens/remind-dialog.tsx').then((m) => m.RemindDialog));

/** Renders the reminder to selected people. It is on every page, as `WhyHost` is. */
export const RemindHost = () => {
  const asked = useAskedDialog(reminded);
  if (!asked) return null;
  const { people, opened } = asked.shown;
  return <RemindDialog people={people} opened={opened} onClose={asked.close} onGone={asked.gone} />;
};
