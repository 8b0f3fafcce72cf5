import { useSyncExternalStore } from 'react';
import { IconAlert, IconCheck, IconClose, IconHelp } from '#src/ui/icons.tsx';
import classes from '#src/ui/notices.module.css';
import { currentNotices, removeNotice, watchNotices } from '#src/ui/notify.ts';

const icons = { info: IconHelp, success: IconCheck, error: IconAlert };

/** Where messages appear: said by a screen reader, closed by hand or by themselves. */
export const Notices = () => {
  const notices = useSyncExternalStore(watchNotices, currentNotices);
  return (
    <section className={classes.list} aria-label="Messages" aria-live="polite">
      {notices.map((n) => {
        const Icon = icons[n.type];
        return (
          <div key={n.id} className={classes.notice} data-type={n.type} role={n.type === 'error' ? 'alert' : undefined}>
            <Icon size={22} />
            <span>{n.message}</span>
            <button type="button" className={classes.close} aria-label="Close message" onClick={() => removeNotice(n.id)}>
              <IconClose size={20} />
            </button>
          </div>
        );
      })}
    </section>
  );
};
