import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pictureFirst } from '#src/features/matrix/grid/picture-first.ts';

let asked = 0;
let frames = new Map<number, FrameRequestCallback>();
const nextFrame = () => {
  const now = frames;
  frames = new Map();
  for (const call of now.values()) call(0);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => {
    frames.set(++asked, call);
    return asked;
  });
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => frames.delete(handle));
});
afterEach(() => {
  frames.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
/** There is something to draw from 1 on. */
const watched = () => {
  const done: string[] = [];
  const draw = (it: number) => {
    if (it > 0) done.push(`drawn ${it}`);
    return it > 0;
  };
  return { done, ...pictureFirst<number>(draw, (it) => done.push(`told ${it}`)) };
};

it('draws the first at once, tells it when that is seen, and lets nothing overtake it', () => {
  const { done, take } = watched();
  take(0);
  take(1);
  expect(done).toEqual(['told 0', 'drawn 1']);
  take(2);
  nextFrame();
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['told 0', 'drawn 1']);
  nextFrame();
  vi.advanceTimersByTime(1);
  take(3);
  expect(done).toEqual(['told 0', 'drawn 1', 'told 2', 'told 3']);
  vi.advanceTimersByTime(1000);
  expect(done).toHaveLength(4);
});
it('tells it in a tab that is not seen, too', () => {
  const { done, take } = watched();
  take(1);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['drawn 1', 'told 1']);
});
it('tells nothing once it is stopped', () => {
  const { done, take, stop } = watched();
  take(1);
  stop();
  nextFrame();
  nextFrame();
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['drawn 1']);
});
