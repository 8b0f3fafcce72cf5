import { IconAlert, IconCheck, IconClose, IconHelp } from '#src/ui/icons.tsx';
import type { NoticeSign } from '#src/ui/notices.tsx';

const icons = { info: IconHelp, success: IconCheck, error: IconAlert, close: IconClose };

/** The icon of a message. */
export const NoticeIcon = ({ sign }: { sign: NoticeSign }) => {
  const Icon = icons[sign];
  return <Icon size={sign === 'close' ? 20 : 22} />;
};
