import { useRef, useState } from 'react';
import { sha256 } from '#contract/rules/inspection-check.ts';
import { type CallData, call, sentenceOf } from '#src/api/call.ts';
import { formatMoment } from '#src/lib/format.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import classes from '#src/ui/plain/plain.module.css';

type Found = CallData<'GET /inspections/verify/{hash}'>;
type Reply = { tone: 'ok' | 'warning'; text: string };

const unchanged = ({ organisation, name, frozen_at, frozen_by, file }: Found): string =>
  `Unchanged. ${file ? `This is ${file} of the` : 'This is the'} inspection pack “${name}” of ${organisation}, frozen on ${formatMoment(frozen_at)} by ${frozen_by}.`;
const unknown = 'This is not a file of an inspection pack of this server, or it was changed after it was frozen.';

/** Tells anybody to which inspection pack a file belongs, and that it is unchanged. The file stays on the device: only its hash is sent. */
export const Component = () => {
  const [answer, setAnswer] = useState<Reply | null>(null);
  const [busy, setBusy] = useState(false);
  const turn = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const check = async (file: File) => {
    const thisTurn = ++turn.current;
    setAnswer(null);
    setBusy(true);
    const next = await (async (): Promise<Reply> => {
      const bytes = await file.arrayBuffer().catch(() => null);
      if (!bytes) return { tone: 'warning', text: 'This file could not be read. Choose it again.' };
      const result = await call('GET /inspections/verify/{hash}', { params: { hash: await sha256(new Uint8Array(bytes)) } });
      if (result.kind === 'ok') return { tone: 'ok', text: `${file.name}: ${unchanged(result.data)}` };
      return { tone: 'warning', text: result.kind === 'refused' && result.status === 404 ? `${file.name}: ${unknown}` : sentenceOf(result) };
    })();
    if (thisTurn !== turn.current) return;
    setBusy(false);
    setAnswer(next);
  };
  return (
    <div className={classes.form}>
      <h1>Verify an inspection pack</h1>
      <p className={classes.description} id="verify-stays">
        Choose its PDF, its ZIP or any file of it. The file stays on your device: only its fingerprint is sent.
      </p>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // So that the same file can be chosen again.
          event.target.value = '';
          if (file) void check(file);
        }}
      />
      <PlainButton type="button" busy={busy} aria-describedby="verify-stays" onClick={() => input.current?.click()}>
        Choose a file
      </PlainButton>
      {/* Always there, so that a screen reader announces what appears in it. */}
      <div role="status">
        {answer && (
          <div className={classes.note} data-tone={answer.tone}>
            {answer.text}
          </div>
        )}
      </div>
    </div>
  );
};
