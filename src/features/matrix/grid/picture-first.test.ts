import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pictureFirst } from '#src/features/matrix/grid/picture-first.ts';

let requested = 0;
let frames = new Map<number, FrameRequestCallback>();
const nextFrame = () => {
  const callbacks = frames;
  frames = new Map();
  for (const call of callbacks.values()) call(0);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => {
    frames.set(++requested, call);
    return requested;
  });
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => frames.delete(handle));
});
afterEach(() => {
  frames.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
/** Values from 1 on can be drawn. */
const recorded = () => {
  const done: string[] = [];
  const draw = (value: number) => {
    if (value > 0) done.push(`drawn ${value}`);
    return value > 0;
  };
  return { done, ...pictureFirst<number>(draw, (value) => done.push(`presented ${value}`)) };
};

it('draws the first value at once, passes it on once it is presented, and lets nothing overtake it', () => {
  const { done, take } = recorded();
  take(0);
  take(1);
  expect(done).toEqual(['presented 0', 'drawn 1']);
  take(2);
  nextFrame();
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['presented 0', 'drawn 1']);
  nextFrame();
  vi.advanceTimersByTime(1);
  take(3);
  expect(done).toEqual(['presented 0', 'drawn 1', 'presented 2', 'presented 3']);
  vi.advanceTimersByTime(1000);
  expect(done).toHaveLength(4);
});
it('passes it on in a hidden tab, too', () => {
  const { done, take } = recorded();
  take(1);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['drawn 1', 'presented 1']);
});
it('passes on nothing once it is stopped', () => {
  const { done, take, stop } = recorded();
  take(1);
  stop();
  nextFrame();
  nextFrame();
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['drawn 1']);
});
