import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Block, H5pBlock, QuestionBlock } from '#contract/entities/content.ts';
import classes from '#src/screens/block-view.module.css';
import { RichText } from '#src/screens/rich-text.tsx';
import { formatMegabytes } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { IconAlert, IconBook, IconCheck, IconDownload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

const tones = { remember: IconCheck, danger: IconAlert, example: IconBook };

const Transcript = ({ text }: { text: string }) => (
  <details className={classes.transcript}>
    <summary>Read it instead</summary>
    <p>{text}</p>
  </details>
);
const Missing = ({ what }: { what: string }) => (
  <p className={classes.missing} role="status">
    <IconAlert size={20} /> {what} cannot be shown without a connection. Make the course available offline to download it to this device.
  </p>
);

/** One block of a topic as read-only content, without activities and questions. A missing picture or video is replaced by a message. */
export const BlockView = ({ block }: { block: Exclude<Block, H5pBlock | QuestionBlock> }) => {
  const [failed, setFailed] = useState(false);
  switch (block.kind) {
    case 'text':
      return <RichText node={block.doc} />;
    case 'callout': {
      const Icon = tones[block.tone];
      return (
        <aside className={classes.callout} data-tone={block.tone} aria-label={block.title}>
          <p className={classes.calloutTitle}>
            <Icon size={22} />
            {block.title}
          </p>
          <RichText node={block.doc} />
        </aside>
      );
    }
    case 'image':
      return (
        <figure>
          {failed ? <Missing what="This picture" /> : <img src={block.media.url} alt={block.alt} onError={() => setFailed(true)} />}
          {block.caption && <figcaption>{block.caption}</figcaption>}
        </figure>
      );
    case 'video':
      return (
        <figure>
          {failed ? (
            <Missing what="This video" />
          ) : (
            <video controls playsInline preload="metadata" poster={block.poster?.url} aria-label={block.title} onError={() => setFailed(true)}>
              <source src={block.media.url} type={block.media.type} onError={() => setFailed(true)} />
              {block.captions.map((c, i) => (
                <track key={c.language} kind="captions" src={c.media.url} srcLang={c.language} label={c.label} default={i === 0} />
              ))}
            </video>
          )}
          {block.title && <figcaption>{block.title}</figcaption>}
          {block.transcript && <Transcript text={block.transcript} />}
        </figure>
      );
    case 'audio':
      return (
        <figure>
          {block.title && <figcaption>{block.title}</figcaption>}
          {failed ? (
            <Missing what="This recording" />
          ) : (
            <audio controls preload="metadata" src={block.media.url} aria-label={block.title} onError={() => setFailed(true)} />
          )}
          {block.transcript && <Transcript text={block.transcript} />}
        </figure>
      );
    case 'download': {
      const download = async () => {
        const response = await fetchMedia(block.media.url);
        if (response) saveFile(response, null, `${block.title.replace(/ \(.*\)$/, '')}.${block.media.url.split('.').at(-1)}`);
        else notify('error', 'This file is not on this device. It can be downloaded when you have a connection.');
      };
      return (
        <p>
          <Button variant="default" leftSection={<IconDownload size={20} />} onClick={download}>
            {block.title} · {formatMegabytes(block.media.bytes)}
          </Button>
        </p>
      );
    }
  }
};

const fetchMedia = async (url: string): Promise<Blob | null> => {
  const { keptMedia } = await import('#src/offline/media/kept-media.ts');
  return keptMedia(url);
};
