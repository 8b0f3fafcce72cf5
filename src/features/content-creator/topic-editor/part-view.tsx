import layout from '#src/ui/page.module.css';
import { Button, Progress } from '@mantine/core';
import { type ReactNodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react';
import { NodeSelection } from '@tiptap/pm/state';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { topicProblems } from '#contract/rules/topic-problems.ts';
import type { Block } from '#contract/entities/content.ts';
import { useEditorTools } from '#src/features/content-creator/topic-editor/editor-tools.ts';
import { PartFields } from '#src/features/content-creator/topic-editor/part-fields.tsx';
import { type Part, type PartAttrs, type PartKind, PartNode } from '#src/features/content-creator/topic-editor/schema.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import { IconAlert, IconDownload } from '#src/ui/icons.tsx';

const names: Record<PartKind, string> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Recording',
  download: 'File to download',
  h5p: 'Activity',
  question: 'Question',
};

/** A part while it is not selected. */
const Look = ({ block, preview }: { block: Part; preview: string | undefined }) => {
  switch (block.kind) {
    case 'image': {
      const source = block.media?.url ?? preview;
      return (
        <>
          {source && <img src={source} alt={block.alt} loading="lazy" decoding="async" draggable={false} />}
          {block.caption && <p className={classes.caption}>{block.caption}</p>}
        </>
      );
    }
    case 'video':
      return (
        <>
          {block.media && (
            // biome-ignore lint/a11y/useMediaCaption: missing captions are reported beside it
            <video controls preload="none" poster={block.poster?.url} src={block.media.url} aria-label={block.title || names.video} />
          )}
          <p className={classes.caption}>{block.title}</p>
        </>
      );
    case 'audio':
      return (
        <>
          <p className={classes.caption}>{block.title}</p>
          {block.media && (
            // biome-ignore lint/a11y/useMediaCaption: a transcript is required
            <audio controls preload="none" src={block.media.url} aria-label={block.title || names.audio} />
          )}
        </>
      );
    case 'download':
      return (
        <p className={classes.caption}>
          <IconDownload size={20} /> {block.title}
          {block.media && ` · ${formatMegabytes(block.media.bytes)}`}
        </p>
      );
    case 'h5p':
      return <p className={classes.caption}>{block.title}</p>;
    case 'question':
      return (
        <p className={classes.caption}>
          {block.question.prompt || 'Nothing is asked yet'} · {kindWords[block.question.kind].label}
        </p>
      );
  }
};

const PartView = ({ node, selected, editor, getPos, deleteNode }: ReactNodeViewProps) => {
  const { files, uploads } = useEditorTools();
  const { block, sending } = node.attrs as PartAttrs;
  const file = useSyncExternalStore(files.subscribe, () => (sending ? files.of(sending) : undefined));
  const fields = useRef<HTMLFieldSetElement>(null);
  const preview = useMemo(() => (file?.kind === 'image' ? URL.createObjectURL(file.file) : undefined), [file]);
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview]);
  const put = (attrs: Partial<PartAttrs>, undoable: boolean) => {
    const position = getPos();
    if (position === undefined || editor.isDestroyed) return;
    const tr = editor.state.tr;
    for (const [name, value] of Object.entries(attrs)) tr.setNodeAttribute(position, name, value);
    editor.view.dispatch(tr.setMeta('addToHistory', undoable));
  };
  // Its upload ended while the part was cut, or before something was undone.
  useEffect(() => {
    const media = sending ? files.arrived(sending) : undefined;
    if (media) put({ block: { ...block, media } as Part, sending: null }, false);
  });
  const problems = useMemo(() => ('media' in block && !block.media ? [] : topicProblems([block as Block])), [block]);
  const edit = () => {
    const position = getPos();
    if (position === undefined) return;
    editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, position)));
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('input, textarea, select')?.focus());
  };
  return (
    <NodeViewWrapper className={classes.part} data-kind={block.kind} data-chosen={selected || undefined}>
      <div className={`${layout.line} ${classes.partHead}`} data-drag-handle contentEditable={false}>
        <strong>{names[block.kind]}</strong>
        {problems.length > 0 && (
          <span className={classes.lacks}>
            <IconAlert size={18} /> {problems[0]?.message}
          </span>
        )}
        {!selected && (
          <button type="button" tabIndex={-1} onClick={edit}>
            Edit<span className="visually-hidden"> {names[block.kind].toLowerCase()}</span>
          </button>
        )}
      </div>
      <Look block={block} preview={preview} />
      {sending && (
        <div className={layout.line} role="status">
          {file?.state === 'failed' ? (
            <>
              <span className={classes.lacks}>
                <IconAlert size={18} /> “{file.file.name}” was not sent. {file.message}
              </span>
              <Button variant="default" onClick={() => files.again(sending)}>
                Send it again
              </Button>
              <Button variant="subtle" onClick={deleteNode}>
                Remove it
              </Button>
            </>
          ) : file ? (
            <>
              {/* Announced once; the progress is not. */}
              <span>Sending “{file.file.name}” …</span>
              {file.part > 0 && <Progress value={file.part * 100} aria-label={`Sending “${file.file.name}”`} />}
            </>
          ) : (
            <span className={classes.lacks}>This file did not arrive before the page was left. Remove it and insert it again.</span>
          )}
        </div>
      )}
      {selected && (
        // Keys typed in a field are not the editor’s; Escape returns to it.
        <fieldset
          ref={fields}
          aria-label={names[block.kind]}
          className={`${layout.stack} ${classes.fields}`}
          contentEditable={false}
          onKeyDown={(event) => {
            // Of a dialog opened from here.
            if (!event.currentTarget.contains(event.target as Node)) return;
            if (event.key === 'Escape') {
              event.preventDefault();
              event.stopPropagation();
              editor.view.focus();
            } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
          }}
        >
          <PartFields block={block} change={(changes) => put({ block: { ...block, ...changes } as Part }, true)} uploads={uploads} />
        </fieldset>
      )}
    </NodeViewWrapper>
  );
};

/** A part in the editor, with its fields. Enter on a selected part moves to its fields. */
export const PartInEditor = PartNode.extend({
  addNodeView: () => ReactNodeViewRenderer(PartView),
  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => {
        const { selection } = editor.state;
        if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'part') return false;
        const dom = editor.view.nodeDOM(selection.from);
        if (dom instanceof HTMLElement) dom.querySelector<HTMLElement>(`.${classes.fields} :is(input, textarea, select)`)?.focus();
        return true;
      },
    };
  },
});
