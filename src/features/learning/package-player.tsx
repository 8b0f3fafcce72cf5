import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { FromPlayer, ToPlayer } from '#contract/bridge.ts';
import type { PackageRef } from '#contract/entities/content.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { isSequenced } from '#contract/rules/is-sequenced.ts';
import { lockedActivities } from '#contract/rules/prerequisites.ts';
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
import { beginPlayerSession, commitScorm, scormBefore } from '#src/offline/kinds/attempt/package-commands.ts';
import { IconBook, IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { EmptyState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** The minimum interval between saves, unless the package commits or ends. */
const saveEveryMs = 1000;
/** Large data models are saved less often, so that saving takes at most this share of the time. */
const saveShare = 5;
/** Delay before saving is retried. */
const saveAgainMs = 5000;

type Place = Extract<FromPlayer, { type: 'course' }>;
/** Steps that are not items: starting the course according to its rules, and resuming it. */
const underWay = '@under-way';

const sectionsOf = (
  title: string,
  activities: readonly ScormActivity[],
  isOpen: (id: string) => boolean,
): { title: string; steps: PlayerStep[] }[] => {
  const stepsOf = (list: readonly ScormActivity[], depth: number): PlayerStep[] =>
    list.flatMap((a) => [
      ...(a.href !== null && a.visible ? [{ key: a.id, title: a.title, child: depth > 0, ...(isOpen(a.id) ? {} : { locked: true }) }] : []),
      ...stepsOf(a.children, depth + 1),
    ]);
  const grouped = activities.filter((a) => a.href === null && a.children.length > 0);
  const loose = stepsOf(
    activities.filter((a) => !grouped.includes(a)),
    0,
  );
  return [...(loose.length > 0 ? [{ title, steps: loose }] : []), ...grouped.map((g) => ({ title: g.title, steps: stepsOf(g.children, 0) }))];
};

/**
 * Plays a SCORM course: contents at the side, one item at a time, running on the content origin. If the course has
 * sequencing rules, the player determines the next item and which items can be opened.
 */
export const PackagePlayer = ({ view, pack }: { view: AttemptView; pack: PackageRef }) => {
  const db = usePersonDb();
  const user = useSession();
  const { attempt } = view;
  const { manifest } = pack;
  // Reloaded after every save; the package itself never changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree names what the manifest holds
  const items = useMemo(() => launchableActivities(manifest.activities), [pack.tree]);
  const doneKeys = useMemo(() => doneActivities(items, view.scorm, pack.completion), [items, view.scorm, pack.completion]);
  const ruled = useMemo(() => isSequenced(manifest), [manifest]);
  const locked = useMemo(() => lockedActivities(manifest.activities, view.scorm), [manifest, view.scorm]);
  const open = items.filter((a) => !doneKeys.has(a.id) && !locked.has(a.id)).map((a) => ({ key: a.id, title: a.title }));
  const missing = !ruled ? open : view.percent === 100 ? [] : [{ key: underWay, title: 'Continue the course' }];
  const [place, setPlace] = useState<Place | null>(null);
  const choices = useMemo(() => new Set(place?.choices), [place]);
  const [query, setQuery] = useSearchParams();
  const first = useRef<string | null>(null);
  first.current ??= attempt.result ? 'result' : ruled ? underWay : (missing[0]?.key ?? 'result');
  // Sequencing rules decide where the course starts, not an old URL.
  const current = (ruled && !place && query.get('step') !== 'result' ? null : query.get('step')) ?? first.current;
  const index = items.findIndex((a) => a.id === current);
  const item = items[index] && !locked.has(items[index].id) ? items[index] : undefined;
  const beside = (way: 1 | -1) => (way === 1 ? items.slice(index + 1) : items.slice(0, index).reverse()).find((a) => !locked.has(a.id));
  const goTo = useCallback((key: string) => setQuery({ step: key }, { replace: ruled }), [setQuery, ruled]);
  const [problems, setProblems] = useState<PlayerProblem[]>([]);
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);

  /** Reports left by a tab that was closed; the item resumes from them. */
  const taking = useRef<Promise<void>[]>([]);
  /** Tells the player that its data has been saved. */
  const heard = useRef<(word: ToPlayer) => void>(() => undefined);
  const waiting = useRef<{ item: { id: string; title: string }; session: string; facts: ScormFacts } | null>(null);
  const begunSessions = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const pause = useRef(saveEveryMs);
  const failed = useRef(false);
  const save = useCallback(() => {
    if (timer.current) clearTimeout(timer.current);
    timer.current = null;
    const now = waiting.current;
    waiting.current = null;
    if (!now || attempt.closed) return;
    const began = performance.now();
    commitScorm(db, { attempt, item: { id: now.item.id, title: now.item.title } }, now.session, now.facts).then(
      () => {
        heard.current({ type: 'kept', session_id: now.session, ticks: now.facts.ticks });
        pause.current = Math.max(saveEveryMs, (performance.now() - began) * saveShare);
        failed.current = false;
      },
      () => {
        heard.current({ type: 'not-kept', session_id: now.session });
        if (!failed.current) notify('error', packageNotSaved);
        failed.current = true;
        // No newer data: retry.
        waiting.current ??= now;
        timer.current ??= setTimeout(save, saveAgainMs);
      },
    );
  }, [db, attempt]);
  useEffect(
    () => () => {
      save();
      if (timer.current) clearTimeout(timer.current);
    },
    [save],
  );

  const sessionOf = useCallback(
    async (about: { id: string; title: string }) => {
      const [before, session] = await Promise.all([
        scormBefore(db, attempt.id, about.id),
        beginPlayerSession(db, { id: attempt.id, closed: attempt.closed }, { id: about.id, title: about.title }),
      ]);
      return { ...session, before };
    },
    [db, attempt.id, attempt.closed],
  );
  const openItem = (id: string) => {
    const about = items.find((a) => a.id === id);
    if (!about) return;
    setProblems([]);
    setShown(false);
    goTo(id);
    sessionOf(about).then(
      (session) => say({ type: 'open', item_id: id, ...session }),
      () => notify('error', packageNotSaved),
    );
  };

  const page = playerPage(user, 'scorm');
  const { frame, connect, say, stalled } = usePlayer(page ?? location.origin, (word, answer) => {
    heard.current = answer;
    if (word.type === 'ready') {
      const playing = { type: 'play' as const, tree: pack.tree, manifest, learner: { id: attempt.user_id, name: user?.name ?? '' } };
      void Promise.allSettled(taking.current)
        .then(() => (ruled ? sessionOf({ id: courseItem, title: view.document.title }) : null))
        .then((course) => {
          answer({ ...playing, course });
          if (ruled && current !== 'result') answer({ type: 'step', to: 'start', item_id: null });
          setReady(true);
        })
        .catch(() => notify('error', packageNotSaved));
    } else if (word.type === 'facts') {
      const about = word.item_id === courseItem ? { id: courseItem, title: view.document.title } : items.find((a) => a.id === word.item_id);
      if (!about) return;
      // Only the newest report of a session counts; that of another session is saved first.
      if (waiting.current && waiting.current.session !== word.session_id) save();
      waiting.current = { item: about, session: word.session_id, facts: word.facts };
      // The first report is saved immediately, so that data left by a closed tab can be matched to the session.
      if (word.final || !begunSessions.current.has(word.session_id)) save();
      else timer.current ??= setTimeout(save, pause.current);
      begunSessions.current.add(word.session_id);
    } else if (word.type === 'left')
      taking.current.push(
        takeLastWord(db, word).then((taken) => {
          if (taken) answer({ type: 'kept', session_id: word.session_id, ticks: word.ticks });
        }),
      );
    else if (word.type === 'course') {
      setPlace(word);
      if (word.show !== null) openItem(word.show);
      else if (word.ended) goTo('result');
    } else if (word.type === 'opened') setShown(true);
    else if (word.type === 'problem') setProblems((all) => withProblem(all, word));
  });

  useEffect(() => {
    if (!ruled) {
      setProblems([]);
      setShown(false);
    }
    if (!ready) return;
    if (!item) {
      if (!ruled || current === 'result') say({ type: 'close' });
      return;
    }
    // With sequencing rules, the player decides when an item is opened.
    if (ruled) return;
    let isUnmounted = false;
    void Promise.allSettled(taking.current)
      .then(async () => {
        const session = await sessionOf(item);
        if (!isUnmounted) say({ type: 'open', item_id: item.id, ...session });
      })
      .catch(() => notify('error', packageNotSaved));
    return () => {
      isUnmounted = true;
    };
  }, [ready, item, say, ruled, current, sessionOf]);
  /** The step requested before the player was ready. */
  const [asked, setAsked] = useState<string | null>(null);
  const pick = (key: string) => {
    setAsked(ruled && key !== 'result' ? key : null);
    if (!ruled || key === 'result') goTo(key);
  };
  useEffect(() => {
    if (!ready || asked === null) return;
    setAsked(null);
    if (asked === underWay) say({ type: 'step', to: 'start', item_id: null });
    else say({ type: 'step', to: 'activity', item_id: asked });
  }, [ready, asked, say]);

  // The session id is the attempt's, so that completing on two devices is recorded once.
  const confirm = () =>
    commitScorm(db, { attempt, item: { id: confirmedItem, title: view.document.title } }, attempt.id, {
      ...{ ticks: 1, seconds: 0, completion: 'completed', success: 'unknown', score: null, percent: 100, cmi: {} },
    }).catch(() => notify('error', packageNotSaved));
  const mayConfirm = pack.completion === 'confirmed' && !attempt.closed && !view.scorm.some((i) => i.item_id === confirmedItem);

  const playable = page !== null && !stalled;
  return (
    <PlayerFrame
      view={view}
      sections={sectionsOf(manifest.title, manifest.activities, (id) => (ruled ? !place || choices.has(id) : !locked.has(id)))}
      doneKeys={doneKeys}
      current={current}
      onGoTo={pick}
      footer={
        item && (
          <>
            <Button
              variant="default"
              leftSection={<IconChevronLeft size={20} />}
              disabled={ruled ? !place?.back : !beside(-1)}
              onClick={() => (ruled ? say({ type: 'step', to: 'back', item_id: null }) : goTo(beside(-1)?.id ?? 'result'))}
            >
              Back
            </Button>
            <span className={classes.place}>
              {index + 1} of {items.length}
            </span>
            <Button
              rightSection={<IconChevronRight size={20} />}
              disabled={ruled && !place?.forward}
              onClick={() => (ruled ? say({ type: 'step', to: 'forward', item_id: null }) : goTo(beside(1)?.id ?? 'result'))}
            >
              Next
            </Button>
          </>
        )
      }
    >
      {item && <h1 className="visually-hidden">{item.title}</h1>}
      <PackageProblems problems={problems} />
      {(item || asked !== null || current === underWay) && !playable && (
        <OfflineState
          what="This course cannot be played on this device yet. Open it once with a connection, or make it available offline."
          onRetry={() => location.reload()}
        />
      )}
      {(item || asked !== null || (current === underWay && !place)) && playable && !shown && problems.length === 0 && (
        <LoadingState rows={2} label="Opening the course" />
      )}
      {current === underWay && place && !place.ended && (
        <EmptyState icon={<IconBook size={36} />} title="Choose how to continue">
          Nothing opens automatically here. Open a part from the contents.
        </EmptyState>
      )}
      {playable && (
        <iframe
          ref={frame}
          className={classes.package}
          data-shown={shown || undefined}
          title={item?.title ?? manifest.title}
          src={`${page}#${ruled ? 'rules' : manifest.standard === '1.2' ? '1.2' : '2004'}`}
          onLoad={connect}
          {...playerSandbox}
        />
      )}
      {!item && asked === null && current !== underWay && (
        <ResultView view={view} missing={missing} onGoTo={pick} confirm={mayConfirm ? confirm : null} />
      )}
    </PlayerFrame>
  );
};
