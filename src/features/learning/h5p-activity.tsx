import { useCallback, useEffect, useRef, useState } from 'react';
import type { H5pBlock } from '#contract/entities/content.ts';
import type { Statement } from '#contract/entities/package-work.ts';
import { decodeText } from '#contract/rules/holdable-text.ts';
import { isActivityDone } from '#contract/rules/h5p-facts.ts';
import { useSession } from '#src/access/session.ts';
import { takeLastWord } from '#src/device/last-words.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { playerPage, playerSandbox, usePlayer } from '#src/device/use-player.ts';
import { PackageProblems, packageNotSaved, type PlayerProblem, withProblem } from '#src/ui/package-problems.tsx';
import { correctedNow } from '#src/offline/clock.ts';
import { beginPlayerSession, recordH5p } from '#src/offline/kinds/attempt/package-commands.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { notify } from '#src/ui/notify.ts';
import { LoadingState } from '#src/ui/states.tsx';
import topicLook from '#src/screens/block-view.module.css';

/** Delay before saving is retried. */
const saveAgainMs = 5000;
/** In pixels; taller activities scroll within their frame. */
const heights = { least: 120, most: 6000 };

const licences: Record<string, string> = { U: '', C: 'All rights reserved', PD: 'Public domain', 'CC0 1.0': 'CC0' };
const creditsOf = ({ licence, authors, source }: H5pBlock['package']): string =>
  [authors.join(', '), licences[licence] ?? licence, source ?? ''].filter(Boolean).join(' · ');

/** What the person still has to do in an activity. */
const goalOf = (block: H5pBlock): string =>
  block.goal === 'passed' ? `To continue, finish this activity with at least ${block.pass_percent} %.` : 'To continue, finish this activity.';

/** An H5P activity in a topic: it runs on the content origin, and its reports are saved on this device immediately. */
export const H5pActivity = ({ view, block }: { view: AttemptView; block: H5pBlock }) => {
  const db = usePersonDb();
  const user = useSession();
  const { attempt } = view;
  const [height, setHeight] = useState<number>(heights.least);
  const [shown, setShown] = useState(false);
  const [problems, setProblems] = useState<PlayerProblem[]>([]);
  const taking = useRef<Promise<void>[]>([]);

  const save = useCallback(
    (statements: readonly Statement[], state: string | null, onSaved: () => void) => {
      if (attempt.closed) {
        onSaved();
        return;
      }
      // The player uses the device's uncorrected clock.
      const skew = correctedNow().getTime() - Date.now();
      const corrected = statements.map((s) => ({ ...s, at: new Date(new Date(s.at).getTime() + skew).toISOString() }));
      const record = (again: boolean): Promise<void> =>
        recordH5p(db, { attempt, item: { id: block.item_id, title: block.title } }, corrected, state).then(onSaved, () => {
          if (!again) notify('error', packageNotSaved);
          // The player keeps it too, in case this page is closed.
          setTimeout(() => void record(true), saveAgainMs);
        });
      void record(false);
    },
    [db, attempt, block.item_id, block.title],
  );
  const page = playerPage(user, 'h5p');
  const { frame, connect, stalled } = usePlayer(page ?? location.origin, (word, answer) => {
    if (word.type === 'ready')
      void Promise.allSettled(taking.current)
        .then(async () => {
          const before = await db.h5pStates.get([attempt.id, block.item_id]);
          const session = await beginPlayerSession(db, attempt, { id: block.item_id, title: block.title });
          answer({
            type: 'activity',
            tree: block.package.tree,
            item_id: block.item_id,
            title: block.title,
            state: before?.state ? decodeText(before.state) : null,
            ...session,
          });
        })
        .catch(() => notify('error', packageNotSaved));
    else if (word.type === 'left')
      taking.current.push(
        takeLastWord(db, word).then((taken) => {
          if (taken) answer({ type: 'kept', session_id: word.session_id, ticks: word.ticks });
        }),
      );
    else if (word.type === 'statements' && word.item_id === block.item_id)
      save(word.statements, word.state, () => answer({ type: 'kept', session_id: word.session_id, ticks: word.ticks }));
    else if (word.type === 'height') setHeight(Math.min(heights.most, Math.max(heights.least, word.height)));
    else if (word.type === 'opened') setShown(true);
    else if (word.type === 'problem') setProblems((all) => withProblem(all, word));
  });

  const facts = view.h5p.get(block.item_id);
  const done = isActivityDone(block, facts);
  const credits = creditsOf(block.package);
  const playable = page !== null && !stalled;
  // Announced when it changes, not when the page opens.
  const wasDone = useRef(done);
  useEffect(() => {
    if (done && !wasDone.current && block.goal !== 'optional') notify('success', `“${block.title}” is done.`);
    wasDone.current = done;
  }, [done, block.title, block.goal]);

  return (
    <figure className={classes.activity}>
      <figcaption className={classes.activityTitle}>
        <strong>{block.title}</strong>
        {block.goal !== 'optional' && (
          <span className={classes.activityGoal}>
            {done ? (
              <Badge tone="ok" icon={IconCheck}>
                Done{facts?.score !== null && facts?.score !== undefined ? ` · ${facts.score} %` : ''}
              </Badge>
            ) : (
              goalOf(block)
            )}
          </span>
        )}
      </figcaption>
      <PackageProblems problems={problems} />
      {!playable && (
        <p className={topicLook.missing} role="status">
          <IconAlert size={20} /> This activity cannot be shown without a connection. Make the course available offline to download it to this device.
        </p>
      )}
      {playable && !shown && problems.length === 0 && <LoadingState rows={2} label="Opening the activity" />}
      {playable && (
        <iframe
          ref={frame}
          className={classes.activityFrame}
          data-shown={shown || undefined}
          style={{ height }}
          title={block.title}
          src={page}
          onLoad={connect}
          {...playerSandbox}
        />
      )}
      {credits && <p className={classes.credits}>{credits}</p>}
    </figure>
  );
};
