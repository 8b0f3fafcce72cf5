import { loadedLater } from '#src/lib/loaded-later.tsx';
import { useAskedDialog } from '#src/screens/use-asked-dialog.ts';
import { question } from '#src/screens/why.ts';

const WhyDialog = loadedLater(() => import('#src/screens/why-dialog.tsx').then((m) => m.WhyDialog));

/** Renders the explanation of a status. It is on every page, so it does not import the component library: that is loaded with the dialog. */
export const WhyHost = () => {
  const asked = useAskedDialog(question);
  if (!asked) return null;
  const { why, from, opened } = asked.shown;
  return <WhyDialog why={why} from={from} opened={opened} onClose={asked.close} onGone={asked.gone} />;
};
