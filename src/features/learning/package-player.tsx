import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { bridgeLimits, FromPlayer, greeting, type ToPlayer } from '#contract/bridge.ts';
import type { PackageRef } from '#contract/entities/content.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { doneActivities, launchableActivities } from '#contract/rules/package-completion.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import { PlayerFrame, type PlayerStep } from '#src/features/learning/player-frame.tsx';
import { ResultView } from '#src/features/learning/result-view.tsx';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { noteOpenPackage } from '#src/lib/open-package.ts';
import { commitScorm, scormBefore, takeLastWord } from '#src/offline/commands/package.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { IconAlert, IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { LoadingState, OfflineState } from '#src/ui/states.tsx';

/** What a package has said is saved so often at most, unless it asks for it or ends. */
const saveEveryMs = 1000;
/** A player that is being closed may still have a word to say. */
const lastWordMs = 5000;
const notSaved = 'This could not be saved on the tablet. It may be full: remove a course that you do not need, then go on.';

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

type Problem = Extract<FromPlayer, { type: 'problem' }>;
const sentenceOf = ({ problem, detail }: Problem): string =>
  problem === 'missing'
    ? `A page of this course is missing: ${detail}. Tell whoever made the course; what you have done is kept.`
    : problem === 'blocked'
      ? `This course tried to load something from ${detail}. Courses may only use what they bring with them, so that part is not shown.`
      : `Something in this course does not work: ${detail}. What you have done is kept.`;

/** One player page and the channel to it. `hear` gets what has been checked; what is not understood is dropped. */
const usePlayer = (page: string, hear: (word: FromPlayer, say: (word: ToPlayer) => void) => void) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const port = useRef<MessagePort | null>(null);
  const listener = useRef(hear);
  listener.current = hear;
  const say = useCallback((word: ToPlayer) => port.current?.postMessage(word), []);
  const connect = useCallback(() => {
    const { port1, port2 } = new MessageChannel();
    port.current?.close();
    port.current = port1;
    let second = 0;
    let inSecond = 0;
    let late: { data: unknown } | null = null;
    const take = (data: unknown) => {
      if (JSON.stringify(data).length > bridgeLimits.messageLength) return;
      const word = FromPlayer.safeParse(data);
      if (word.success) listener.current(word.data, (answer) => port1.postMessage(answer));
    };
    port1.onmessage = ({ data }) => {
      const now = Math.floor(performance.now() / 1000);
      inSecond = now === second ? inSecond + 1 : 1;
      second = now;
      if (inSecond <= bridgeLimits.messagesPerSecond) {
        take(data);
        return;
      }
      // Too much at once: the newest word says all that the ones before it did, and is heard a second later.
      if (!late)
        setTimeout(() => {
          const last = late;
          late = null;
          if (last) take(last.data);
        }, 1000);
      late = { data };
    };
    frame.current?.contentWindow?.postMessage(greeting, new URL(page).origin, [port2]);
  }, [page]);
  useEffect(
    () => () => {
      const last = port.current;
      last?.postMessage({ type: 'close' } satisfies ToPlayer);
      setTimeout(() => last?.close(), lastWordMs);
    },
    [],
  );
  return { frame, connect, say };
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
  const doneKeys = useMemo(() => doneActivities(items, view.scorm), [items, view.scorm]);
  const missing = items.filter((a) => !doneKeys.has(a.id)).map((a) => ({ key: a.id, title: a.title }));
  const [query, setQuery] = useSearchParams();
  const first = useRef<string | null>(null);
  first.current ??= attempt.result ? 'result' : (missing[0]?.key ?? 'result');
  const current = query.get('step') ?? first.current;
  const index = items.findIndex((a) => a.id === current);
  const item = index >= 0 ? items[index] : undefined;
  const goTo = useCallback((key: string) => setQuery({ step: key }), [setQuery]);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);
  const [stalled, setStalled] = useState(false);

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
      () => notify('error', notSaved),
    );
  }, [db, attempt]);
  useEffect(() => () => save(), [save]);
  useEffect(() => {
    noteOpenPackage(true);
    return () => noteOpenPackage(false);
  }, []);

  const page = user?.content_origin ? `${user.content_origin}/player/scorm.html` : null;
  const { frame, connect, say } = usePlayer(page ?? location.origin, (word, answer) => {
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
        takeLastWord(db, word.item_id, word.session_id, word.facts).then((mine) => {
          if (mine) answer({ type: 'kept', session_id: word.session_id, ticks: word.facts.ticks });
        }),
      );
    else if (word.type === 'opened') setShown(true);
    else if (word.type === 'problem') setProblems((all) => [...all.filter((p) => p.detail !== word.detail), word].slice(-3));
  });

  // The player answers at once where it can be reached; where it cannot, somebody has to say so.
  useEffect(() => {
    if (ready) return;
    const wait = setTimeout(() => setStalled(true), 8000);
    return () => clearTimeout(wait);
  }, [ready]);
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
      .then(() => scormBefore(db, attempt.id, item.id))
      .then((before) => {
        if (!gone) say({ type: 'open', item_id: item.id, session_id: newId(), before });
      });
    return () => {
      gone = true;
    };
  }, [ready, item, db, attempt.id, say]);

  const playable = page !== null && !(stalled && !ready);
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
      {problems.map((p) => (
        <p key={p.detail} className={classes.missing} role="status">
          <IconAlert size={20} /> {sentenceOf(p)}
        </p>
      ))}
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
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads"
          allow="autoplay; fullscreen; unload"
        />
      )}
      {!item && <ResultView view={view} missing={missing} onGoTo={goTo} />}
    </PlayerFrame>
  );
};
