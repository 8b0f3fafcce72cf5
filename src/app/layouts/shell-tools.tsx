import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { useActingAs } from '#src/access/session.ts';
import { setBadge } from '#src/app/layouts/navigation-badges.ts';
import { checkAppKept } from '#src/device/app-kept.ts';
import { draftsFail } from '#src/device/draft-not-kept.ts';
import { startEngine } from '#src/device/engine-lifetime.ts';
import { noteLock, watchIdleness } from '#src/device/lock.ts';
import { setLocked } from '#src/device/lock-hint.ts';
import { useLine } from '#src/device/line.ts';
import { checkVersion } from '#src/device/version-check.ts';
import { askWaiting, waiting } from '#src/device/waiting.ts';
import { whenPageIsShown } from '#src/lib/when-idle.ts';
import { notify, removeNotice } from '#src/ui/notify.ts';
import { checkPersonStore, lossToTell, type StoreState, tidyJournal, useAnyPersonDb } from '#src/device/use-person-db.ts';
import { registerAgain } from '#src/app/service-worker.ts';
import { emptiedStore, whenEmptied } from '#src/offline/store/open-store.ts';
import { Account } from '#src/features/account/shell.tsx';
import { HelpButton } from '#src/features/help-desk/shell.tsx';
import { SaveState } from '#src/features/sync-centre/shell.tsx';

/** Shows a message while drafts cannot be stored on this device. */
const sayWhereDraftsFail = () => {
  let noticeId: number | null = null;
  return draftsFail.subscribe(() => {
    if (noticeId !== null) removeNotice(noticeId);
    noticeId = draftsFail.get()
      ? notify('error', 'What you type cannot be kept on this device now: its storage may be full. Save soon, and free some space.')
      : null;
  });
};

const tellLoss = (personId: string) =>
  void lossToTell(personId)
    .then((sentence) => sentence && notify('error', sentence))
    .catch(() => undefined);

/** The number of unread messages on this device. */
const useUnreadBadge = () => {
  const db = useAnyPersonDb();
  const unread = useLiveQuery(() => db.messages.filter((m) => m.read_at === null && m.sender.id !== db.personId).count(), [db]);
  useEffect(() => setBadge('messages', unread ?? 0), [unread]);
};

/** While the app is visible. */
const waitingEveryMs = 60_000;
/** The number of pending decisions: fetched when the app is opened or becomes visible, and periodically. Offline it shows nothing. */
const useWaitingBadges = () => {
  const actingId = useActingAs()?.id;
  const hasLine = useLine();
  const count = useSyncExternalStore(waiting.subscribe, waiting.get);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number depends on the organisation
  useEffect(() => {
    waiting.set(null);
    if (!hasLine) return undefined;
    const refresh = () => document.visibilityState === 'visible' && void askWaiting().catch(() => undefined);
    whenPageIsShown(refresh);
    const timer = setInterval(refresh, waitingEveryMs);
    addEventListener('focus', refresh);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', refresh);
      waiting.set(null);
    };
  }, [actingId, hasLine]);
  useEffect(() => setBadge('results-pending-by-type', count?.results ?? 0), [count]);
  useEffect(() => setBadge('care-certificate', count?.certificates ?? 0), [count]);
};

/** The part of the shell that needs the device's store: loaded after the frame is painted. Starts the person's engine. */
export const ShellTools = ({ personId, pattern, onStore }: { personId: string; pattern: string; onStore: (state: StoreState) => void }) => {
  useEffect(() => {
    void checkPersonStore(personId, onStore).then((state) => {
      if (state === 'locked') setLocked(true);
      void noteLock(personId);
      if (state !== 'ok') return;
      startEngine();
      tidyJournal(personId);
      tellLoss(personId);
      void checkVersion();
      whenPageIsShown(() => void import('#src/device/team.ts').then((m) => m.keepTeam()).catch(() => undefined));
      whenPageIsShown(() => void import('#src/device/registers.ts').then((m) => m.keepRegisters()).catch(() => undefined));
      whenPageIsShown(() => void import('#src/device/pack-downloads.ts').then((m) => m.followPacks()).catch(() => undefined));
      whenPageIsShown(() => void import('#src/device/kept-matrix.ts').then((m) => m.tidyMatrices()).catch(() => undefined));
    });
  }, [personId, onStore]);
  useEffect(
    () =>
      // The app's own files went with the rest.
      whenEmptied(() => {
        registerAgain();
        void checkAppKept().catch(() => undefined);
        if (emptiedStore() === null) tellLoss(personId);
      }),
    [personId],
  );
  useUnreadBadge();
  useWaitingBadges();
  useEffect(watchIdleness, []);
  useEffect(sayWhereDraftsFail, []);
  return (
    <>
      <SaveState />
      <HelpButton pattern={pattern} />
      <Account />
    </>
  );
};
