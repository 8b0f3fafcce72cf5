import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { designLimits } from '#contract/entities/design.ts';
import classes from '#src/features/content-designer/designer.module.css';
import type { Of } from '#src/features/content-designer/edited.ts';
import { newPart } from '#src/features/content-designer/edits.ts';
import type { Change } from '#src/features/content-designer/block-fields.tsx';
import { IconClose } from '#src/ui/icons.tsx';
import { atMost } from '#src/lib/at-most.ts';

type Spot = Of<'picture'>['spots'][number];
const within = (percent: number) => Math.min(100, Math.max(0, Math.round(percent)));
const steps: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How far a pointer must move for a drag instead of a click, in pixels. */
const slack = 4;

/** The spots of a picture: added by clicking, moved by dragging or with the arrow keys. */
export const SpotsField = ({ block, change, say }: { block: Of<'picture'>; change: Change<Of<'picture'>>; say: (words: string) => void }) => {
  const picture = useRef<HTMLDivElement>(null);
  const held = useRef<{ id: string; x: number; y: number; moved: boolean } | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { spots, media } = block;
  const full = spots.length >= designLimits.spots;
  const nameOf = (spot: Spot) => spot.title.trim() || `Spot ${spots.indexOf(spot) + 1}`;
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const box = picture.current?.getBoundingClientRect();
    return box ? { x: within(((clientX - box.left) / box.width) * 100), y: within(((clientY - box.top) / box.height) * 100) } : { x: 50, y: 50 };
  };
  const add = (place: { x: number; y: number }) => {
    if (full) return;
    const id = newPart();
    change((b) => ({ ...b, spots: [...b.spots, { id, ...place, title: '', text: '' }] }), 'Add a spot');
    setChosen(id);
    say(`A spot is added, ${place.x} percent from the left and ${place.y} percent from the top.`);
  };
  const put = (id: string, to: Partial<Spot>, name: string, typed?: string) =>
    change((b) => ({ ...b, spots: b.spots.map((s) => (s.id === id ? { ...s, ...to } : s)) }), name, typed);
  const remove = (spot: Spot) => {
    change((b) => ({ ...b, spots: b.spots.filter((s) => s.id !== spot.id) }), `Delete the spot “${nameOf(spot)}”`);
    say(`${nameOf(spot)} is deleted.`);
  };
  const key = (event: KeyboardEvent, spot: Spot) => {
    const step = steps[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const stepSize = event.shiftKey ? 10 : 1;
      const movedTo = { x: within(spot.x + step[0] * stepSize), y: within(spot.y + step[1] * stepSize) };
      put(spot.id, movedTo, 'Move a spot', `${block.id}.${spot.id}.place`);
      say(`${movedTo.x} percent from the left, ${movedTo.y} percent from the top.`);
    } else if (event.key === 'Delete') {
      event.preventDefault();
      remove(spot);
      picture.current?.querySelector<HTMLElement>('button')?.focus();
    }
  };
  const pointer = (spot: Spot) => ({
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { id: spot.id, x: event.clientX, y: event.clientY, moved: false };
      setChosen(spot.id);
    },
    onPointerMove: (event: PointerEvent<HTMLButtonElement>) => {
      const hold = held.current;
      if (hold?.id !== spot.id || (!hold.moved && Math.hypot(event.clientX - hold.x, event.clientY - hold.y) < slack)) return;
      hold.moved = true;
      put(spot.id, placeOf(event), 'Move a spot', `${block.id}.${spot.id}.place`);
    },
    onPointerUp: () => {
      held.current = null;
    },
  });
  return (
    <div className={`${layout.stack} ${shapes.bare}`}>
      {media && (
        <>
          <p className={layout.soft} id={`spots-${block.id}`}>
            Click on the picture to add a spot. Drag a spot, or move it with the arrow keys; Shift makes the steps larger.
          </p>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below adds one without a mouse */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
          <div
            ref={picture}
            className={classes.spots}
            onClick={(event) => {
              if (!(event.target as HTMLElement).closest('button')) add(placeOf(event));
            }}
          >
            <img src={media.url} alt={block.alt} draggable={false} />
            {spots.map((spot, i) => (
              <button
                key={spot.id}
                type="button"
                className={classes.spot}
                data-chosen={chosen === spot.id || undefined}
                style={{ left: `${spot.x}%`, top: `${spot.y}%` }}
                aria-label={`Spot ${i + 1}${spot.title.trim() ? ` “${spot.title.trim()}”` : ''}: ${spot.x} percent from the left, ${spot.y} percent from the top`}
                aria-describedby={`spots-${block.id}`}
                onKeyDown={(event) => key(event, spot)}
                {...pointer(spot)}
              >
                {i + 1}
              </button>
            ))}
          </div>
        </>
      )}
      {spots.map((spot, i) => (
        <fieldset key={spot.id} className={`${layout.stack} ${shapes.bare} ${classes.part}`} aria-label={`Spot ${i + 1}`}>
          <div className={`${layout.line} ${classes.partHead}`}>
            <strong>Spot {i + 1}</strong>
            <ActionIcon variant="subtle" aria-label={`Delete spot ${i + 1}`} onClick={() => remove(spot)}>
              <IconClose size={20} />
            </ActionIcon>
          </div>
          <TextInput
            label={`Title of spot ${i + 1}`}
            {...atMost(200, spot.title)}
            onChange={(e) => put(spot.id, { title: e.currentTarget.value }, 'Write a spot', `${block.id}.${spot.id}.title`)}
          />
          <Textarea
            label={`What spot ${i + 1} says`}
            autosize
            minRows={2}
            {...atMost(2000, spot.text)}
            onChange={(e) => put(spot.id, { text: e.currentTarget.value }, 'Write a spot', `${block.id}.${spot.id}.text`)}
          />
        </fieldset>
      ))}
      {media && (
        <Button variant="default" className={shapes.start} disabled={full} onClick={() => add({ x: 50, y: 50 })}>
          Add a spot in the middle
        </Button>
      )}
    </div>
  );
};
