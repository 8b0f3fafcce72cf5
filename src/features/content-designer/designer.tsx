import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { designThemes } from '#contract/entities/design.ts';
import type { Media } from '#contract/entities/content.ts';
import { designProblems } from '#contract/rules/design-problems.ts';
import { BlockFields } from '#src/features/content-designer/block-fields.tsx';
import { Canvas } from '#src/features/content-designer/canvas.tsx';
import { IconRedo, IconUndo } from '#src/features/content-designer/designer-icons.tsx';
import classes from '#src/features/content-designer/designer.module.css';
import { blocksOf, designOf, type Edited, type EditedBlock } from '#src/features/content-designer/edited.ts';
import { findBlock, nameOf, pageName } from '#src/features/content-designer/edits.ts';
import { templateNotes } from '#src/features/content-designer/notes.ts';
import { PageList } from '#src/features/content-designer/page-list.tsx';
import { DesignPreview } from '#src/features/content-designer/design-preview.tsx';
import { type Designer, themeWords } from '#src/features/content-designer/use-designer.ts';
import { contentUploads } from '#src/screens/authoring/content-uploads.ts';
import type { Device } from '#src/screens/authoring/device-frame.tsx';
import { ConflictSection } from '#src/screens/revised.tsx';
import { filesUnderWay } from '#src/screens/authoring/uploads.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import layout from '#src/ui/page.module.css';
import { IconChevronRight } from '#src/ui/icons.tsx';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** A menu that closes first returns the focus to its button. */
const menuReturnsMs = 60;

/** The differences between two designs: a line for each page and block that differs. */
const sidesOf = (mine: Edited, theirs: Edited) => {
  const side = (own: Edited, other: Edited) =>
    [
      ...(own.theme === other.theme ? [] : [`Look: ${themeWords[own.theme]}`]),
      ...(own.pass_percent === other.pass_percent ? [] : [`Pass mark: ${own.pass_percent} %`]),
      ...(own.pages.map((p) => p.id).join() === other.pages.map((p) => p.id).join() ? [] : [`Pages: ${own.pages.map(pageName).join(', ')}`]),
      ...own.pages.flatMap((page, i) => {
        const twin = other.pages.find((p) => p.id === page.id);
        const differing = blocksOf(page).filter((block) => JSON.stringify(block) !== JSON.stringify(findBlock(other, block.id)?.block));
        const head = !twin || twin.title !== page.title || JSON.stringify(twin) !== JSON.stringify(page) ? [`${pageName(page, i)}:`] : [];
        return [...head, ...differing.map((block) => `– ${nameOf(block)}`)];
      }),
    ].join('\n') || 'The same pages and blocks.';
  return { mine: side(mine, theirs), theirs: side(theirs, mine) };
};

const Whole = ({ designer }: { designer: Designer }) => {
  const { design, change, now } = designer;
  const asks = design.pages.some((p) =>
    blocksOf(p).some((b) => (b.kind === 'question' && b.scored) || (b.kind === 'film' && b.stops.some((s) => s.scored))),
  );
  const put = (to: Partial<Pick<Edited, 'theme' | 'pass_percent' | 'max_tries'>>, name: string, typed?: string) =>
    change({ ...now(), ...to }, { name, block: null, ...(typed ? { typed } : {}) });
  return (
    <Section title="The whole content">
      <NativeSelect
        label="Look"
        description="In the colours of your organisation."
        value={design.theme}
        data={designThemes.map((value) => ({ value, label: themeWords[value] }))}
        onChange={(e) => put({ theme: e.currentTarget.value as Edited['theme'] }, 'Change the look')}
      />
      {asks && (
        <>
          <NumberInput
            label="Pass mark of the scored questions, in percent"
            min={0}
            max={100}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={design.pass_percent}
            onChange={(value) => put({ pass_percent: Math.min(100, Math.max(0, Number(value) || 0)) }, 'Change the pass mark', 'pass')}
          />
          <NumberInput
            label="How many tries people have"
            description="0: as many as they like."
            min={0}
            max={100}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={design.max_tries}
            onChange={(value) => put({ max_tries: Math.min(100, Math.max(0, Number(value) || 0)) }, 'Change how many tries people have', 'tries')}
          />
        </>
      )}
    </Section>
  );
};

/** The designer: the list of pages, the canvas of the selected page, and the fields of the selected block. */
export const DesignerView = ({ designer }: { designer: Designer }) => {
  const { thing, design, chosen, choose, said, say, undo, redo, dirty, isKept, unfinished, conflict, draft, wrong, busy } = designer;
  const [mode, setMode] = useState<'edit' | Device>('edit');
  const fields = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const index = design.pages.findIndex((page) => page.id === chosen.page);
  const page = design.pages[index];
  const block = chosen.block === null ? null : (findBlock(design, chosen.block)?.block ?? null);

  const latest = useRef(designer);
  latest.current = designer;
  const files = useMemo(
    () =>
      filesUnderWay(
        () => contentUploads,
        (name: string, media: Media) =>
          latest.current.changeBlock(name, (b) => ('media' in b ? ({ ...b, media } as EditedBlock) : b), {
            name: 'Choose a file',
          }),
      ),
    [],
  );
  const toFields = () => {
    setTimeout(() => {
      const first = fields.current?.querySelector<HTMLElement>('[role=textbox], input:not([type=file], [type=checkbox]), textarea, select, button');
      first?.focus();
      fields.current?.scrollIntoView({ block: 'nearest' });
    }, menuReturnsMs);
  };
  useEffect(() => {
    const key = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (event.target as HTMLElement | null)?.closest?.('[role=dialog]')) return;
      const pressed = event.key.toLowerCase();
      const what = pressed === 'z' ? (event.shiftKey ? 'redo' : 'undo') : pressed === 'y' ? 'redo' : pressed === 's' ? 'save' : null;
      if (!what) return;
      event.preventDefault();
      if (what === 'save') void latest.current.save();
      else latest.current[what].run();
    };
    // Before a field handles it as its own undo.
    document.addEventListener('keydown', key, true);
    return () => document.removeEventListener('keydown', key, true);
  }, []);

  const problems = useMemo(() => designProblems(designOf(design)), [design]);
  const notes = useMemo(() => templateNotes(design), [design]);
  const counts = useMemo(() => {
    const counted: Record<string, number> = {};
    for (const { page: p, block: b } of problems) for (const id of [p, b]) if (id) counted[id] = (counted[id] ?? 0) + 1;
    return counted;
  }, [problems]);
  const jump = (to: { page: string | null; block: string | null }) => {
    setMode('edit');
    choose(to.page, to.block);
    if (to.block) toFields();
    else setTimeout(() => whole.current?.querySelector<HTMLElement>('[data-page-title], [data-page]')?.focus(), menuReturnsMs);
  };
  const leaveFields = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !block) return;
    event.preventDefault();
    whole.current?.querySelector<HTMLElement>(`[data-block="${block.id}"]`)?.focus();
  };
  const others = dirty ? [] : thing.problems.filter((message) => !problems.some((p) => p.message === message));
  return (
    <div ref={whole} className={classes.whole}>
      {draft.found && (
        <div className={`${layout.notice} ${layout.line} ${classes.notice}`} data-tone="warning" role="status">
          <span>You changed this on {formatMoment(draft.found.at)} and did not save it. Somebody else has saved a change since.</span>
          <Button variant="default" onClick={draft.resume}>
            Continue with it
          </Button>
          <Button variant="subtle" onClick={() => void draft.drop()}>
            Discard it
          </Button>
        </div>
      )}
      {wrong && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {wrong}
        </p>
      )}
      {conflict && (
        <form
          aria-label="Two versions"
          onSubmit={(event) => {
            event.preventDefault();
            void designer.save();
          }}
        >
          <ConflictSection conflict={conflict} busy={busy} sides={sidesOf(design, designer.theirs ?? design)} />
        </form>
      )}
      <div className={`${layout.between} ${classes.bar}`}>
        <div className={`${layout.tools} ${classes.tools}`}>
          {(
            [
              ['Undo', undo, IconUndo, 'Control+Z'],
              ['Redo', redo, IconRedo, 'Control+Shift+Z'],
            ] as const
          ).map(([label, { name, run }, Icon, keys]) => (
            <Button
              key={label}
              variant="default"
              leftSection={<Icon size={20} />}
              aria-label={name === null ? label : `${label}: ${name}`}
              aria-disabled={name === null || undefined}
              aria-keyshortcuts={keys}
              onClick={run}
            >
              {label}
              {name !== null && <span className={classes.what}>: {name}</span>}
            </Button>
          ))}
        </div>
        <div className={classes.modes}>
          <Segmented
            aria-label="Write it, or see it as a learner does"
            value={mode}
            onChange={(value) => setMode(value as 'edit' | Device)}
            data={[
              { value: 'edit', label: 'Write' },
              { value: 'phone', label: 'Phone' },
              { value: 'tablet', label: 'Tablet' },
              { value: 'desktop', label: 'Desktop' },
            ]}
          />
        </div>
        <div className={`${layout.tools} ${classes.tools}`}>
          <span className={`${layout.soft} ${classes.saving}`}>
            {!dirty && unfinished === 0
              ? 'Saved'
              : !isKept
                ? 'Not saved yet'
                : unfinished > 0
                  ? `${countOf(unfinished, 'question')} not finished: kept on this device alone`
                  : 'Kept on this device, not saved yet'}
          </span>
          <Button loading={busy} aria-disabled={!dirty || undefined} onClick={() => void designer.save()} aria-keyshortcuts="Control+S">
            Save
          </Button>
        </div>
      </div>
      <div className={classes.sides} data-mode={mode === 'edit' ? 'edit' : 'see'}>
        <div className={classes.side}>
          <PageList designer={designer} problems={counts} />
          {mode === 'edit' && <Whole designer={designer} />}
        </div>
        {mode !== 'edit' ? (
          <DesignPreview device={mode} design={design} page={chosen.page} onPage={(id) => choose(id)} />
        ) : page ? (
          <Canvas designer={designer} page={page} index={index} problems={counts} toFields={toFields} />
        ) : (
          <EmptyState title="No pages yet">A content is made of pages. Add the first one.</EmptyState>
        )}
        {mode === 'edit' && (
          // biome-ignore lint/a11y/noStaticElementInteractions: Escape returns from any of the fields to the block
          <div ref={fields} className={`app-card ${classes.fieldsFrame}`} onKeyDown={leaveFields}>
            {block ? (
              <section aria-label={`Fields of ${nameOf(block)}`}>
                <BlockFields
                  key={block.id}
                  block={block}
                  files={files}
                  say={say}
                  change={(to, name, typed) =>
                    designer.changeBlock(block.id, to, { name, ...(typed === undefined ? {} : { typed: `${block.id}.${typed}` }) })
                  }
                />
              </section>
            ) : (
              <p className={layout.soft}>Choose a block to write in it. Alt and the arrow keys move it; Escape leads back from its fields.</p>
            )}
          </div>
        )}
      </div>
      {(problems.length > 0 || others.length > 0 || notes.length > 0) && (
        <div id="problems" className={layout.stack} tabIndex={-1}>
          {(problems.length > 0 || others.length > 0) && (
            <Section title="Before it can be published">
              <ul className={`${layout.plain} ${layout.stack} ${layout.tight} ${classes.jumps}`}>
                {problems.map((problem, i) => {
                  const location = problem.block === null ? null : findBlock(design, problem.block);
                  const pageAt = design.pages.findIndex((p) => p.id === problem.page);
                  const on = design.pages[pageAt];
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two can have the same text for the same block
                    <li key={i}>
                      <button type="button" onClick={() => jump(problem)}>
                        <span>{problem.message}</span>
                        <small>{[on && pageName(on, pageAt), location && nameOf(location.block)].filter(Boolean).join(' · ')}</small>
                        <IconChevronRight size={20} />
                      </button>
                    </li>
                  );
                })}
                {others.map((message) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </Section>
          )}
          {notes.length > 0 && (
            <Section title="From the template, for you to replace">
              <ul className={`${layout.plain} ${layout.stack} ${layout.tight} ${classes.jumps}`}>
                {notes.map((note) => (
                  <li key={`${note.page}${note.block}`}>
                    <button type="button" onClick={() => jump(note)}>
                      <span>{note.message}</span>
                      <IconChevronRight size={20} />
                    </button>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
};
