import type { quizStatistics } from '#contract/api/content-parts.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { Answer, Question } from '#contract/entities/content.ts';
import { mostWrongAnswers, type QuestionStatistics, type QuizStatistics } from '#contract/entities/quiz-statistics.ts';
import { answerWords } from '#contract/rules/answer-words.ts';
import { addDays, startOfDay } from '#contract/rules/days.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

type Group = { question_id: string; correct: boolean; answer: Answer | null; count: number };

/** How the first tries of the actor's people at a quiz went: each question, and the wrong answers given. */
export const statisticsOf = async (on: Db, actor: Actor, quiz: string, query: QueryOf<typeof quizStatistics>): Promise<QuizStatistics> => {
  const theirs = actor.seesAll ? sql`true` : sql`u.primary_entity_id = any(${[...actor.entityIds]}::uuid[])`;
  const { from, to, content_id, version } = query;
  const zone = actor.user.time_zone;
  const days = sql`${from ? sql`t.submitted_at >= ${startOfDay(from, zone)}::timestamptz` : sql`true`} and ${to ? sql`t.submitted_at < ${startOfDay(addDays(to, 1), zone)}::timestamptz` : sql`true`}`;
  // Which first tries are included; the versions to choose from are those of all of them.
  const chosen = sql`${content_id ? sql`t.content_id = ${content_id}` : sql`true`} and ${version ? sql`t.version = ${version}` : sql`true`} and ${days}`;
  // Each answer is looked up once (`offset 0`), in JSON that was unpacked once (`|| '{}'`): unpacking took most of the time. Written
  // answers are not read: they are people's own words.
  const found = await on.one<{ tries: number; passed: number; groups: Group[]; versions: QuizStatistics['versions'] }>(sql`
    with firsts as materialized (select a.content_id, a.content_version as version, s.passed, s.answers || '{}' as answers, s.outcomes, s.submitted_at
      from quiz_submissions s join attempts a on a.id = s.attempt_id join users u on u.id = a.user_id and ${theirs} where s.quiz_id = ${quiz} and s.try_no = 1),
    tries as (select t.* from firsts t where ${chosen}),
    asked as (select o.value ->> 'question_id' as question_id, (o.value ->> 'correct')::boolean as correct, t.answers -> (o.value ->> 'question_id') as answer
      from tries t cross join lateral jsonb_array_elements(t.outcomes) o offset 0),
    groups as (select question_id, correct, case when answer ->> 'kind' <> 'free_text' then answer end as answer, count(*)::int as count from asked group by 1, 2, 3),
    versions as (select t.content_id, t.version, count(*)::int as tries from firsts t group by 1, 2)
    select (select count(*)::int from tries) as tries, (select count(*)::int from tries where passed) as passed,
      coalesce((select json_agg(g) from groups g), '[]'::json) as groups,
      coalesce((select json_agg(json_build_object('content', json_build_object('id', c.id, 'title', c.title), 'version', v.version, 'tries', v.tries) order by c.title, c.id, v.version desc)
        from versions v join content_titles c on c.id = v.content_id), '[]'::json) as versions`);
  const { groups, versions, ...whole } = existing(found);
  const questions = await questionsAsked(on, quiz, content_id, version);
  const byQuestion = Map.groupBy(groups, (g) => g.question_id);
  return {
    ...whole,
    versions,
    questions: questions.flatMap((question) => {
      const answers = byQuestion.get(question.id);
      return answers ? [statisticOf(question, answers)] : [];
    }),
  };
};

const sum = (groups: readonly { count: number }[]) => groups.reduce((total, g) => total + g.count, 0);
const statisticOf = (question: Question, groups: readonly Group[]): QuestionStatistics => {
  const wrong = groups.filter((g) => !g.correct);
  const timesGiven = new Map<string, number>();
  for (const { answer, count } of wrong) {
    const words = answerWords(question, answer);
    if (words !== null) timesGiven.set(words, (timesGiven.get(words) ?? 0) + count);
  }
  const instead = [...timesGiven].map(([words, count]) => ({ words, count })).sort((a, b) => b.count - a.count || (a.words < b.words ? -1 : 1));
  return {
    ...{ question_id: question.id, kind: question.kind, prompt: question.prompt },
    ...{ asked: sum(groups), right: sum(groups.filter((g) => g.correct)) },
    skipped: question.kind === 'free_text' ? 0 : sum(wrong.filter((g) => answerWords(question, g.answer) === null)),
    instead: instead.slice(0, mostWrongAnswers),
  };
};

/** The questions of a quiz as they were asked, in their newest wording, in order; those of one version if `version` is given. */
const questionsAsked = async (on: Db, quiz: string, content?: string, version?: number): Promise<Question[]> => {
  const rows = await on.all<{ question: Question }>(sql`select q.value as question from content_versions v
      cross join lateral jsonb_array_elements(v.document -> 'quizzes') z cross join lateral jsonb_array_elements(z.value -> 'questions') with ordinality q (value, place)
    where v.document -> 'quizzes' @> ${JSON.stringify([{ id: quiz }])}::jsonb and z.value ->> 'id' = ${quiz}
      and ${content ? sql`v.content_id = ${content}` : sql`true`} and ${version ? sql`v.version = ${version}` : sql`true`}
    order by v.published_at desc, v.version desc, q.place`);
  const newest = new Map<string, Question>();
  for (const { question } of rows) if (!newest.has(question.id)) newest.set(question.id, question);
  return [...newest.values()];
};
