import type { Inspection } from '#contract/entities/inspection.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';

const badges: Record<Inspection['state'], { tone: Tone; word: string }> = {
  waiting: { tone: 'warning', word: 'Being made' },
  ready: { tone: 'ok', word: 'Frozen' },
  failed: { tone: 'danger', word: 'Not made' },
};
export const InspectionState = ({ inspection: { state } }: { inspection: Pick<Inspection, 'state'> }) => (
  <Badge tone={badges[state].tone}>{badges[state].word}</Badge>
);
