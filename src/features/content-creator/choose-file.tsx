import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, FileButton, Progress } from '@mantine/core';
import { formatMegabytes } from '#src/lib/format.ts';
import { IconAlert } from '#src/ui/icons.tsx';

/** A file being uploaded: the progress from 0 to 1, then the server reads it. */
export type OnItsWay = { name: string; part: number };

type Props = {
  about: string;
  accept: string;
  /** The button's label before a file was chosen. */
  choose: string;
  mostBytes: number;
  sending: OnItsWay | null;
  /** Whether a file was read: another one can be chosen. */
  read: boolean;
  failure: string;
  onFile: (file: File | null) => void;
  onStop: () => void;
};

/** Chooses and uploads a file, with progress, a way to cancel, and the error if it is refused. */
export const ChooseFile = ({ about, accept, choose, mostBytes, sending, read, failure, onFile, onStop }: Props) => (
  <>
    {sending ? (
      <div className={layout.stack}>
        <span role="status">{sending.part < 1 ? `Sending “${sending.name}”` : `Reading “${sending.name}”`}</span>
        <Progress value={sending.part * 100} animated={sending.part >= 1} aria-label={`${Math.round(sending.part * 100)} % sent`} />
        <div className={layout.tools}>
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        </div>
      </div>
    ) : (
      <>
        <p className={shapes.muted}>{about}</p>
        <div className={layout.tools}>
          <FileButton accept={accept} onChange={onFile}>
            {(props) => (
              <Button variant={read ? 'default' : 'filled'} data-autofocus {...props}>
                {read ? 'Choose another file' : choose}
              </Button>
            )}
          </FileButton>
          <small>Up to {formatMegabytes(mostBytes)}.</small>
        </div>
      </>
    )}
    {failure && (
      <p className={layout.notice} data-tone="danger" role="alert">
        <IconAlert size={20} /> {failure}
      </p>
    )}
  </>
);
