import { describe, expect, it } from 'vitest';
import { errors } from '#contract/errors.ts';
import { type Command, type Kind, kinds } from '#contract/kinds.ts';
import { explain, sidesOf } from '#src/offline/kinds/explain.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { promises } from '#src/offline/kinds/promises.ts';
import { changeWords, choicesOf, wordsOf } from '#src/offline/kinds/registry.ts';
import { whatWasDone } from '#src/offline/kinds/what-was-done.ts';
import { sideLabels } from '#src/offline/kinds/words.ts';
import type { Entry } from '#src/offline/ports.ts';

/** Words that users must not see. */
const ours = /[a-z]_[a-z]|instead_of|\bid\b|\bnull\b|undefined|\b4\d\d\b/i;

const commandsOf = (kind: Kind): Command[] => {
  const { def } = kinds[kind].change._zod;
  const options = 'options' in def ? def.options : [kinds[kind].change as typeof kinds.evidence.change];
  return options.flatMap((o) => o._zod.def.shape.command._zod.def.values as Command[]);
};
const entry = (kind: Kind, more: Partial<Entry> = {}): Entry =>
  ({
    n: 1,
    id: crypto.randomUUID(),
    lane: laneName(kind, 'one'),
    command: commandsOf(kind)[0],
    args: {},
    mergeKey: null,
    dependsOn: [],
    ...more,
  }) as Entry;
/** Codes with which a queued change may be refused: all that are neither retried nor resolved by signing in. */
const refusals = Object.entries(errors).filter(([, e]) => e.retry === 'never' || e.retry === 'after-review');

describe.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
  const lane = laneName(kind, 'one');
  it('has a lane, choices and words', () => {
    expect([laneOf(lane), choicesOf(lane), wordsOf(lane)]).not.toContain(undefined);
    expect(wordsOf(lane)?.unnamed).toMatch(/^[A-Z]/);
  });
  it('has words for each of its changes', () => {
    expect(commandsOf(kind).length).toBeGreaterThan(0);
    for (const command of commandsOf(kind)) {
      expect(changeWords(command)).not.toBe('A change');
      const [done] = whatWasDone([entry(kind, { command }), entry(kind, { command })], new Map());
      expect(done?.did).toMatch(/[a-z]{3}/);
      expect(`${changeWords(command)} ${done?.did}`).not.toMatch(ours);
    }
  });
  it('explains every refusal without technical terms and says that nothing is lost', () => {
    for (const [code, { message }] of refusals) {
      const said = explain(entry(kind, { trouble: { code: code as 'forbidden', message, resolution: [], current: null, at: '' } }));
      expect(said, code).toMatch(/^[A-Z].*\.$/s);
      expect(said, code).not.toMatch(ours);
    }
    for (const code of kinds[kind].refusals)
      expect(explain(entry(kind, { trouble: { code, message: '', resolution: [], current: null, at: '' } })), code).not.toBe('');
  });
  it('shows no sides if the server has reported nothing of its own', () => {
    for (const command of commandsOf(kind).filter((c) => c !== 'attempt.submit_quiz')) expect(sidesOf(entry(kind, { command }))).toBeNull();
  });
});

it('describes the work on one thing in one line, and a file under its certificate', () => {
  const page = (n: number) => entry('attempt', { n, command: 'attempt.progress', mergeKey: `page ${n}` });
  const entries = [
    ...[1, 2, 3].map(page),
    page(3),
    entry('attempt', { command: 'attempt.submit_quiz' }),
    entry('certificate', { command: 'observation.record' }),
    entry('evidence', { lane: laneName('evidence', 'file'), args: { certificate_id: 'one' } }),
  ];
  expect(whatWasDone(entries, new Map(entries.map((e) => [e.id, e.lane]))).map((d) => [d.name, d.did])).toEqual([
    ['attempt:one', '3 pages, quiz handed in'],
    ['certificate:one', '1 observation, 1 file'],
  ]);
});

it('describes a kind queued by a newer release as unknown', () => {
  const unknown = { ...entry('attempt'), lane: 'rota:one', command: 'rota.swap' } as unknown as Entry;
  expect(laneOf('rota:one')).toBeUndefined();
  expect(changeWords('rota.swap')).toBe('A change');
  expect(explain({ ...unknown, trouble: null })).toBe('The server could not accept this. It is kept here.');
});

describe('what a choice promises', () => {
  it('is said of refusals that have words', () => {
    const said = Object.keys(kinds).flatMap((kind) => Object.keys(wordsOf(laneName(kind as Kind, 'one'))?.refusals ?? {}));
    expect(Object.keys(promises).filter((code) => !said.includes(code))).toEqual([]);
  });
  it('differs in its labels, also where both sides came to the same in the end', () => {
    expect(sideLabels('met', 'not yet met')).toEqual({ keepMine: 'Mine counts: met', keepTheirs: 'Theirs counts: not yet met' });
    const { keepMine, keepTheirs } = sideLabels('met', 'met');
    expect(keepMine?.replace('Mine', '')).not.toBe(keepTheirs.replace('Theirs', ''));
  });
});
