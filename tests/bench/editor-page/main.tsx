import '#src/ui/mantine-styles.ts';
import '#src/ui/global.css';
import { MantineProvider } from '@mantine/core';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { TopicEditor } from '#src/features/content-creator/topic-editor/topic-editor.tsx';

const dot = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><rect width="100%" height="100%" fill="${color}"/></svg>`)}`;
const sentence =
  'Clean your hands before you touch the person, and again when you leave, even if you wore gloves and nothing seemed to be dirty at all. ';
const paragraph = (sentences: number): RichNode => ({ type: 'paragraph', content: [{ type: 'text', text: sentence.repeat(sentences) }] });
/** 25 words a sentence: 2,000 words in 20 parts, each with a heading and a list. */
const parts = Array.from({ length: 20 }, (_, i): Block[] => [
  {
    kind: 'text',
    doc: {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `Part ${i + 1}` }] },
        paragraph(3),
        { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(1)] }] },
      ],
    },
  },
  {
    kind: 'image',
    media: { hash: String(i).padStart(64, '0'), url: dot(`hsl(${i * 18} 60% 70%)`), type: 'image/svg+xml', bytes: 1 },
    alt: `Picture ${i + 1}`,
    caption: 'What it shows',
  },
]).flat();

const search = new URLSearchParams(location.search);
const blocks = search.has('empty') ? [] : search.has('pictures') ? parts : parts.filter((b) => b.kind === 'text');

const kept = async (file: File) => ({
  ...{ kind: 'ok' as const, status: 200, meta: undefined, headers: new Headers() },
  data: { hash: '0'.repeat(64), url: URL.createObjectURL(file), type: file.type, bytes: file.size },
});
const uploads = { image: kept, video: kept, audio: kept, download: kept, captions: kept };

const Page = () => {
  const [title, setTitle] = useState('Clean hands');
  const [opened, setOpened] = useState(!search.has('later'));
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <input aria-label="Title" value={title} onChange={(e) => setTitle(e.currentTarget.value)} />
      {opened && (
        <TopicEditor
          blocks={blocks}
          title={title}
          onChange={(read) => {
            (window as { read?: () => Block[] }).read = read;
          }}
          uploads={uploads}
        />
      )}
    </>
  );
};
createRoot(document.querySelector('#root') as HTMLElement).render(
  <MantineProvider>
    <Page />
  </MantineProvider>,
);
