import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Place } from '#src/features/matrix/grid/geometry.ts';
import { type Lights, type Palette, paletteOf } from '#src/features/matrix/grid/palette.ts';
import { paint, type Scene } from '#src/features/matrix/grid/paint.ts';
import { forgetTexts } from '#src/features/matrix/grid/text.ts';

/** The size of an element without its scrollbars in CSS pixels, and the device pixel ratio; kept up to date. */
export const useRoom = (element: RefObject<HTMLElement | null>): { width: number; height: number; ratio: number } => {
  const [room, setRoom] = useState({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = () => {
      const next = { width: measured.clientWidth, height: measured.clientHeight, ratio: devicePixelRatio };
      // The observer reports the initial size again: an equal size must not draw a second time.
      setRoom((room) => (room.width === next.width && room.height === next.height && room.ratio === next.ratio ? room : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    // For a new pixel ratio: the page was zoomed or moved to another screen.
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [element]);
  return room;
};

export const useMedia = (query: string): boolean => {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
};

/** The colours of the page, read again when its scheme, brand or fonts change. Null before the first layout. */
export const usePalette = (probe: RefObject<HTMLElement | null>, lights: Lights): Palette | null => {
  const [palette, setPalette] = useState<Palette | null>(null);
  useLayoutEffect(() => {
    const element = probe.current;
    if (!element) return;
    const read = () => setPalette(paletteOf(element, lights));
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true });
    const lists = ['(forced-colors: active)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query));
    for (const list of lists) list.addEventListener('change', read);
    // Cached texts were measured in the fallback font.
    const reread = () => {
      forgetTexts();
      read();
    };
    document.fonts.addEventListener('loadingdone', reread);
    return () => {
      observer.disconnect();
      for (const list of lists) list.removeEventListener('change', read);
      document.fonts.removeEventListener('loadingdone', reread);
    };
  }, [probe, lights]);
  return palette;
};

type Picture = Omit<Scene, 'palette' | 'hover'> & { palette: Palette | null };
type Room = { width: number; height: number; ratio: number };
/** The maximum size of the canvas for warming up, in CSS pixels. */
const rehearsalSize = { width: 900, height: 600 };
/**
 * Draws the scene when it changes, and once per frame while it is scrolled or pointed at. `show` draws changed parts at once, before React
 * renders them, and returns false if the canvas is not ready. `rehearse` draws on a hidden canvas, so that code, letters and marks are warm.
 */
export const usePicture = (
  canvas: RefObject<HTMLCanvasElement | null>,
  scroller: RefObject<HTMLElement | null>,
  picture: Picture,
  room: Room,
): { pointAt: (place: Place | null) => void; show: (part: Partial<Picture>) => boolean; rehearse: (part: Partial<Picture>) => void } => {
  const current = useRef({ picture, room });
  const hover = useRef<Place | null>(null);
  const frame = useRef(0);
  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = 0;
    const [target, scrolled] = [canvas.current, scroller.current];
    const { picture, room } = current.current;
    const { palette } = picture;
    if (!target || !scrolled || !palette || room.width === 0) return;
    const [width, height] = [Math.round(room.width * room.ratio), Math.round(room.height * room.ratio)];
    if (target.width !== width || target.height !== height) {
      target.width = width;
      target.height = height;
    }
    const pen = target.getContext('2d', { alpha: false });
    if (!pen) return;
    paint(pen, { ...picture, palette, hover: hover.current }, { left: scrolled.scrollLeft, top: scrolled.scrollTop, ...room });
  }, [canvas, scroller]);
  const drawSoon = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  }, [draw]);
  useLayoutEffect(() => {
    current.current = { picture, room };
    draw();
  });
  useEffect(() => {
    const scrolled = scroller.current;
    scrolled?.addEventListener('scroll', drawSoon, { passive: true });
    return () => {
      scrolled?.removeEventListener('scroll', drawSoon);
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
      const { picture, room } = current.current;
      if (!picture.palette || room.width === 0) return false;
      current.current = { picture: { ...picture, ...part }, room };
      draw();
      return true;
    },
    [draw],
  );
  const rehearse = useCallback((part: Partial<Picture>) => {
    const { picture, room } = current.current;
    const { palette } = picture;
    if (!palette || room.width === 0) return;
    const window = { left: 0, top: 0, width: Math.min(room.width, rehearsalSize.width), height: Math.min(room.height, rehearsalSize.height) };
    const hidden = document.createElement('canvas');
    hidden.width = window.width * room.ratio;
    hidden.height = window.height * room.ratio;
    const pen = hidden.getContext('2d', { alpha: false });
    if (!pen) return;
    paint(pen, { ...picture, ...part, palette, hover: null }, { ...window, ratio: room.ratio });
    // Reading a pixel forces the browser to rasterise.
    pen.getImageData(0, 0, 1, 1);
  }, []);
  return { pointAt, show, rehearse };
};
