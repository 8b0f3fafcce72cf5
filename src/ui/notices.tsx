import { useSyncExternalStore } from 'react';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import classes from '#src/ui/notices.module.css';
import { currentNotices, type Notice, removeNotice, watchNotices } from '#src/ui/notify.ts';

export type NoticeSign = Notice['type'] | 'close';

const NoSign = () => null;
/** After the words, which must be there whatever the line does. */
const Sign = loadedLater(() => import('#src/ui/notice-icon.tsx').then((m) => m.NoticeIcon).catch(() => NoSign));

/** Where messages appear: said by a screen reader, closed by hand or by themselves. */
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
