import { useState, useSyncExternalStore } from 'react';
import classes from '#src/app/root-layout.module.css';
import { otherContract, otherContractRead, waitingVersion } from '#src/app/service-worker.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';

/**
 * Offers a new version. Nothing is lost: unsent work stays on the device. If the server has another version
 * and no newer app could be loaded, it shows that, once.
 */
export const UpdatePrompt = () => {
  const update = useSyncExternalStore(waitingVersion.subscribe, waitingVersion.get);
  const other = useSyncExternalStore(otherContract.subscribe, otherContract.get);
  const read = useSyncExternalStore(otherContractRead.subscribe, otherContractRead.get);
  const [later, setLater] = useState(false);
  const offered = update && !later;
  if (!offered && (!other || other === read)) return null;
  return (
    <>
      <div className={classes.updateSpace} aria-hidden />
      <div className={`app-card ${classes.update}`} role="status">
        {offered ? (
          <>
            <span>A new version is ready. Your work stays as it is.</span>
            <PlainButton kind="default" onClick={() => setLater(true)}>
              Later
            </PlainButton>
            <PlainButton onClick={update}>Update</PlainButton>
          </>
        ) : (
          <>
            <span>
              The app on this device and the server are of different versions, and no newer app could be loaded yet. What you have done is kept.
            </span>
            <PlainButton kind="default" onClick={() => otherContractRead.set(other)}>
              OK
            </PlainButton>
          </>
        )}
      </div>
    </>
  );
};
