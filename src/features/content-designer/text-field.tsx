import '@mantine/tiptap/styles.css';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditor } from '@tiptap/react';
import { useEffect, useId, useMemo, useRef } from 'react';
import type { RichNode } from '#contract/entities/rich-text.ts';
import classes from '#src/features/content-designer/text-field.module.css';
import { cleanPaste } from '#src/screens/authoring/paste.ts';
import { richOf, textNodes } from '#src/screens/authoring/rich-document.ts';
import { textKit } from '#src/screens/authoring/text-kit.ts';
import look from '#src/screens/block-view.module.css';
import { notify } from '#src/ui/notify.ts';

type Props = { label: string; doc: RichNode; onChange: (doc: RichNode) => void };

/** A text editor with headings, lists, bold type and links. Undo is that of the design, not of this field. */
export const TextField = ({ label, doc, onChange }: Props) => {
  const id = useId();
  const latest = useRef({ doc, onChange });
  latest.current.onChange = onChange;
  const extensions = useMemo(() => [textKit({ undoRedo: false })], []);
  const editor = useEditor({
    extensions,
    shouldRerenderOnTransaction: false,
    onBeforeCreate: ({ editor: made }) => {
      const nodes = textNodes(made.schema, doc);
      made.options.content = made.schema.node('doc', null, nodes.length > 0 ? nodes : [made.schema.node('paragraph')]).toJSON();
    },
    onUpdate: ({ editor: changed }) => {
      const next: RichNode = { type: 'doc', content: changed.state.doc.children.map(richOf) };
      latest.current.doc = next;
      latest.current.onChange(next);
    },
    editorProps: {
      attributes: {
        class: `${look.topic} ${classes.text}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        lang: 'en-GB',
        id,
      },
      transformPastedHTML: (html) => {
        const { html: clean, pictures, leftOut } = cleanPaste(html);
        if (pictures.size + leftOut > 0) notify('info', 'Pictures are not taken into a text. Add a picture block for them.');
        return clean;
      },
    },
  });
  // Undone, redone, or replaced by somebody else's version.
  useEffect(() => {
    if (doc === latest.current.doc || JSON.stringify(doc) === JSON.stringify(latest.current.doc)) return;
    latest.current.doc = doc;
    const nodes = textNodes(editor.schema, doc);
    const whole = editor.schema.node('doc', null, nodes.length > 0 ? nodes : [editor.schema.node('paragraph')]);
    editor.commands.setContent(whole.toJSON(), { emitUpdate: false });
  }, [doc, editor]);
  return (
    <RichTextEditor editor={editor} withTypographyStyles={false} withCodeHighlightStyles={false} className={classes.editor}>
      <RichTextEditor.Toolbar className={classes.toolbar} aria-label={`Format: ${label}`} role="group">
        <RichTextEditor.H2 className={classes.control} />
        <RichTextEditor.H3 className={classes.control} />
        <RichTextEditor.Bold className={classes.control} />
        <RichTextEditor.Italic className={classes.control} />
        <RichTextEditor.BulletList className={classes.control} />
        <RichTextEditor.OrderedList className={classes.control} />
        <RichTextEditor.Blockquote className={classes.control} />
        <RichTextEditor.Link className={classes.control} />
        <RichTextEditor.Unlink className={classes.control} />
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  );
};
