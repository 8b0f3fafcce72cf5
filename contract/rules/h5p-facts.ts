import type { ContentDocument, H5pBlock } from '#contract/entities/content.ts';
import type { H5pFacts, Statement } from '#contract/entities/package-work.ts';

const begun: H5pFacts = { completed: false, score: null };

/** The verbs, by the last part of their IRI, with which an activity reports that it is finished. */
const finishing = new Set(['completed', 'answered', 'passed', 'failed', 'mastered', 'scored', 'consumed']);
export const verbName = (verb: string): string => verb.split('/').at(-1) ?? verb;

type Reported = { result?: { completion?: unknown; score?: { raw?: unknown; max?: unknown; scaled?: unknown } }; context?: Context };
type Context = { contextActivities?: { parent?: unknown } };

/** Whether a statement is about the whole activity: statements about a part name the whole as their parent. */
const isWhole = ({ statement }: Pick<Statement, 'statement'>): boolean => {
  const parent = (statement as Reported).context?.contextActivities?.parent;
  return Array.isArray(parent) ? parent.length === 0 : !parent;
};

const percentOf = (score: NonNullable<Reported['result']>['score']): number | null => {
  const scaled = typeof score?.raw === 'number' && typeof score.max === 'number' && score.max > 0 ? score.raw / score.max : score?.scaled;
  return typeof scaled === 'number' && Number.isFinite(scaled) ? Math.round(Math.min(1, Math.max(0, scaled)) * 100) : null;
};

/** Merges two totals in any order; nothing reached is lost. */
export const mergeH5pFacts = (a: H5pFacts, b: H5pFacts): H5pFacts => ({
  completed: a.completed || b.completed,
  score: a.score === null ? b.score : b.score === null ? a.score : Math.max(a.score, b.score),
});

/** The totals of one activity's statements: whether it was finished, and its best score. */
export const h5pFactsOf = (statements: readonly Pick<Statement, 'verb' | 'statement'>[]): H5pFacts =>
  statements
    .filter(isWhole)
    .map(({ verb, statement }) => {
      const { result } = statement as Reported;
      const completed = finishing.has(verbName(verb)) || result?.completion === true;
      return { completed, score: completed ? percentOf(result?.score) : null };
    })
    .reduce(mergeH5pFacts, begun);

/** Whether an activity has reached its goal. `facts` is undefined if it was never opened. */
export const isActivityDone = ({ goal, pass_percent }: Pick<H5pBlock, 'goal' | 'pass_percent'>, facts: H5pFacts | undefined): boolean =>
  goal === 'optional' ||
  (facts !== undefined && (goal === 'opened' || (goal === 'completed' ? facts.completed : facts.completed && (facts.score ?? 0) >= pass_percent)));

export const activitiesOf = (topic: { blocks?: ContentDocument['lessons'][number]['topics'][number]['blocks'] }): H5pBlock[] =>
  (topic.blocks ?? []).filter((b) => b.kind === 'h5p');
