import { Button } from '@mantine/core';
import { ConflictSides } from '#src/ui/conflict-sides.tsx';
import layout from '#src/ui/page.module.css';
import { useChoosing } from '#src/ui/use-choosing.ts';

type Choice = {
  id: string;
  sentence: string;
  why: string;
  sides: { mine: string; theirs: string; keepMine: string | null; keepTheirs: string; keptMine: string; keptTheirs: string } | null;
  aside: string | null;
  mine: () => Promise<void>;
  theirs: () => Promise<void>;
};

/** Labels state the consequence of a choice and may be long. */
const Side = ({ label, busy, onChoose }: { label: string; busy: boolean; onChoose: () => void }) => (
  <Button variant="default" mih={44} py={8} loading={busy} onClick={onChoose}>
    {label}
  </Button>
);

const One = ({ choice: { sentence, why, sides, aside, mine, theirs } }: { choice: Choice }) => {
  const { busy, choose } = useChoosing();
  return (
    <section className={`app-card ${layout.block}`} aria-label={sentence} style={{ color: 'var(--app-text)' }}>
      <strong>{sentence}</strong>
      <span>{why}</span>
      {sides ? (
        <>
          <ConflictSides sides={sides} />
          {aside && <span>{aside}</span>}
          <div className={layout.tools}>
            {sides.keepMine && <Side label={sides.keepMine} busy={busy} onChoose={() => void choose(mine, sides.keptMine)} />}
            <Side label={sides.keepTheirs} busy={busy} onChoose={() => void choose(theirs, sides.keptTheirs)} />
          </div>
        </>
      ) : (
        <span className={layout.soft}>Press the icon at the top of the page to see your options.</span>
      )}
    </section>
  );
};

/** An open conflict shown where it belongs: both versions and the question. */
export const OpenChoices = ({ choices }: { choices: readonly Choice[] }) =>
  choices.length === 0 ? null : (
    <section className={`${layout.notice} ${layout.list}`} data-tone="warning" aria-label="Needs you">
      <strong>Needs you</strong>
      {choices.map((choice) => (
        <One key={choice.id} choice={choice} />
      ))}
    </section>
  );
