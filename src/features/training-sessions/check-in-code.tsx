import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CheckInKey } from '#contract/entities/check-in.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { checkInCode, checkInFragment, checkInStep, checkInStepMs } from '#contract/rules/check-in.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { keepPage, keptPage } from '#src/device/kept-pages.ts';
import { useLine } from '#src/device/line.ts';
import classes from '#src/features/training-sessions/check-in-code.module.css';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import { today } from '#src/device/near-day.ts';
import { countOf, formatTime } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import { QrCode } from '#src/ui/qr-code.tsx';

const patienceMs = 8000;
/** The key of a session's codes: first the one stored on this device, then the server's. Null until it is known. */
const useCheckInKey = ({ id, date, startTime, endTime }: Register): CheckInKey | 'offline' | null => {
  const [key, setKey] = useState<CheckInKey | 'offline' | null>(null);
  const hasLine = useLine();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched again when the session is moved and when the connection returns
  useEffect(() => {
    let gone = false;
    const name = `check-in-key:${id}` as const;
    const loadKey = async () => {
      const kept = (await keptPage<CheckInKey>(name).catch(() => null))?.value ?? null;
      if (kept && !gone) setKey(kept);
      const answer = await call('GET /training-sessions/{id}/check-in-key', { params: { id } }, { timeoutMs: patienceMs, quiet: true });
      if (answer.kind === 'ok') await keepPage(name, answer.data).catch(() => undefined);
      if (gone) return;
      if (answer.kind === 'ok') setKey(answer.data);
      else if (!kept) setKey(answer.kind === 'unreachable' ? 'offline' : null);
    };
    void loadKey();
    return () => {
      gone = true;
    };
  }, [id, date, startTime, endTime, hasLine]);
  return key;
};

const lookMs = 250;
/** The current code and its remaining seconds, computed on this device. */
const useCode = ({ session_id, key }: CheckInKey) => {
  const [shown, setShown] = useState<{ step: number; code: string } | null>(null);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    let lastStep = Number.NaN;
    let gone = false;
    const look = () => {
      const at = correctedNow();
      const step = checkInStep(at);
      setLeft(Math.ceil(((step + 1) * checkInStepMs - at.getTime()) / 1000));
      if (step === lastStep) return;
      lastStep = step;
      void checkInCode(key, session_id, step).then((code) => !gone && setShown({ step, code }));
    };
    look();
    const timer = setInterval(look, lookMs);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [session_id, key]);
  return { shown, left };
};

/** Keeps the screen awake while it is shown, if the browser supports that. */
const useAwake = () => {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let gone = false;
    const hold = async () => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock?.request('screen').catch(() => null);
      if (gone) void lock?.release();
    };
    const again = () => void hold();
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', again);
      void lock?.release();
    };
  }, []);
};

const seconds = checkInStepMs / 1000;
const readAgainMs = 15_000;
type Shown = { register: Register; checkInKey: CheckInKey; reload: () => Promise<void> };
const Code = ({ register, checkInKey, reload }: Shown) => {
  const { shown, left } = useCode(checkInKey);
  const hasLine = useLine();
  useAwake();
  useEffect(() => {
    if (!hasLine) return;
    const timer = setInterval(() => void reload(), readAgainMs);
    return () => clearInterval(timer);
  }, [hasLine, reload]);
  const on = register.delegates.filter(isOnRegister);
  const checkedIn = on.filter((d) => d.checked_in);
  if (!shown) return null;
  const { code, step } = shown;
  const link = `${location.origin}${pathTo('check-in-by-id', { id: register.id })}${checkInFragment(code, step)}`;
  return (
    <div className={classes.code}>
      <p>Scan this with the camera of your phone, or type the digits under “Your bookings”.</p>
      <QrCode text={link} label="QR code to check in to this session" large />
      <strong className={classes.digits}>
        {code.slice(0, 4)} {code.slice(4)}
      </strong>
      <div className={classes.left}>
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${(left / seconds) * 100}%` }} />
        </span>
        <span role="timer">New code in {left} s</span>
      </div>
      <p className={layout.soft} role="status">
        {hasLine || checkedIn.length > 0 ? `${checkedIn.length} of ${countOf(on.length, 'person', 'people')} checked in` : ''}
        {hasLine ? '' : ' No connection: you see who has checked in once this device has one.'}
      </p>
    </div>
  );
};

/** Shows the code with which people check in, on the day; online or offline. */
export const ShowCheckInCode = ({ register, reload }: Pick<Shown, 'register' | 'reload'>) => {
  const key = useCheckInKey(register);
  const now = useNow();
  if (register.cancelled || register.date !== today()) return null;
  if (key === 'offline')
    return <p className={layout.soft}>The check-in code is not on this device yet. Open this register once with a connection; then it is.</p>;
  if (key === null || now > key.closes_at) return null;
  const { opens_at } = key;
  if (now < opens_at)
    return <p className={layout.soft}>From {formatTime(opens_at)} you can show a code here with which people check in on their phones.</p>;
  const dialog = `check-in-code-${register.id}`;
  return (
    <>
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => openModal(dialog)}>
        Show the check-in code
      </Button>
      <RegisteredModal name={dialog} title={`Check in: ${register.course.name}`} width={720}>
        {() => <Code register={register} checkInKey={key} reload={reload} />}
      </RegisteredModal>
    </>
  );
};
