import { Button } from '@mantine/core';
import { call, sentenceOf } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

/** Prints the register of a session, for places without devices. It needs a connection. */
export const PrintRegister = ({ id }: { id: string }) => {
  const hasLine = useLine();
  const print = async () => {
    const answer = await call('GET /training-sessions/{id}/printed-register', { params: { id } });
    if (answer.kind === 'ok') saveFile(answer.data, answer.headers.get('Content-Disposition'), 'Register.pdf');
    else notify('error', sentenceOf(answer));
  };
  return (
    <div className={layout.tools}>
      <Button variant="default" disabled={!hasLine} onClick={() => void print()}>
        Register to print (PDF)
      </Button>
      {!hasLine && <small className={layout.soft}>It needs a connection.</small>}
    </div>
  );
};
