import { useEffect, useRef, useSyncExternalStore } from 'react';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import classes from '#src/ui/notices.module.css';
import { currentNotices, type Notice, removeNotice, watchNotices } from '#src/ui/notify.ts';

export type NoticeSign = Notice['type'] | 'close';

const NoSign = () => null;
/** Loaded after the text, which must not depend on the network. */
const Sign = loadedLater(() => import('#src/ui/notice-icon.tsx').then((m) => m.NoticeIcon).catch(() => NoSign));

const isWithin = ({ clientX: x, clientY: y }: PointerEvent, element: Element): boolean => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
};

/**
 * The area for messages: announced by screen readers, and closed by the person or automatically. A message never keeps a person from what it
 * covers: a tap on one that is not an error reaches what is below it, and the message gives way.
 */
export const Notices = () => {
  const notices = useSyncExternalStore(watchNotices, currentNotices);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      for (const shown of list.current?.querySelectorAll<HTMLElement>('[data-passes]') ?? [])
        if (isWithin(event, shown) && !shown.contains(event.target as Node)) removeNotice(Number(shown.dataset.passes));
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  return (
    <section ref={list} className={classes.list} aria-label="Messages" aria-live="polite">
      {notices.map((n) => (
        <div
          key={n.id}
          className={classes.notice}
          data-type={n.type}
          data-passes={n.type === 'error' ? undefined : n.id}
          role={n.type === 'error' ? 'alert' : undefined}
        >
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
