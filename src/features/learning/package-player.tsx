import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ToPlayer } from '#contract/bridge.ts';
import type { PackageRef } from '#contract/entities/content.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { confirmedItem, courseItem, doneActivities, launchableActivities } from '#contract/rules/package-completion.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import { PlayerFrame, type PlayerStep } from '#src/features/learning/player-frame.tsx';
import { ResultView } from '#src/features/learning/result-view.tsx';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { playerPage, playerSandbox, usePlayer } from '#src/device/use-player.ts';
import { PackageProblems, packageNotSaved, type PlayerProblem, withProblem } from '#src/ui/package-problems.tsx';
import { takeLastWord } from '#src/device/last-words.ts';
import { beginPlayerSession, commitScorm, scormBefore } from '#src/offline/commands/package.ts';
import { IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { LoadingState, OfflineState } from '#src/ui/states.tsx';

/** What a package has said is saved so often at most, unless it asks for it or ends. */
const saveEveryMs = 1000;

const sectionsOf = (title: string, activities: readonly ScormActivity[]): { title: string; steps: PlayerStep[] }[] => {
  const stepsOf = (list: readonly ScormActivity[], depth: number): PlayerStep[] =>
    list.flatMap((a) => [
      ...(a.href !== null && a.visible ? [{ key: a.id, title: a.title, child: depth > 0 }] : []),
      ...stepsOf(a.children, depth + 1),
    ]);
  const grouped = activities.filter((a) => a.href === null && a.children.length > 0);
  const loose = stepsOf(
    activities.filter((a) => !grouped.includes(a)),
    0,
  );
  return [...(loose.length > 0 ? [{ title, steps: loose }] : []), ...grouped.map((g) => ({ title: g.title, steps: stepsOf(g.children, 0) }))];
};

/** A SCORM course: its contents at the side, one item at a time, running on the content origin. */
export const PackagePlayer = ({ view, pack }: { view: AttemptView; pack: PackageRef }) => {
  const db = usePersonDb();
  const user = useSession();
  const { attempt } = view;
  const { manifest } = pack;
  // Read anew with everything that is saved; a package itself never changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree names what the manifest holds
  const items = useMemo(() => launchableActivities(manifest.activities), [pack.tree]);
  const doneKeys = useMemo(() => doneActivities(items, view.scorm, pack.completion), [items, view.scorm, pack.completion]);
  const missing = items.filter((a) => !doneKeys.has(a.id)).map((a) => ({ key: a.id, title: a.title }));
  const [query, setQuery] = useSearchParams();
  const first = useRef<string | null>(null);
  first.current ??= attempt.result ? 'result' : (missing[0]?.key ?? 'result');
  const current = query.get('step') ?? first.current;
  const index = items.findIndex((a) => a.id === current);
  const item = index >= 0 ? items[index] : undefined;
  const goTo = useCallback((key: string) => setQuery({ step: key }), [setQuery]);
  const [problems, setProblems] = useState<PlayerProblem[]>([]);
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);

  /** What was left behind by a tab that was closed: an item goes on from there. */
  const taking = useRef<Promise<void>[]>([]);
  /** How the player is told that something is saved. */
  const heard = useRef<(word: ToPlayer) => void>(() => undefined);
  const waiting = useRef<{ item: ScormActivity; session: string; facts: ScormFacts } | null>(null);
  const begunSession = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const save = useCallback(() => {
    if (timer.current) clearTimeout(timer.current);
    timer.current = null;
    const now = waiting.current;
    waiting.current = null;
    if (!now || attempt.closed) return;
    commitScorm(db, { attempt, item: { id: now.item.id, title: now.item.title } }, now.session, now.facts).then(
      () => heard.current({ type: 'kept', session_id: now.session, ticks: now.facts.ticks }),
      () => notify('error', packageNotSaved),
    );
  }, [db, attempt]);
  useEffect(() => () => save(), [save]);

  const page = playerPage(user, 'scorm');
  const { frame, connect, say, stalled } = usePlayer(page ?? location.origin, (word, answer) => {
    heard.current = answer;
    if (word.type === 'ready') {
      answer({ type: 'play', tree: pack.tree, manifest, learner: { id: attempt.user_id, name: user?.name ?? '' } });
      setReady(true);
    } else if (word.type === 'facts') {
      const about = items.find((a) => a.id === word.item_id);
      if (!about) return;
      // Of one session only the newest word counts; another's is saved first.
      if (waiting.current && waiting.current.session !== word.session_id) save();
      waiting.current = { item: about, session: word.session_id, facts: word.facts };
      // The first word of a session is saved at once: what it leaves behind is known by it.
      if (word.final || begunSession.current !== word.session_id) save();
      else timer.current ??= setTimeout(save, saveEveryMs);
      begunSession.current = word.session_id;
    } else if (word.type === 'left')
      taking.current.push(
        takeLastWord(db, word).then((taken) => {
          if (taken) answer({ type: 'kept', session_id: word.session_id, ticks: word.ticks });
        }),
      );
    else if (word.type === 'opened') setShown(true);
    else if (word.type === 'problem') setProblems((all) => withProblem(all, word));
  });

  useEffect(() => {
    setProblems([]);
    setShown(false);
    if (!ready) return;
    if (!item) {
      say({ type: 'close' });
      return;
    }
    let gone = false;
    void Promise.allSettled(taking.current)
      .then(async () => {
        const [before, session] = await Promise.all([
          scormBefore(db, attempt.id, item.id),
          beginPlayerSession(db, { id: attempt.id, closed: attempt.closed }, { id: item.id, title: item.title }),
        ]);
        if (!gone) say({ type: 'open', item_id: item.id, ...session, before });
      })
      .catch(() => notify('error', packageNotSaved));
    return () => {
      gone = true;
    };
  }, [ready, item, db, attempt.id, attempt.closed, say]);

  // Said on two tablets, it is said once: the session is the attempt's own.
  const confirm = () =>
    commitScorm(db, { attempt, item: { id: confirmedItem, title: view.document.title } }, attempt.id, {
      ...{ ticks: 1, seconds: 0, completion: 'completed', success: 'unknown', score: null, percent: 100, cmi: {} },
    }).catch(() => notify('error', packageNotSaved));
  const mayConfirm = pack.completion === 'confirmed' && !attempt.closed && !view.scorm.some((i) => i.item_id === confirmedItem);

  const playable = page !== null && !stalled;
  return (
    <PlayerFrame
      view={view}
      sections={sectionsOf(manifest.title, manifest.activities)}
      doneKeys={doneKeys}
      current={current}
      onGoTo={goTo}
      footer={
        item && (
          <>
            <Button
              variant="default"
              leftSection={<IconChevronLeft size={20} />}
              disabled={index <= 0}
              onClick={() => goTo(items[index - 1]?.id ?? 'result')}
            >
              Back
            </Button>
            <span className={classes.place}>
              {index + 1} of {items.length}
            </span>
            <Button rightSection={<IconChevronRight size={20} />} onClick={() => goTo(items[index + 1]?.id ?? 'result')}>
              Next
            </Button>
          </>
        )
      }
    >
      {item && <h1 className="visually-hidden">{item.title}</h1>}
      <PackageProblems problems={problems} />
      {item && !playable && (
        <OfflineState
          what="This course cannot be played here yet. Open it once with a connection, or make it available offline."
          onRetry={() => location.reload()}
        />
      )}
      {item && playable && !shown && problems.length === 0 && <LoadingState rows={2} label="Opening the course" />}
      {playable && (
        <iframe
          ref={frame}
          className={classes.package}
          data-shown={shown || undefined}
          title={item?.title ?? manifest.title}
          src={page}
          onLoad={connect}
          {...playerSandbox}
        />
      )}
      {!item && <ResultView view={view} missing={missing} onGoTo={goTo} confirm={mayConfirm ? confirm : null} />}
    </PlayerFrame>
  );
};
