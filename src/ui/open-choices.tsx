import { Button } from '@mantine/core';
import { useState } from 'react';
import { BothSides } from '#src/ui/both-sides.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

type Choice = {
  id: string;
  sentence: string;
  why: string;
  sides: { mine: string; theirs: string; keepMine: string | null; keepTheirs: string; keptMine: string; keptTheirs: string } | null;
  mine: () => Promise<void>;
  theirs: () => Promise<void>;
};

const One = ({ choice: { sentence, why, sides, mine, theirs } }: { choice: Choice }) => {
  const [busy, setBusy] = useState(false);
  const choose = async (work: () => Promise<void>, said: string) => {
    setBusy(true);
    try {
      await work();
      notify('success', said);
    } catch {
      notify('error', 'This could not be saved on the tablet. Nothing has changed; please try again.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={`app-card ${layout.block}`} aria-label={sentence} style={{ color: 'var(--app-text)' }}>
      <strong>{sentence}</strong>
      <span>{why}</span>
      {sides ? (
        <>
          <BothSides sides={sides} />
          <div className={form.actions}>
            {sides.keepMine && (
              <Button
                variant="default"
                h="auto"
                mih={44}
                py={8}
                styles={{ label: { whiteSpace: 'normal' } }}
                loading={busy}
                onClick={() => void choose(mine, sides.keptMine)}
              >
                {sides.keepMine}
              </Button>
            )}
            <Button
              variant="default"
              h="auto"
              mih={44}
              py={8}
              styles={{ label: { whiteSpace: 'normal' } }}
              loading={busy}
              onClick={() => void choose(theirs, sides.keptTheirs)}
            >
              {sides.keepTheirs}
            </Button>
          </div>
        </>
      ) : (
        <span className={layout.soft}>Press the sign at the top of the page to see what can be done.</span>
      )}
    </section>
  );
};

/** What somebody did and has to be asked about, where it belongs: both sides, and the question. */
export const OpenChoices = ({ choices }: { choices: readonly Choice[] }) =>
  choices.length === 0 ? null : (
    <section className={`${layout.notice} ${layout.list}`} data-tone="warning" aria-label="Needs you">
      <strong>Needs you</strong>
      {choices.map((choice) => (
        <One key={choice.id} choice={choice} />
      ))}
    </section>
  );
