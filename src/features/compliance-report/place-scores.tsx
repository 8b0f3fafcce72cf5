import { entityScore } from '#contract/api/entities.ts';
import { can } from '#contract/can.ts';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { EntityScores, ScoreBandWords } from '#src/screens/entity-scores.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

/** The most that are shown at once. */
const most = 6;

/** The scores of the chosen organisations, each with all below it; by default the user's own. */
export const PlaceScores = ({ chosen }: { chosen: ComplianceReport['chosen']['entities'] }) => {
  const me = useSession();
  const acting = useActingAs();
  const place = acting ?? me?.primary_entity;
  const places = chosen.length > 0 ? chosen : place ? [place] : [];
  if (!can(me, entityScore.access) || places.length === 0) return null;
  return (
    <Section title="Scores">
      <p className={layout.count}>
        Now, of everybody there and below, whatever else is chosen above.
        {places.length > most && ` The first ${most} of ${places.length}.`}
      </p>
      {places.slice(0, most).map(({ id, name }) => (
        <section key={id} aria-label={`Scores of ${name}`} className={layout.stack}>
          <strong>{name}</strong>
          <EntityScores entity={id} />
        </section>
      ))}
      <ScoreBandWords />
    </Section>
  );
};
