import type { Inspection } from '#contract/entities/inspection.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';

const said: Record<Inspection['state'], { tone: Tone; word: string }> = {
  waiting: { tone: 'warning', word: 'Being made' },
  ready: { tone: 'ok', word: 'Frozen' },
  failed: { tone: 'danger', word: 'Not made' },
};
export const InspectionState = ({ inspection: { state } }: { inspection: Pick<Inspection, 'state'> }) => (
  <Badge tone={said[state].tone}>{said[state].word}</Badge>
);
