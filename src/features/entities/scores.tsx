import { EntityScores, ScoreBandWords } from '#src/screens/entity-scores.tsx';
import { Title } from '@mantine/core';
import layout from '#src/ui/page.module.css';

/** The compliance scores, in the organisation's own bands and words. */
export const Scores = ({ slug }: { slug: string }) => (
  <section className={`app-card ${layout.block}`} aria-label="Scores">
    <Title order={2} size="h3">
      In date
    </Title>
    <EntityScores entity={slug} />
    <ScoreBandWords />
  </section>
);
