import type { CompletionRule, ContentDocument, Quiz, Topic } from '#contract/entities/content.ts';
import { countedQuizzes, requiredTopics } from '#contract/rules/completion.ts';
import { activitiesOf } from '#contract/rules/h5p-facts.ts';

type Titled = { title: string };
type Learning = Pick<ContentDocument, 'package' | 'lessons' | 'quizzes' | 'uncounted'>;

const quoted = ({ title }: Titled) => `“${title}”`;
/** a, b and c */
const listed = (parts: readonly string[]): string => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`);

const ofPackages: Record<CompletionRule, string> = {
  reported: 'Complete when each of its parts reports that it is completed or passed.',
  opened: 'Complete when every part was opened.',
  confirmed: 'Complete when the learner confirms that they have finished it.',
};

/** 80 %, in 3 tries at most */
const markWords = ({ pass_percent, max_tries }: Quiz): string => {
  const tries = max_tries === 0 ? '' : `, in ${max_tries.toLocaleString('en-GB')} ${max_tries === 1 ? 'try' : 'tries at most'}`;
  return `${pass_percent} %${tries}`;
};
const quizPart = (quizzes: readonly Quiz[]): string[] => {
  const [first, ...others] = quizzes;
  if (!first) return [];
  if (others.length === 0) return [`the quiz ${quoted(first)} is passed with ${markWords(first)}`];
  return [`the quizzes ${listed(quizzes.map((q) => `${quoted(q)} (${markWords(q)})`))} are passed`];
};

const topicPart = ({ lessons, uncounted = [], quizzes }: Learning): string[] => {
  const topics = requiredTopics({ lessons, quizzes, uncounted });
  if (topics.length === 0) return [];
  const shown = (among: readonly Topic[]) => among.filter((t) => !t.hidden);
  const counted = lessons.filter((l) => !uncounted.includes(l.id) && shown(l.topics).some((t) => !t.skippable));
  const skipped = counted.some((l) => shown(l.topics).some((t) => t.skippable));
  const which = skipped ? 'all topics that cannot be skipped' : topics.length === 1 ? 'the topic' : 'all topics';
  const leftOut = lessons.some((l) => uncounted.includes(l.id) && shown(l.topics).some((t) => !t.skippable));
  const where = leftOut ? ` of ${counted.length === 1 ? 'the lesson' : 'the lessons'} ${listed(counted.map(quoted))}` : '';
  const doing = topics.some((t) => activitiesOf(t).some((a) => a.goal !== 'optional')) ? ' and their activities done' : '';
  return [`${which}${where} ${which === 'the topic' ? 'is' : 'are'} read${doing}`];
};

/** What completes a content, in one sentence: the rule of `completionOf` in words. */
export const completionSentence = (content: Learning): string => {
  if (content.package) return ofPackages[content.package.completion ?? 'reported'];
  const parts = [...topicPart(content), ...quizPart(countedQuizzes(content))];
  return parts.length === 0 ? 'Complete as soon as it is opened: nothing in it has to be done.' : `Complete when ${parts.join(', and ')}.`;
};
