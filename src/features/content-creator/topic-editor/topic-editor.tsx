import layout from '#src/ui/page.module.css';
import '@mantine/tiptap/styles.css';
import { RichTextEditor } from '@mantine/tiptap';
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import { type Editor, Extension, useEditor } from '@tiptap/react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Block, Media, QuestionBlock } from '#contract/entities/content.ts';
import type { TopicProblem } from '#contract/rules/topic-problems.ts';
import { bankDialog, QuestionBank } from '#src/features/content-creator/question-bank.tsx';
import { chosenParts, deleteParts, insertParts, leaveTitle, moveParts, paragraphBelow } from '#src/features/content-creator/topic-editor/commands.ts';
import { blocksOf, documentOf, placeOf } from '#src/features/content-creator/topic-editor/document.ts';
import { EditorTools } from '#src/features/content-creator/topic-editor/editor-tools.ts';
import { ActivityPanel, LinkPanel, ShortcutsPanel } from '#src/features/content-creator/topic-editor/panels.tsx';
import { PartInEditor } from '#src/features/content-creator/topic-editor/part-view.tsx';
import { Preview } from '#src/features/content-creator/topic-editor/preview.tsx';
import { type Part, type PartAttrs, topicExtensions } from '#src/features/content-creator/topic-editor/schema.ts';
import { type Insertion, Toolbar, toneWords } from '#src/features/content-creator/topic-editor/toolbar.tsx';
import { TopicChecks } from '#src/features/content-creator/topic-editor/topic-checks.tsx';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import type { PackContent } from '#src/offline/media/packs.ts';
import { AsOffline, OfflineSwitch } from '#src/screens/authoring/as-offline.tsx';
import { cleanPaste } from '#src/screens/authoring/paste.ts';
import { accepted, type FileKind, filesUnderWay, kindOfFile, type Uploads } from '#src/screens/authoring/uploads.ts';
import { countOf } from '#src/lib/format.ts';
import { newPractice } from '#src/screens/authoring/practice-draft.ts';
import type { Device } from '#src/screens/authoring/device-frame.tsx';
import look from '#src/screens/block-view.module.css';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import { Segmented } from '#src/ui/segmented.tsx';

/** The delay before preview, figures and problems are updated after typing. */
const pauseMs = 400;

type Props = {
  /** The initial blocks. Later values are ignored: give the editor another `key`. */
  blocks: readonly Block[];
  /** Called at each change. Read the blocks only when needed: for a long text that costs more than a keystroke. */
  onChange: (read: () => Block[]) => void;
  uploads: Uploads;
  /** The topic's title, above the preview. */
  title: string;
};

const emptyPart = (kind: Exclude<FileKind, 'captions'>, file: File): Part => {
  const title = file.name.replace(/\.\w+$/, '').replaceAll(/[_-]+/g, ' ');
  switch (kind) {
    case 'image':
      return { kind, media: null, alt: '', caption: '' };
    case 'video':
      return { kind, media: null, title, poster: null, transcript: '', captions: [] };
    case 'audio':
      return { kind, media: null, title, transcript: '' };
    case 'download':
      return { kind, media: null, title };
  }
};

/** Gives a part its uploaded file, wherever it is by now; not an undo step. */
const putFile = (editor: Editor, name: string, media: Media) => {
  const tr = editor.state.tr;
  editor.state.doc.forEach((node, at) => {
    const { block, sending } = node.attrs as PartAttrs;
    if (node.type.name === 'part' && sending === name) tr.setNodeAttribute(at, 'block', { ...block, media }).setNodeAttribute(at, 'sending', null);
  });
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false));
};

/** Whether the file dialog is open for it. */
const isFile = (what: Insertion): what is Exclude<FileKind, 'captions'> => ['image', 'video', 'audio', 'download'].includes(what);

/** What a device would store of this topic, as a course of one topic. */
const asContent = (blocks: readonly Block[]): PackContent => ({ image: null, lessons: [{ topics: [{ blocks: [...blocks] }] }], quizzes: [] });
const textsOf = (blocks: readonly Block[]) => blocks.flatMap((b) => ('doc' in b ? [b.doc] : []));

type Panel = 'link' | 'activity' | 'shortcuts' | null;

/** Edits a topic as one flowing document, with a preview beside it and its accessibility problems below. */
export const TopicEditor = ({ blocks, onChange, uploads, title }: Props) => {
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const chosenKind = useRef<Exclude<FileKind, 'captions'>>('image');
  const [panel, setPanel] = useState<Panel>(null);
  const [announcement, announce] = useState('');
  const [offline, setOffline] = useState(false);
  const [device, setDevice] = useState<Device | 'none'>('phone');
  // The text can be edited before the rest has loaded.
  const [shown, setShown] = useState<readonly Block[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ onChange, uploads });
  latest.current = { onChange, uploads };
  const instance = useRef<Editor | null>(null);
  const tools = useMemo(
    () => ({
      uploads,
      begun: { current: null as string | null },
      files: filesUnderWay(
        () => latest.current.uploads,
        (name, media) => instance.current && putFile(instance.current, name, media),
      ),
    }),
    [uploads],
  );
  const actions = useRef({ openLink: () => setPanel('link'), toToolbar: (_focus?: string): boolean => false, say: announce });
  actions.current.toToolbar = (focus) => {
    const all = [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    (all.find((b) => (focus ? b.dataset.focus === focus : b.tabIndex === 0)) ?? all[0])?.focus();
    return true;
  };

  const partOf = (editor: Editor, file: File, kind: Exclude<FileKind, 'captions'>) =>
    editor.schema.node('part', { block: emptyPart(kind, file), sending: tools.files.add(file, kind) });
  const insertFiles = (editor: Editor, files: readonly File[], kind?: Exclude<FileKind, 'captions'>) => {
    const chosenFiles = files.map((file) => ({ file, kind: kind ?? kindOfFile(file) }));
    const taken = chosenFiles.filter((w) => uploads[w.kind]);
    const refused = chosenFiles.find((w) => !uploads[w.kind]);
    if (refused) notify('error', `“${refused.file.name}” cannot be put into a topic. Choose a picture.`);
    if (taken.length > 0) insertParts(taken.map((w) => partOf(editor, w.file, w.kind)))(editor.state, editor.view.dispatch);
    return true;
  };

  const extensions = useMemo(() => {
    const keys = Extension.create({
      name: 'topicKeys',
      priority: 1000,
      addKeyboardShortcuts() {
        const run = (command: typeof deleteParts) => command(this.editor.state, this.editor.view.dispatch);
        const move = (direction: -1 | 1) => {
          if (run(moveParts(direction)))
            actions.current.say(
              `Moved ${direction < 0 ? 'up' : 'down'}: now ${chosenParts(this.editor.state).first + 1} of ${this.editor.state.doc.childCount}.`,
            );
          return true;
        };
        return {
          'Alt-ArrowUp': () => move(-1),
          'Alt-ArrowDown': () => move(1),
          'Alt-Delete': () => run(deleteParts),
          'Mod-Enter': () => run(paragraphBelow),
          Enter: () => run(leaveTitle),
          'Mod-k': () => {
            actions.current.openLink();
            return true;
          },
          Escape: () => actions.current.toToolbar(),
          'Alt-F10': () => actions.current.toToolbar(),
          'Alt-i': () => actions.current.toToolbar('insert'),
        };
      },
    });
    return [...topicExtensions(PartInEditor), keys];
  }, []);

  const editor = useEditor({
    extensions,
    shouldRerenderOnTransaction: false,
    enableContentCheck: false,
    onBeforeCreate: ({ editor: made }) => {
      made.options.content = documentOf(made.schema, blocks).toJSON();
    },
    onUpdate: ({ editor: changed }) => {
      const { doc } = changed.state;
      const read = () => blocksOf(doc);
      latest.current.onChange(read);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setShown(read()), pauseMs);
    },
    editorProps: {
      attributes: {
        class: `${look.topic} ${classes.text}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Text of the topic',
        'aria-describedby': `${id}-help`,
        lang: 'en-GB',
      },
      // A letter typed while a picture is selected would replace it.
      handleTextInput: (view) => view.state.selection instanceof NodeSelection && view.state.selection.node.type.name === 'part',
      transformPastedHTML: (html) => {
        const { html: clean, pictures, leftOut } = cleanPaste(html);
        for (const [name, file] of pictures) tools.files.add(file, 'image', name);
        if (leftOut > 0)
          notify(
            'info',
            `${leftOut === 1 ? 'One picture' : countOf(leftOut, 'picture')} could not be taken along. Save ${leftOut === 1 ? 'it' : 'them'} as a file, then choose Insert, Picture.`,
          );
        return clean;
      },
      handlePaste: (_view, event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        const html = event.clipboardData?.getData('text/html') ?? '';
        const words = event.clipboardData?.getData('text/plain') ?? '';
        // Word adds a picture of the text to the clipboard.
        if (files.length === 0 || words.trim() !== '' || /<(p|table|li|h\d)[\s>]/i.test(html) || !instance.current) return false;
        return insertFiles(instance.current, files);
      },
      handleDrop: (view, event, _slice, moved) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        const dropPosition = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (moved || files.length === 0 || !instance.current) return false;
        event.preventDefault();
        if (dropPosition) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(dropPosition.pos))));
        return insertFiles(instance.current, files);
      },
    },
  });
  instance.current = editor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values come from typing
  useEffect(() => {
    timer.current = setTimeout(() => setShown(blocks), 50);
    return () => clearTimeout(timer.current);
  }, []);

  const insertQuestion = (block: QuestionBlock) =>
    insertParts([editor.schema.node('part', { block, sending: null })])(editor.state, editor.view.dispatch);
  const insert = (what: Insertion) => {
    const { schema, state, view } = editor;
    const paragraph = () => schema.node('paragraph');
    switch (what) {
      case 'image':
      case 'video':
      case 'audio':
      case 'download':
        chosenKind.current = what;
        if (chooser.current) {
          chooser.current.accept = accepted[what];
          chooser.current.click();
        }
        return;
      case 'h5p':
        setPanel('activity');
        return;
      case 'bank':
        openModal(bankDialog);
        return;
      case 'question': {
        const block = newPractice();
        tools.begun.current = block.question.id;
        insertQuestion(block);
        return;
      }
      case 'table': {
        const row = (type: string) =>
          schema.node(
            'tableRow',
            null,
            Array.from({ length: 3 }, () => schema.node(type, null, [paragraph()])),
          );
        insertParts([schema.node('table', null, [row('tableHeader'), row('tableCell'), row('tableCell')])])(state, view.dispatch);
        break;
      }
      case 'details':
        insertParts([schema.node('details', null, [schema.node('summary'), paragraph()])])(state, view.dispatch);
        break;
      default:
        insertParts([schema.node('callout', { tone: what }, [schema.node('calloutTitle', null, [schema.text(toneWords[what])]), paragraph()])])(
          state,
          view.dispatch,
        );
    }
    editor.commands.focus();
  };
  const goTo = (problem: TopicProblem) => {
    const problemPosition = placeOf(editor.state.doc, problem);
    const node = problemPosition === null ? null : editor.state.doc.nodeAt(problemPosition);
    if (problemPosition === null || !node) return;
    const { doc, tr } = editor.state;
    const selection = node.type.name === 'part' ? NodeSelection.create(doc, problemPosition) : TextSelection.near(doc.resolve(problemPosition + 1));
    editor.view.dispatch(tr.setSelection(selection).scrollIntoView());
    editor.view.focus();
    const dom = editor.view.nodeDOM(problemPosition);
    (dom instanceof HTMLElement ? dom : dom?.parentElement)?.scrollIntoView({ block: 'center' });
  };
  const closePanel = () => {
    setPanel(null);
    editor.commands.focus();
  };

  return (
    <EditorTools value={tools}>
      <div className={`${layout.stack} ${classes.whole}`}>
        <Segmented
          aria-label="Preview"
          value={device}
          onChange={(value) => setDevice(value as Device | 'none')}
          data={[
            { value: 'none', label: 'No preview' },
            { value: 'phone', label: 'Phone' },
            { value: 'tablet', label: 'Tablet' },
            { value: 'desktop', label: 'Desktop' },
          ]}
        />
        <OfflineSwitch on={offline} onChange={setOffline} />
        {offline && <AsOffline what="topic" content={asContent(shown)} texts={textsOf(shown)} />}
        <div className={classes.sides} data-device={device} data-offline={offline || undefined}>
          <RichTextEditor editor={editor} withTypographyStyles={false} withCodeHighlightStyles={false} className={classes.editor}>
            <div className={classes.tools}>
              <Toolbar
                editor={editor}
                bar={bar}
                offers={(what) => !isFile(what) || uploads[what] !== undefined}
                onInsert={insert}
                onLink={() => setPanel('link')}
                onShortcuts={() => setPanel('shortcuts')}
                say={announce}
              />
              {panel === 'link' && <LinkPanel editor={editor} onClose={closePanel} />}
              {panel === 'shortcuts' && <ShortcutsPanel onClose={closePanel} />}
              {panel === 'activity' && (
                <ActivityPanel
                  onClose={closePanel}
                  onChosen={(block) => {
                    insertParts([editor.schema.node('part', { block, sending: null })])(editor.state, editor.view.dispatch);
                    closePanel();
                  }}
                />
              )}
            </div>
            <RichTextEditor.Content className={classes.content} />
          </RichTextEditor>
          {device !== 'none' && <Preview device={device} title={title} blocks={shown} offline={offline} />}
        </div>
        <p id={`${id}-help`} className="visually-hidden">
          Alt and F10 leads to the toolbar, where the keyboard shortcuts are listed.
        </p>
        <p role="status" className="visually-hidden">
          {announcement}
        </p>
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          aria-hidden="true"
          tabIndex={-1}
          onChange={({ currentTarget }) => {
            insertFiles(editor, [...(currentTarget.files ?? [])], chosenKind.current);
            currentTarget.value = '';
            editor.commands.focus();
          }}
        />
        <TopicChecks blocks={shown} onGoTo={goTo} />
        <QuestionBank quiz={undefined} onAdd={(question) => insertQuestion(newPractice(question))} />
      </div>
    </EditorTools>
  );
};
