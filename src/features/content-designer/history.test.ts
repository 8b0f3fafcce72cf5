import fc from 'fast-check';
import { expect, it } from 'vitest';
import { begun, did, type History, redo, undo } from '#src/features/content-designer/history.ts';

const place = { page: null, block: null };
const nothing = { name: 'Change', place };
const value = fc.letrec((tie) => ({
  whole: fc.oneof({ maxDepth: 3 }, fc.string({ maxLength: 3 }), fc.integer(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('whole'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'pages'), tie('whole'), { maxKeys: 3 }),
})).whole;
const asKept = <T>(history: History<T>): History<T> => JSON.parse(JSON.stringify(history));

it('undoes everything that was done, and does it again, also from what a device has kept', () => {
  fc.assert(
    fc.property(value, fc.array(value, { maxLength: 12 }), (first, designs) => {
      let history = begun(first);
      for (const [i, next] of designs.entries()) history = did(history, next, { ...nothing, at: i });
      const last = history.now;
      let kept = asKept(history);
      const steps = kept.done.length;
      for (let i = 0; i < steps; i++) kept = undo(kept);
      expect(kept.now).toEqual(first);
      expect(undo(kept)).toEqual(kept);
      kept = asKept(kept);
      for (let i = 0; i < steps; i++) kept = redo(kept);
      expect(kept.now).toEqual(last);
      expect(redo(kept)).toEqual(kept);
    }),
  );
});

it('takes what is typed in one field without a pause as one step, and a pause as a new one', () => {
  let history = begun({ title: '', text: '' });
  const type = (title: string, at: number, typed = 'title') => {
    history = did(history, { ...history.now, title }, { name: 'Type', place, typed, at });
  };
  type('H', 0);
  type('He', 100);
  type('Hey', 200);
  type('Hey!', 5000);
  expect(history.done).toHaveLength(2);
  history = undo(history);
  expect(history.now.title).toBe('Hey');
  history = undo(history);
  expect(history.now.title).toBe('');
  // After an undo, typing starts a new step.
  history = redo(history);
  type('Hello', 300);
  expect(history.done).toHaveLength(2);
  expect(history.undone).toEqual([]);
  history = undo(history);
  expect(history.now.title).toBe('Hey');
});

it('does nothing where nothing changed, and forgets what was typed and taken back', () => {
  const first = begun({ title: 'A' });
  expect(did(first, { title: 'A' }, { ...nothing, at: 0 })).toBe(first);
  const typed = did(first, { title: 'AB' }, { ...nothing, typed: 'title', at: 0 });
  expect(did(typed, { title: 'A' }, { ...nothing, typed: 'title', at: 10 }).done).toEqual([]);
});

it('forgets the oldest of more steps than it keeps', () => {
  let history = begun({ n: 0 });
  for (let n = 1; n <= 250; n++) history = did(history, { n }, { ...nothing, at: n });
  expect(history.done).toHaveLength(200);
  for (let i = 0; i < 250; i++) history = undo(history);
  expect(history.now).toEqual({ n: 50 });
});
