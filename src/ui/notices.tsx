import { useSyncExternalStore } from 'react';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import classes from '#src/ui/notices.module.css';
import { currentNotices, type Notice, removeNotice, watchNotices } from '#src/ui/notify.ts';

export type NoticeSign = Notice['type'] | 'close';

const NoSign = () => null;
/** Loaded after the text, which must not depend on the network. */
const Sign = loadedLater(() => import('#src/ui/notice-icon.tsx').then((m) => m.NoticeIcon).catch(() => NoSign));

/** The area for messages: announced by screen readers, and closed by the person or automatically. */
export const Notices = () => {
  const notices = useSyncExternalStore(watchNotices, currentNotices);
  return (
    <section className={classes.list} aria-label="Messages" aria-live="polite">
      {notices.map((n) => (
        <div key={n.id} className={classes.notice} data-type={n.type} role={n.type === 'error' ? 'alert' : undefined}>
          <Sign sign={n.type} meanwhile={<span className={classes.sign} />} />
          <span>{n.message}</span>
          <button type="button" className={classes.close} aria-label="Close message" onClick={() => removeNotice(n.id)}>
            <Sign sign="close" meanwhile="×" />
          </button>
        </div>
      ))}
    </section>
  );
};
