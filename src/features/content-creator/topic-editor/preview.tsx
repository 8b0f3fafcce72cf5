import { memo, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Block } from '#contract/entities/content.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import look from '#src/screens/block-view.module.css';
import { BlockView } from '#src/screens/block-view.tsx';

/** How wide the screens are that learners have, in pixels. */
export const devices = { phone: 360, tablet: 768, desktop: 1200 } as const;
export type Device = keyof typeof devices;

const One = memo(({ block }: { block: Block }) =>
  block.kind === 'h5p' ? (
    <figure className={classes.activity}>
      <strong>{block.title}</strong>
      <p>The activity is played here.</p>
    </figure>
  ) : (
    <BlockView block={block} />
  ),
);

/** A page of its own in the page, as wide as the device: what depends on the width of a screen is seen as there. */
export const Preview = ({ device, title, blocks }: { device: Device; title: string; blocks: readonly Block[] }) => {
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
    inner.body.className = classes.previewBody ?? '';
    setBody(inner.body);
    // The colour scheme, and styles of parts that are loaded later.
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
    <div ref={around} className={classes.preview}>
      <iframe
        ref={frame}
        title="What a learner sees"
        style={{ width, height: `${100 / scale}%`, transform: `scale(${scale})` }}
        className={classes.previewFrame}
      />
      {body &&
        createPortal(
          <div className={`${look.topic} ${classes.previewTopic}`}>
            <h1>{title || 'Topic'}</h1>
            {blocks.map((block, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: shown anew whenever the topic changes
              <One key={i} block={block} />
            ))}
          </div>,
          body,
        )}
    </div>
  );
};
