import layout from '#src/ui/page.module.css';
import { Button, FileButton, Progress } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import classes from '#src/features/content-designer/designer.module.css';
import { accepted, type FilesUnderWay } from '#src/screens/authoring/uploads.ts';
import { IconAlert } from '#src/ui/icons.tsx';

type Props = {
  files: FilesUnderWay;
  /** The name of the block's upload. */
  name: string;
  kind: 'image' | 'video';
  label: string;
  present: boolean;
};

/** Chooses the file of a block. The upload starts immediately and continues while another block is edited. */
export const FileField = ({ files, name, kind, label, present }: Props) => {
  const sending = useSyncExternalStore(files.subscribe, () => files.of(name));
  return (
    <div className={`${layout.stack} ${classes.file}`}>
      <FileButton accept={accepted[kind]} onChange={(file) => file && files.add(file, kind, name)}>
        {(props) => (
          <Button variant={present ? 'default' : 'filled'} {...props}>
            {present ? `Choose another ${label}` : `Choose a ${label}`}
          </Button>
        )}
      </FileButton>
      {sending?.state === 'sending' && (
        <div role="status" className={`${layout.stack} ${classes.sending}`}>
          <span>Sending “{sending.file.name}” …</span>
          {sending.part > 0 && <Progress value={sending.part * 100} aria-label={`Sending “${sending.file.name}”`} />}
        </div>
      )}
      {sending?.state === 'failed' && (
        <div role="alert" className={`${layout.line} ${classes.problem}`}>
          <span>
            <IconAlert size={18} /> “{sending.file.name}” was not sent. {sending.message}
          </span>
          <Button variant="default" onClick={() => files.again(name)}>
            Send it again
          </Button>
        </div>
      )}
    </div>
  );
};
