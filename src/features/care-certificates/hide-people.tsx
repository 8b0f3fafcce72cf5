import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import classes from '#src/features/care-certificates/evidence.module.css';
import { drawHidden, hiddenPicture, type Spot, spotRadius } from '#src/lib/picture.ts';

const step = 0.04;
const arrows: Record<string, Spot> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};
const spotWidth = (picture: ImageBitmap) => (2 * spotRadius(picture)) / picture.width;
const within = (share: number) => Math.min(Math.max(share, 0), 1);

type Props = { picture: Blob; name: string; onDone: (picture: Blob) => Promise<void>; onCancel: () => void };
/** Pixelates faces and names in a picture: by tapping on them, or with the arrow keys and Enter. */
export const HidePeople = ({ picture, name, onDone, onCancel }: Props) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null);
  const [spots, setSpots] = useState<Spot[]>([]);
  const [cursor, setCursor] = useState<Spot>({ x: 0.5, y: 0.5 });
  const [keys, setKeys] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    void createImageBitmap(picture).then((b) => (isUnmounted ? b.close() : setBitmap(b)));
    return () => {
      isUnmounted = true;
    };
  }, [picture]);
  useEffect(() => {
    if (canvas.current && bitmap) drawHidden(canvas.current, bitmap, spots);
  }, [bitmap, spots]);
  const tap = (event: MouseEvent<HTMLCanvasElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    setSpots([...spots, { x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) }]);
  };
  const key = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (arrow) setCursor({ x: within(cursor.x + arrow.x), y: within(cursor.y + arrow.y) });
    else if (event.key === 'Enter' || event.key === ' ') setSpots([...spots, cursor]);
    else return;
    setKeys(true);
    event.preventDefault();
  };
  const done = async () => {
    if (!bitmap) return;
    setBusy(true);
    await onDone(await hiddenPicture(bitmap, spots));
  };
  return (
    <section className={`${layout.stack} ${classes.hide}`} aria-label={`Make people in ${name} unrecognisable`}>
      <p>Tap on every face, name or tattoo. With a keyboard: the arrow keys move the circle, Enter covers what is in it.</p>
      <div className={classes.stage}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an interactive picture with its own keys */}
        <div className={classes.keys} role="application" tabIndex={0} aria-label={`Picture ${name}`} onKeyDown={key}>
          <canvas ref={canvas} className={classes.canvas} onClick={tap} />
        </div>
        {keys && (
          <span
            className={classes.cursor}
            style={{ left: `${cursor.x * 100}%`, top: `${cursor.y * 100}%`, width: `${bitmap ? spotWidth(bitmap) * 100 : 0}%` }}
          />
        )}
      </div>
      <p role="status">
        {spots.length === 0 ? 'Nothing is covered yet.' : `${spots.length === 1 ? 'One place is' : `${spots.length} places are`} covered.`}
      </p>
      <div className={layout.tools}>
        <Button disabled={spots.length === 0} loading={busy} onClick={() => void done()}>
          Keep it like this
        </Button>
        <Button variant="default" disabled={spots.length === 0} onClick={() => setSpots(spots.slice(0, -1))}>
          Undo the last
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
};
