import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Answer } from '#contract/entities/content.ts';
import { blocksOfPage, coursePartsOf, playedDesign } from '#contract/rules/design.ts';
import classes from '#src/features/content-designer/designer.module.css';
import { designOf, type Edited } from '#src/features/content-designer/edited.ts';
import { pageName } from '#src/features/content-designer/edits.ts';
import type { PackContent } from '#src/offline/media/packs.ts';
import { AsOffline, OfflineSwitch } from '#src/screens/authoring/as-offline.tsx';
import { type Device, DeviceFrame } from '#src/screens/authoring/device-frame.tsx';
import { practiceParts } from '#src/screens/authoring/practice-draft.ts';
import { DesignPage } from '#src/screens/design/design-page.tsx';

type Props = { device: Device; design: Edited; page: string | null; onPage: (id: string) => void };

/** A preview of a page on a device of this width: nothing is stored. Practice questions are marked. */
export const DesignPreview = ({ device, design, page: chosen, onPage }: Props) => {
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const [offline, setOffline] = useState(false);
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const played = useMemo(() => playedDesign(designOf(design), practiceParts).design, [design]);
  const { pages, theme } = played;
  const content = useMemo((): PackContent => ({ image: null, ...coursePartsOf('', played), design: played }), [played]);
  const texts = useMemo(() => pages.flatMap((p) => blocksOfPage(p).flatMap((b) => (b.kind === 'text' ? [b.doc] : []))), [pages]);
  const index = Math.max(
    0,
    pages.findIndex((p) => p.id === chosen),
  );
  const page = pages[index];
  const edited = design.pages[index];
  return (
    <div className={layout.stack}>
      <div className={`${layout.tools} ${classes.tools}`}>
        {([-1, 1] as const).map((by) => {
          const nextPage = pages[index + by];
          return (
            <Button key={by} variant="default" aria-disabled={!nextPage || undefined} onClick={() => nextPage && onPage(nextPage.id)}>
              {by < 0 ? 'Page before' : 'Next page'}
            </Button>
          );
        })}
        <OfflineSwitch on={offline} onChange={setOffline} />
        <p className={layout.soft}>You can try it, and nothing of it is kept. Questions that count are marked when they are handed in.</p>
      </div>
      {offline && <AsOffline what="content" content={content} texts={texts} />}
      <DeviceFrame device={device}>
        {page && (
          <DesignPage
            page={page}
            theme={theme}
            title={<h1>{edited ? pageName(edited, index) : ''}</h1>}
            work={{
              person: 'Somebody who learns',
              closed: false,
              handedIn: false,
              answerOf: (id) => answers[id],
              keepAnswer: async (id, _scored, answer) => setAnswers((before) => ({ ...before, [id]: answer })),
              isDone: (id) => done.has(id),
              setDone: (id) => setDone((before) => new Set([...before, id])),
              shown: (question) => question,
            }}
          />
        )}
      </DeviceFrame>
    </div>
  );
};
