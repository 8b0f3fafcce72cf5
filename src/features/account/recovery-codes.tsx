import { Button, Group } from '@mantine/core';
import classes from '#src/features/account/sign-in-ways.module.css';
import { saveFile } from '#src/lib/save-file.ts';
import layout from '#src/ui/page.module.css';

/** The recovery codes, for somebody who has lost their phone. They are shown once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <div className={layout.list}>
    <p className={layout.notice} data-tone="warning">
      Keep these codes somewhere other than your phone. Each lets you sign in once if you cannot use your authenticator app. They will not be shown
      again.
    </p>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Group>
      <Button
        variant="default"
        onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), null, 'lantern-recovery-codes.txt')}
      >
        Save as a file
      </Button>
      <Button onClick={onDone}>I have saved them</Button>
    </Group>
  </div>
);
