import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { certificateNumberWords, readCertificateNumber } from '#contract/rules/certificate-number.ts';
import { dayWords } from '#contract/rules/days.ts';
import { type CallData, call, sentenceOf } from '#src/api/call.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field } from '#src/ui/plain/field.tsx';
import classes from '#src/ui/plain/plain.module.css';

type Validity = CallData<'GET /certificates/{number}'>;
/** The answer about a number; `wrongNumber` marks the field. */
type Reply = { text: string; tone?: 'ok' | 'warning'; wrongNumber?: true };

const noSuchNumber: Reply = { text: 'There is no certificate with this number. Check it for typing mistakes.', wrongNumber: true };

const ofValidity = ({ status, valid_until, expired_on, replaced }: Validity): Reply => {
  const day = status === 'valid' ? valid_until : expired_on;
  const stands = status === 'expired' ? 'Expired on' : 'Valid until';
  const newer = replaced ? '\nA newer certificate has replaced it.' : '';
  return { text: `${day ? `${stands} ${dayWords(day)}.` : 'Valid. It does not expire.'}${newer}`, tone: status === 'valid' ? 'ok' : 'warning' };
};

/** Tells anybody whether the certificate with a number is valid, and nothing else about it. A number in the address is checked immediately. */
export const Component = () => {
  const { number: given = '' } = useParams();
  const [typed, setTyped] = useState(given);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Reply | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const turn = useRef(0);
  const say = (next: Reply | null) => {
    turn.current++;
    setBusy(false);
    setAnswer(next);
  };
  const check = async (text: string) => {
    say(null);
    const number = readCertificateNumber(text);
    if (!number) return say(text.trim() ? noSuchNumber : { text: 'Enter the number of the certificate.', wrongNumber: true });
    const thisTurn = turn.current;
    setTyped(certificateNumberWords(number));
    setBusy(true);
    const result = await call('GET /certificates/{number}', { params: { number } });
    if (thisTurn !== turn.current) return;
    if (result.kind === 'ok') say(ofValidity(result.data));
    else say(result.kind === 'refused' && result.status === 404 ? noSuchNumber : { text: sentenceOf(result) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (given) void check(given);
  }, [given]);
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        field.current?.focus();
        void check(typed);
      }}
    >
      <h1>Verify a certificate</h1>
      <Field
        ref={field}
        label="Certificate number"
        description="The 12 letters and digits at the foot of the certificate."
        name="number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        value={typed}
        onValue={(text) => {
          setTyped(text);
          say(null);
        }}
        error={answer?.wrongNumber}
      />
      <PlainButton type="submit" busy={busy}>
        Verify
      </PlainButton>
      {/* Always there, so that a screen reader announces what appears in it. */}
      <div role="status">
        {answer && (
          <div className={classes.note} data-tone={answer.tone}>
            {answer.text}
          </div>
        )}
      </div>
    </form>
  );
};
