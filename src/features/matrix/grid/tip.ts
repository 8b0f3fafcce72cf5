import { boxOf, type Geometry, type Place } from '#src/features/matrix/grid/geometry.ts';

/** Between a cell and its words, and between them and the edge of the grid. */
const gap = 6;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type Scroll = { left: number; top: number };
type Room = { width: number; height: number };
/** Where words of a size stand beside a cell, below it or else above it; null if less than half of the cell can be seen. */
export const tipAt = (g: Geometry, place: Place, scroll: Scroll, room: Room, size: Room): { x: number; y: number } | null => {
  const box = boxOf(g, place, scroll);
  const [middle, centre] = [box.x + box.width / 2, box.y + box.height / 2];
  // Frozen lines and columns cover the cells that are scrolled under them.
  if (middle > room.width || centre > room.height || (place.column >= 0 && middle < g.left) || (place.line >= 0 && centre < g.top)) return null;
  const below = box.y + box.height + gap;
  return {
    x: Math.max(gap, Math.min(box.x, room.width - size.width - gap)),
    y: Math.max(gap, below + size.height <= room.height - gap ? below : box.y - size.height - gap),
  };
};

/**
 * Shows words beside a cell: whom it is about in the first line, then one line each. Without words, nothing. It changes the element itself,
 * because the pointer crosses many cells a second.
 */
export const showTip = (tip: HTMLElement, parts: readonly string[], place: Place | null, g: Geometry, scroll: Scroll, room: Room) => {
  tip.hidden = place === null || parts.length === 0;
  if (place === null || tip.hidden) return;
  tip.replaceChildren(
    ...parts.map((part) => {
      const line = document.createElement('span');
      line.textContent = capital(part);
      return line;
    }),
  );
  const at = tipAt(g, place, scroll, room, { width: tip.offsetWidth, height: tip.offsetHeight });
  tip.hidden = at === null;
  if (at) tip.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)`;
};
