import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { createLesson, createQuiz, createTopic, quizStatistics, updateLesson, updateQuiz, updateTopic } from '#contract/api/content-parts.ts';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import type { Sort } from '#contract/api/sorts.ts';
import type {
  AuthoredLesson,
  AuthoredQuiz,
  AuthoredTopic,
  BankQuestion,
  LessonLine,
  QuizLine,
  TopicLine,
} from '#contract/entities/authored-parts.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { AnswerKey, Block, H5pBlock, Question } from '#contract/entities/content.ts';
import { authoredQuestion } from '#contract/rules/question-parts.ts';
import { contains, countOf, existing, insertRow, orderBy, pagePart, pageOf, pagesOf, updateRows } from '#server/db/rows.ts';
import { type Db, sql, type Value, word } from '#server/db/sql.ts';
import { withKnownFiles, withKnownPictures } from '#server/features/content-creator/files.rows.ts';
import { ownPart, type Part, type PartKind, partOf, partSource, questionsOf } from '#server/features/content-creator/parts.rows.ts';
import { partsOfQuestion } from '#server/features/content-creator/question-parts.ts';
import { statisticsOf } from '#server/features/content-creator/statistics.rows.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Query = { page: number; per_page: number; search?: string; sort?: Sort<'updated_at' | 'title'>; available_to?: string };
/** How the items of a list are changed: one added at the end, one removed, or all reordered. */
export type OrderChange = { action: 'add'; id: string } | { action: 'remove'; id: string } | { action: 'order'; ids: string[] };

/** Reorders the items of `list`, appends or removes. `list` is a table of pairs with a position. */
export const changeOrder = async (
  tx: Db,
  { table, holder, held, words }: { table: string; holder: [column: string, id: string]; held: string; words: { one: string; most: number } },
  change: OrderChange,
): Promise<void> => {
  const inHolder = sql`${word(holder[0])} = ${holder[1]}`;
  const now = (await tx.all<{ id: string }>(sql`select ${word(held)} as id from ${word(table)} where ${inHolder} order by place`)).map((r) => r.id);
  if (change.action === 'add') {
    if (now.includes(change.id)) throw invalid(held, `This ${words.one} is already there.`);
    if (now.length >= words.most) throw invalid(held, `There is room for ${words.most}.`);
    await tx.run(
      sql`insert into ${word(table)} (${word(holder[0])}, ${word(held)}, place) select ${holder[1]}, ${change.id}, coalesce(max(place), 0) + 1 from ${word(table)} where ${inHolder}`,
    );
  } else if (change.action === 'remove') {
    if (!now.includes(change.id)) throw invalid(held, `This ${words.one} is not there.`);
    await tx.run(sql`delete from ${word(table)} where ${inHolder} and ${word(held)} = ${change.id}`);
  } else {
    if (change.ids.length !== now.length || now.some((id) => !change.ids.includes(id)))
      throw invalid('ids', 'What is there has changed in the meantime. Load it again, then put it in order.');
    await tx.run(
      sql`update ${word(table)} x set place = o.place from unnest(${change.ids}::uuid[]) with ordinality o (id, place) where x.${word(holder[0])} = ${holder[1]} and x.${word(held)} = o.id`,
    );
  }
};

const tables = { lesson: 'lessons', topic: 'topics', quiz: 'quizzes' } as const;

/** Lessons, topics and quizzes, which contents consist of. Learners see a change once a content that uses it is published. */
export const partsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const list = <Line>(kind: PartKind, path: string, actor: Actor, query: Query) => {
    const { columns, from, where } = partSource(kind, actor, query.available_to);
    const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`t.updated_at`, title: sql`t.title` }, sql`t.id`);
    return pageOf<Line>(db, path, query, { columns, from, where: sql`${where} and ${contains([sql`t.title`], query.search)}`, order });
  };
  /** The fields of a part in the audit log. The text itself is too long for an entry: its length shows that it changed. */
  const audited = (kind: PartKind, part: Part<PartKind>) => {
    const p = part as Part<'lesson'> & Part<'topic'> & Part<'quiz'>;
    const loaders = {
      lesson: () => ({ title: p.title, published: p.published, topics: p.topics.map((t) => t.title) }),
      topic: () => ({ title: p.title, hidden: p.hidden, skippable: p.skippable, is_child: p.is_child, characters: JSON.stringify(p.blocks).length }),
      quiz: () => ({
        ...{ title: p.title, published: p.published, is_randomized: p.is_randomized, pass_percent: p.pass_percent, max_tries: p.max_tries },
        questions: p.questions.map((q) => q.prompt),
      }),
    };
    return loaders[kind]();
  };
  const clean = <K extends PartKind>({ entity_id: _, ...part }: Part<K>) => part;
  const find = <K extends PartKind>(on: Db, kind: K, actor: Actor, id: string): Promise<Part<K>> => partOf[kind](on, actor, id);
  const note = (tx: Db, by: By, kind: PartKind, before: Part<PartKind> | null, after: Part<PartKind> | null) => {
    const part = (after ?? before) as Part<PartKind>;
    const action = !before ? 'created' : after ? 'updated' : 'deleted';
    return noteChange(tx, by, now(), {
      ...{ entityId: part.entity_id, action, subject: { kind, id: part.id, name: part.title } },
      ...(before ? { before: audited(kind, before) } : {}),
      ...(after ? { after: audited(kind, after) } : {}),
    });
  };
  const create = <K extends PartKind>(by: By, kind: K, values: Record<string, Value>, then?: (tx: Db, id: string) => Promise<void>) =>
    db.tx(async (tx) => {
      const id = randomUUID();
      const made = { entity_id: by.actor.place.id, created_by: by.actor.user.uuid, created_at: now(), updated_at: now() };
      await tx.run(insertRow(tables[kind], { id, ...values, ...made }));
      await then?.(tx, id);
      const after = await find(tx, kind, by.actor, id);
      await note(tx, by, kind, null, after);
      return clean(after);
    });
  type Write<K extends PartKind> = (tx: Db, before: Part<K>) => Promise<Record<string, Value | undefined>>;
  /** Changes one of the organisation's own, if it is still the version that was seen. */
  const changeIn = async <K extends PartKind>(tx: Db, by: By, kind: K, id: string, rev: number | undefined, write: Write<K>) => {
    existing(await tx.one(sql`select 1 as one from ${word(tables[kind])} t where t.id = ${id} and ${ownPart(by.actor)} for update`));
    const before = await find(tx, kind, by.actor, id);
    if (rev !== undefined && rev !== before.rev) throw new ProductError('rev_mismatch', { extra: { current: clean(before) } });
    await updateRows(tx, tables[kind], await write(tx, before), sql`id = ${id}`);
    // An identical text makes no new version.
    if (isDeepStrictEqual(await find(tx, kind, by.actor, id), before)) return clean(before);
    await updateRows(tx, tables[kind], { rev: before.rev + 1, updated_at: now() }, sql`id = ${id}`);
    const changed = await find(tx, kind, by.actor, id);
    await note(tx, by, kind, before, changed);
    return clean(changed);
  };
  const change = <K extends PartKind>(by: By, kind: K, id: string, rev: number | undefined, write: Write<K>) =>
    db.tx((tx) => changeIn(tx, by, kind, id, rev, write));
  const remove = (by: By, kind: PartKind, id: string): Promise<void> =>
    db.tx(async (tx) => {
      existing(await tx.one(sql`select 1 as one from ${word(tables[kind])} t where t.id = ${id} and ${ownPart(by.actor)} for update`));
      const before = await find(tx, kind, by.actor, id);
      await tx.run(sql`select touch_what_uses(${id}, ${now()}::timestamptz)`);
      await tx.run(sql`delete from ${word(tables[kind])} where id = ${id}`);
      await note(tx, by, kind, before, null);
    });

  /** The current state of an activity of the library. */
  const activityOf = (tx: Db, actor: Actor, id: string) =>
    tx.one<{ title: string; package_id: string }>(
      sql`select h.title, h.package_id from h5ps h where h.id = ${id} and ${actor.seesAll ? sql`true` : sql`h.entity_id in (select entity_and_above(${actor.place.id}))`}`,
    );
  /** The activity as a block, with its current package. */
  const activity = async (tx: Db, actor: Actor, id: string, field: string): Promise<H5pBlock> => {
    const h5p = await activityOf(tx, actor, id);
    if (!h5p) throw invalid(field, 'Choose an activity of your organisation.');
    return {
      kind: 'h5p',
      item_id: randomUUID(),
      h5p_id: id,
      title: h5p.title,
      package: await packageOf(tx, actor, h5p.package_id, field),
      goal: 'completed',
      pass_percent: 0,
    };
  };
  const packageOf = async (tx: Db, actor: Actor, id: string, field: string): Promise<H5pBlock['package']> => {
    const pack = await packageById(tx, actor, id);
    if (pack?.manifest.kind !== 'h5p') throw invalid(field, 'This activity can no longer be used. Choose another one.');
    const { main_library, licence, authors, source } = pack.manifest;
    return { id: pack.id, tree: pack.tree, bytes: pack.bytes, files: pack.files, main_library, licence, authors, source };
  };
  /** The submitted blocks of a topic, with the stored details of their files and packages. */
  const checkedBlocks = async (tx: Db, actor: Actor, blocks: readonly Block[], before: readonly Block[]): Promise<Block[]> => {
    const items = blocks.flatMap((b) => (b.kind === 'h5p' ? [b.item_id] : []));
    if (new Set(items).size !== items.length) throw invalid('blocks', 'Two activities of this topic have the same id.');
    const questionIds = blocks.flatMap((b) => (b.kind === 'question' ? [b.question.id] : []));
    if (new Set(questionIds).size !== questionIds.length) throw invalid('blocks', 'Two questions of this topic have the same id.');
    const known = await withKnownFiles(tx, actor, blocks, before);
    const checked: Block[] = [];
    for (const [i, block] of known.entries()) {
      if (block.kind !== 'h5p') {
        checked.push(block);
        continue;
      }
      const same = before.find((b) => b.kind === 'h5p' && b.package.id === block.package.id) as H5pBlock | undefined;
      checked.push({ ...block, package: same?.package ?? (await packageOf(tx, actor, block.package.id, `blocks.${i}`)) });
    }
    return checked;
  };
  const blocksWith = async (
    tx: Db,
    actor: Actor,
    h5p_id: string | null | undefined,
    blocks: readonly Block[],
    before: readonly Block[],
  ): Promise<Block[]> => {
    const checked = await checkedBlocks(tx, actor, blocks, before);
    if (!h5p_id || checked.some((b) => b.kind === 'h5p' && b.h5p_id === h5p_id)) return checked;
    return [...checked, await activity(tx, actor, h5p_id, 'h5p_id')];
  };

  /** Stores all questions of a quiz, in order. An unchanged one keeps its row. */
  const writeQuestions = async (tx: Db, actor: Actor, quiz: string, sent: readonly AuthoredQuestion[]): Promise<void> => {
    const rows = await tx.all<{ id: string; place: number; question: Question; answer_key: AnswerKey }>(
      sql`select id, place, question, answer_key from questions where quiz_id = ${quiz}`,
    );
    const before = new Map(rows.map((r) => [r.id, r]));
    const questions = await withKnownPictures(
      tx,
      actor,
      sent,
      rows.map((r) => r.question),
    );
    const ids = questions.flatMap((q) => q.id ?? []);
    if (new Set(ids).size !== ids.length) throw invalid('questions', 'The same question is there twice.');
    for (const [i, q] of questions.entries())
      if (q.id && !before.has(q.id))
        throw invalid(`questions.${i}`, 'This question is not one of this quiz. It may have been removed in the meantime.');
    await tx.run(sql`delete from questions where quiz_id = ${quiz} and not (id = any(${ids}::uuid[]))`);
    for (const [i, q] of questions.entries()) {
      const was = q.id ? before.get(q.id) : undefined;
      const whole = { ...q, id: q.id ?? randomUUID() };
      const same = was && isDeepStrictEqual(authoredQuestion({ question: was.question, key: was.answer_key }), whole);
      if (same && was.place === i + 1) continue;
      const { question, key } = same ? { question: was.question, key: was.answer_key } : partsOfQuestion(whole);
      await tx.run(sql`${insertRow('questions', { id: whole.id, quiz_id: quiz, place: i + 1, question: JSON.stringify(question), answer_key: JSON.stringify(key) })}
        on conflict (id) do update set place = excluded.place, question = excluded.question, answer_key = excluded.answer_key`);
    }
  };

  return {
    lessons: {
      list: (actor: Actor, query: Query) => list<LessonLine>('lesson', '/lessons', actor, query),
      get: async (actor: Actor, id: string): Promise<AuthoredLesson> => clean(await find(db, 'lesson', actor, id)),
      create: (by: By, body: BodyOf<typeof createLesson>) => create(by, 'lesson', body),
      update: (by: By, id: string, { rev, ...body }: BodyOf<typeof updateLesson>) => change(by, 'lesson', id, rev, async () => body),
      remove: (by: By, id: string) => remove(by, 'lesson', id),
      /** Its topics: those that the actor may use. */
      topics: (by: By, id: string, order: OrderChange, most: number) =>
        change(by, 'lesson', id, undefined, async (tx) => {
          if (order.action === 'add') await find(tx, 'topic', by.actor, order.id);
          await changeOrder(tx, { table: 'lesson_topics', holder: ['lesson_id', id], held: 'topic_id', words: { one: 'topic', most } }, order);
          return {};
        }),
    },
    topics: {
      list: (actor: Actor, query: Query) => list<TopicLine>('topic', '/topics', actor, query),
      get: async (actor: Actor, id: string): Promise<AuthoredTopic> => clean(await find(db, 'topic', actor, id)),
      create: (by: By, { h5p_id, blocks, ...body }: BodyOf<typeof createTopic>) =>
        create(by, 'topic', body, async (tx, id) => {
          await updateRows(tx, 'topics', { blocks: JSON.stringify(await blocksWith(tx, by.actor, h5p_id, blocks, [])) }, sql`id = ${id}`);
        }),
      update: (by: By, id: string, { rev, h5p_id, blocks, ...body }: BodyOf<typeof updateTopic>) =>
        change(by, 'topic', id, rev, async (tx, before) => {
          const written = blocks ?? before.blocks;
          // Without an activity, those chosen from the library are removed.
          const keptBlocks = h5p_id === null ? written.filter((b) => b.kind !== 'h5p') : written;
          return { ...body, blocks: JSON.stringify(await blocksWith(tx, by.actor, h5p_id, keptBlocks, before.blocks)) };
        }),
      remove: (by: By, id: string) => remove(by, 'topic', id),
      /** Puts the current file of an activity into topics with an older one: all of them, or none. Attempts that have begun keep the older one. */
      renewActivity: (by: By, h5pId: string, ids: readonly string[]): Promise<void> =>
        db.tx(async (tx) => {
          const { package_id } = existing(await activityOf(tx, by.actor, h5pId));
          const file = await packageOf(tx, by.actor, package_id, 'topic_ids');
          // In one order, so that two concurrent calls do not deadlock.
          for (const id of [...new Set(ids)].sort())
            await changeIn(tx, by, 'topic', id, undefined, async (_, { blocks }) => ({
              blocks: JSON.stringify(
                blocks.map((b) =>
                  b.kind === 'h5p' && b.h5p_id === h5pId && b.package.id !== file.id ? { ...b, item_id: randomUUID(), package: file } : b,
                ),
              ),
            }));
        }),
    },
    quizzes: {
      list: (actor: Actor, query: Query) => list<QuizLine>('quiz', '/quizzes', actor, query),
      get: async (actor: Actor, id: string): Promise<AuthoredQuiz> => clean(await find(db, 'quiz', actor, id)),
      create: (by: By, { questions, ...body }: BodyOf<typeof createQuiz>) =>
        create(by, 'quiz', body, async (tx, id) => {
          if (questions.some((q) => q.id)) throw invalid('questions', 'A new quiz has new questions: they have no id yet.');
          await writeQuestions(tx, by.actor, id, questions);
        }),
      update: (by: By, id: string, { rev, questions, ...body }: BodyOf<typeof updateQuiz>) =>
        change(by, 'quiz', id, rev, async (tx) => {
          if (questions) await writeQuestions(tx, by.actor, id, questions);
          return body;
        }),
      remove: (by: By, id: string) => remove(by, 'quiz', id),
      order: (by: By, id: string, ids: readonly string[]) =>
        change(by, 'quiz', id, undefined, async (tx) => {
          const currentIds = (await questionsOf(tx, id)).map((q) => q.id);
          if (currentIds.length !== ids.length || currentIds.some((q) => !ids.includes(q)))
            throw invalid('questions', 'The questions have changed in the meantime. Load the quiz again, then put them in order.');
          await tx.run(
            sql`update questions q set place = o.place from unnest(${[...ids]}::uuid[]) with ordinality o (id, place) where q.id = o.id and q.quiz_id = ${id}`,
          );
          return {};
        }),
      /** The statistics of a quiz that the actor sees. */
      statistics: async (actor: Actor, id: string, query: QueryOf<typeof quizStatistics>) => {
        await find(db, 'quiz', actor, id);
        return statisticsOf(db, actor, id, query);
      },
      bank: async (actor: Actor, query: Query) => {
        const from = sql`questions q join quizzes t on t.id = q.quiz_id`;
        const where = sql`${ownPart(actor)} and ${query.available_to ? sql`q.quiz_id <> ${query.available_to}` : sql`true`} and ${contains([sql`q.question ->> 'prompt'`, sql`t.title`], query.search)}`;
        const total = await countOf(db, sql`${from} where ${where}`);
        const rows = await db.all<{ question: Question; key: AnswerKey; quiz: BankQuestion['quiz'] }>(
          sql`select q.question, q.answer_key as key, json_build_object('id', t.id, 'title', t.title) as quiz from ${from} where ${where} order by t.title, t.id, q.place, q.id ${pagePart(query)}`,
        );
        const data = rows.map(({ question, key, quiz }): BankQuestion => ({ question: authoredQuestion({ question, key }), quiz }));
        return { data, ...pagesOf('/questions', query, total) };
      },
    },
  };
};
