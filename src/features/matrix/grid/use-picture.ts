import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Place } from '#src/features/matrix/grid/geometry.ts';
import { type Lights, type Palette, paletteOf } from '#src/features/matrix/grid/palette.ts';
import { paint, type Scene } from '#src/features/matrix/grid/paint.ts';
import { forgetTexts } from '#src/features/matrix/grid/text.ts';

/** The room of an element without its scrollbars, measured as it changes. */
export const useRoom = (element: RefObject<HTMLElement | null>): { width: number; height: number; ratio: number } => {
  const [room, setRoom] = useState({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => {
      const next = { width: watched.clientWidth, height: watched.clientHeight, ratio: devicePixelRatio };
      // The observer also tells of the size that was measured here first: nothing is drawn twice for it.
      setRoom((room) => (room.width === next.width && room.height === next.height && room.ratio === next.ratio ? room : next));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(watched);
    // Where the page is zoomed, or moved to another screen.
    addEventListener('resize', measure);
    return () => {
      watch.disconnect();
      removeEventListener('resize', measure);
    };
  }, [element]);
  return room;
};

/** Whether a media query holds. */
export const useMedia = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const tell = () => setHolds(list.matches);
    tell();
    list.addEventListener('change', tell);
    return () => list.removeEventListener('change', tell);
  }, [query]);
  return holds;
};

/** The colours of the page, read again when its scheme or its brand changes. */
export const usePalette = (probe: RefObject<HTMLElement | null>, lights: Lights): Palette | null => {
  const [palette, setPalette] = useState<Palette | null>(null);
  useLayoutEffect(() => {
    const element = probe.current;
    if (!element) return;
    const read = () => setPalette(paletteOf(element, lights));
    read();
    const watch = new MutationObserver(read);
    watch.observe(document.documentElement, { attributes: true });
    const lists = ['(forced-colors: active)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query));
    for (const list of lists) list.addEventListener('change', read);
    // Until a font has loaded, texts have other widths.
    const reread = () => {
      forgetTexts();
      read();
    };
    document.fonts.addEventListener('loadingdone', reread);
    return () => {
      watch.disconnect();
      for (const list of lists) list.removeEventListener('change', read);
      document.fonts.removeEventListener('loadingdone', reread);
    };
  }, [probe, lights]);
  return palette;
};

type Picture = Omit<Scene, 'palette' | 'hover'> & { palette: Palette | null };
type Room = { width: number; height: number; ratio: number };
/** The size of the canvas for warming up. */
const rehearsed = { width: 900, height: 600 };
/** Draws the scene when it changes, and once in each frame in which it is scrolled or pointed at; `show` draws another one before React has it,
 * `rehearse` draws one that nobody sees, so that code, letters and marks are at hand. */
export const usePicture = (
  canvas: RefObject<HTMLCanvasElement | null>,
  scroller: RefObject<HTMLElement | null>,
  picture: Picture,
  room: Room,
): { pointAt: (place: Place | null) => void; show: (part: Partial<Picture>) => boolean; rehearse: (part: Partial<Picture>) => void } => {
  const now = useRef({ picture, room });
  const hover = useRef<Place | null>(null);
  const frame = useRef(0);
  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = 0;
    const [to, from] = [canvas.current, scroller.current];
    const { picture, room } = now.current;
    const { palette } = picture;
    if (!to || !from || !palette || room.width === 0) return;
    const [width, height] = [Math.round(room.width * room.ratio), Math.round(room.height * room.ratio)];
    if (to.width !== width || to.height !== height) {
      to.width = width;
      to.height = height;
    }
    const pen = to.getContext('2d', { alpha: false });
    if (!pen) return;
    paint(pen, { ...picture, palette, hover: hover.current }, { left: from.scrollLeft, top: from.scrollTop, ...room });
  }, [canvas, scroller]);
  const drawSoon = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  }, [draw]);
  useLayoutEffect(() => {
    now.current = { picture, room };
    draw();
  });
  useEffect(() => {
    const from = scroller.current;
    from?.addEventListener('scroll', drawSoon, { passive: true });
    return () => {
      from?.removeEventListener('scroll', drawSoon);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [scroller, drawSoon]);
  const pointAt = useCallback(
    (place: Place | null) => {
      if (place?.line === hover.current?.line && place?.column === hover.current?.column) return;
      hover.current = place;
      drawSoon();
    },
    [drawSoon],
  );
  const show = useCallback(
    (part: Partial<Picture>) => {
      const { picture, room } = now.current;
      if (!picture.palette || room.width === 0) return false;
      now.current = { picture: { ...picture, ...part }, room };
      draw();
      return true;
    },
    [draw],
  );
  const rehearse = useCallback((part: Partial<Picture>) => {
    const { picture, room } = now.current;
    const { palette } = picture;
    if (!palette || room.width === 0) return;
    const window = { left: 0, top: 0, width: Math.min(room.width, rehearsed.width), height: Math.min(room.height, rehearsed.height) };
    const aside = document.createElement('canvas');
    aside.width = window.width * room.ratio;
    aside.height = window.height * room.ratio;
    const pen = aside.getContext('2d', { alpha: false });
    if (!pen) return;
    paint(pen, { ...picture, ...part, palette, hover: null }, { ...window, ratio: room.ratio });
    // Reading a pixel makes the browser rasterise.
    pen.getImageData(0, 0, 1, 1);
  }, []);
  return { pointAt, show, rehearse };
};
