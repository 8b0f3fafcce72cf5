import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from '#src/screens/authoring/device-frame.module.css';

/** The widths of learners' screens, in pixels. */
export const devices = { phone: 360, tablet: 768, desktop: 1200 } as const;
export type Device = keyof typeof devices;

/** A frame as wide as the device, so that media queries apply as there. */
export const DeviceFrame = ({ device, children }: { device: Device; children: ReactNode }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const around = useRef<HTMLDivElement>(null);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [room, setRoom] = useState<number>(devices.phone);
  const width = devices[device];
  useEffect(() => {
    const inner = frame.current?.contentDocument;
    if (!inner) return;
    const follow = () => {
      const root = document.documentElement;
      for (const { name, value } of [...root.attributes]) inner.documentElement.setAttribute(name, value);
      inner.head.replaceChildren(
        ...[...document.head.querySelectorAll('style, link[rel="stylesheet"]')].map((style) => inner.importNode(style, true)),
      );
    };
    follow();
    inner.title = 'Preview';
    inner.body.className = classes.body ?? '';
    setBody(inner.body);
    // The colour scheme, and styles that are loaded later.
    const watch = new MutationObserver(follow);
    watch.observe(document.documentElement, { attributes: true });
    watch.observe(document.head, { childList: true });
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width));
    if (around.current) watch.observe(around.current);
    return () => watch.disconnect();
  }, []);
  const scale = Math.min(1, room / width);
  return (
    <div ref={around} className={classes.around} style={{ maxWidth: `calc(${width}px + 2 * var(--app-frame))` }}>
      <iframe
        ref={frame}
        title="What a learner sees"
        style={{ width, height: `${100 / scale}%`, transform: `scale(${scale})` }}
        className={classes.frame}
      />
      {body && createPortal(children, body)}
    </div>
  );
};
