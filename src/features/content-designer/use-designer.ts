import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Design, type DesignTheme } from '#contract/entities/design.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import {
  canBeShown,
  designOf,
  type Edited,
  type EditedBlock,
  editedOf,
  placeOfError,
  unfinishedQuestions,
} from '#src/features/content-designer/edited.ts';
import { changeBlock, findBlock, nameOf } from '#src/features/content-designer/edits.ts';
import { begun, did, differ, type History, type Place, redo, undo } from '#src/features/content-designer/history.ts';
import { useRevised } from '#src/screens/revised.tsx';
import { useFormDraft } from '#src/screens/form-draft.ts';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { useAction } from '#src/screens/use-action.ts';

/** The delay before typed text is stored on this device. */
const pauseMs = 250;

/** A stored draft of a design: with its undo history, and the version that it edits. */
type Kept = { rev: number; history: History<Edited> };
/** An edit: its name, what it applies to, and the field being typed in. */
export type Doing = { name: string; page?: string | null; block?: string | null; typed?: string };
export type Designer = ReturnType<typeof useDesigner>;

/** A design being edited: its history, the selection, its draft on this device, and saving it. */
export const useDesigner = (read: DesignedContent) => {
  const { thing, set, save: send, conflict } = useRevised(read);
  const [history, setHistory] = useState(() => begun(editedOf(read.design)));
  const [saved, setSaved] = useState(history.now);
  const [chosen, setChosen] = useState<Place>({ page: history.now.pages[0]?.id ?? null, block: null });
  const [announcement, announce] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const latest = useRef(history);
  const commit = (next: History<Edited>) => {
    latest.current = next;
    setHistory(next);
  };
  /** Selects a page and a block of it, if they still exist. */
  const choose = (page: string | null, block: string | null = null) => {
    const { pages } = latest.current.now;
    const location = block === null ? null : findBlock(latest.current.now, block);
    const shown = location?.page ?? pages.find((p) => p.id === page) ?? pages[0];
    setChosen({ page: shown?.id ?? null, block: location ? block : null });
  };

  const change = (next: Edited, { name, page = chosen.page, block = chosen.block, typed }: Doing) =>
    commit(did(latest.current, next, { name, place: { page, block }, at: Date.now(), ...(typed === undefined ? {} : { typed }) }));

  const dirty = differ(saved, history.now);
  const unfinished = unfinishedQuestions(history.now);
  const toKeep = dirty || unfinished > 0 || history.undone.length > 0;
  // The stored draft follows after a pause.
  const [kept, setKept] = useState<Kept>({ rev: thing.rev, history });
  const [firstKept] = useState({ kept });
  const [stored, setStored] = useState<Kept | null>(null);
  const settle = useRef(() => undefined as unknown);
  settle.current = () => setKept({ rev: thing.rev, history: latest.current });
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change
  useEffect(() => {
    const timer = setTimeout(() => settle.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [history, thing.rev]);
  useEffect(() => {
    const left = () => flushSync(() => settle.current());
    addEventListener('pagehide', left);
    return () => removeEventListener('pagehide', left);
  }, []);
  const draft = useFormDraft(
    `design:${thing.id}`,
    firstKept,
    useMemo(() => ({ kept }), [kept]),
    toKeep,
    (values) => setStored(values.kept),
  );
  const wasKept = useRef(false);
  useEffect(() => {
    if (wasKept.current && !toKeep) void draft.drop();
    wasKept.current = toKeep;
  });
  const resume = () => {
    const { kept: found } = draft.take();
    if (!found || !canBeShown(found.history.now)) return;
    // Saving sends the version that it edits: a version that somebody else saved since is compared.
    set({ ...thing, rev: found.rev });
    commit(found.history);
    const last = found.history.done.at(-1)?.place;
    choose(last?.page ?? null, last?.block ?? null);
    announce('You continue from the draft on this device.');
  };
  const offered = draft.found?.changed.kept;
  // No conflict: it continues automatically.
  const goesOn = offered !== undefined && offered.rev === thing.rev && history.done.length === 0 && history.undone.length === 0;
  const lost = offered !== undefined && !canBeShown(offered.history.now);
  const last = useRef({ resume, drop: draft.drop });
  last.current = { resume, drop: draft.drop };
  useEffect(() => {
    if (lost) void last.current.drop();
    else if (goesOn) last.current.resume();
  }, [goesOn, lost]);

  const saving = useAction(
    async () => {
      const sent = latest.current.now;
      const design = designOf(sent);
      const checked = Design.safeParse(design);
      if (!checked.success) return { kind: 'failed' as const, errors: schemaErrors(checked.error) };
      const answer = await send((rev) =>
        call('PATCH /designed-contents/{id}', { params: { id: thing.id }, body: { design, ...(rev === undefined ? {} : { rev }) } }),
      );
      if (answer.kind === 'ok') setSaved(sent);
      return answer;
    },
    {
      success: texts.contentUpdated,
      onDone: () => setWrong(null),
      onFailed: (errors) => {
        const [path, words = texts.fallback] = Object.entries(errors)[0] ?? [''];
        const location = placeOfError(latest.current.now, path);
        if (!location) return setWrong(words);
        // The place of the error, with its message at the field.
        choose(location.page.id, location.block?.id ?? null);
        setWrong(`${location.block ? nameOf(location.block) : 'Title of the page'}: ${words}`);
      },
    },
  );

  const step = (next: History<Edited>, from: 'undone' | 'done') => {
    const taken = latest.current[from === 'undone' ? 'undone' : 'done'].at(-1);
    if (!taken) return;
    commit(next);
    choose(taken.place.page, taken.place.block);
    announce(`${from === 'done' ? 'Undone' : 'Done again'}: ${taken.name}.`);
  };
  return {
    thing,
    /** Replaces the content after its details were saved separately, with the saved version. */
    setThing: set,
    design: history.now,
    chosen,
    choose,
    change,
    /** Changes one block, wherever it is by now. */
    changeBlock: (id: string, to: (block: EditedBlock) => EditedBlock, doing: Doing) => {
      const location = findBlock(latest.current.now, id);
      if (location) change(changeBlock(latest.current.now, to(location.block)), { page: location.page.id, block: id, ...doing });
    },
    now: () => latest.current.now,
    said: announcement,
    say: announce,
    wrong,
    undo: { name: history.done.at(-1)?.name ?? null, run: () => step(undo(latest.current), 'done') },
    redo: { name: history.undone.at(-1)?.name ?? null, run: () => step(redo(latest.current), 'undone') },
    dirty,
    /** Whether this device has stored the last edit. */
    isKept: stored?.history === history,
    unfinished,
    save: saving.run,
    busy: saving.busy,
    /** A version that somebody else saved meanwhile. */
    theirs: conflict && editedOf(conflict.theirs.design),
    conflict: conflict && {
      ...conflict,
      takeTheirs: () => {
        const theirs = editedOf(conflict.theirs.design);
        conflict.takeTheirs();
        // An undo step, so that nothing of one's own is lost.
        change(theirs, { name: 'Load the other version', block: null });
        setSaved(theirs);
        setWrong(null);
      },
    },
    /** A draft from before the page was opened, which edits an earlier version than the current one. */
    draft: { found: goesOn || lost ? null : draft.found, resume, drop: draft.drop },
  };
};
export const themeWords: Record<DesignTheme, string> = { plain: 'Plain', band: 'Coloured band', tint: 'Tinted' };
