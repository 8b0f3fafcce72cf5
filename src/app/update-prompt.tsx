import { useState, useSyncExternalStore } from 'react';
import classes from '#src/app/root-layout.module.css';
import { waitingVersion } from '#src/app/service-worker.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';

/** Offers a new version. Nothing is lost by it: what waits to be sent stays on the device. */
export const UpdatePrompt = () => {
  const update = useSyncExternalStore(waitingVersion.subscribe, waitingVersion.get);
  const [later, setLater] = useState(false);
  if (!update || later) return null;
  return (
    <div className={`app-card ${classes.update}`} role="status">
      <span>A new version is ready. Your work stays as it is.</span>
      <PlainButton kind="default" onClick={() => setLater(true)}>
        Later
      </PlainButton>
      <PlainButton onClick={update}>Update</PlainButton>
    </div>
  );
};
