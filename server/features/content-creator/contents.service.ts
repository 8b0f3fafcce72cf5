import { randomUUID } from 'node:crypto';
import type { copyContent, createContent, publishContent, updateContent } from '#contract/api/content.ts';
import type { createDesignedContent, updateDesignedContent } from '#contract/api/designed-contents.ts';
import { can } from '#contract/can.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { CourseDescription } from '#contract/entities/course-file.ts';
import type { Content, ContentType } from '#contract/entities/authored-content.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import type { PackageRef } from '#contract/entities/content.ts';
import { mediaOfBlocks } from '#contract/rules/block-media.ts';
import { mediaOfDesign } from '#contract/rules/design-media.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql, type Value } from '#server/db/sql.ts';
import { composed, problemsOf } from '#server/features/content-creator/compose.rows.ts';
import {
  contentNeededBy,
  contentOf,
  designedContentOf,
  own,
  publishedVersion,
  sameForLearners,
  seen,
} from '#server/features/content-creator/contents.rows.ts';
import { designOf, designOfPlayed, keepDesign, withKnownDesignFiles } from '#server/features/content-creator/designs.rows.ts';
import { courseOf } from '#server/features/content-creator/courses.rows.ts';
import { usableFiles, withKnownFiles, withKnownPictures } from '#server/features/content-creator/files.rows.ts';
import { changeOrder, type OrderChange } from '#server/features/content-creator/parts.service.ts';
import { partOf } from '#server/features/content-creator/parts.rows.ts';
import { partsOfQuestion } from '#server/features/content-creator/question-parts.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Fields = Partial<Omit<BodyOf<typeof updateContent>, 'rev'>>;
type Held = {
  id: string;
  type: ContentType;
  entity_id: string;
  designed: boolean;
  published: boolean;
  rev: number;
  current_version: number;
  admin_only: boolean;
  image: string | null;
  course_id: string;
};
type NewLesson = Pick<CourseDescription['lessons'][number], 'title' | 'question_qty' | 'topics' | 'required'> & { published?: boolean };
type Publication = Pick<BodyOf<typeof publishContent>, 'note' | 'material' | 'take_within_days'>;

/** Contents as their authors manage them: added, changed, published, copied and withdrawn. */
export const contentsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const coursePackage = async (on: Db, actor: Actor, id: string): Promise<Omit<PackageRef, 'completion'>> => {
    const pack = existing(await packageById(on, actor, id));
    if (pack.manifest.kind !== 'scorm') throw invalid('package_id', 'This package is not a SCORM course.');
    return { id: pack.id, tree: pack.tree, bytes: pack.bytes, files: pack.files, manifest: pack.manifest };
  };
  const courseHere = async (tx: Db, actor: Actor, id: string): Promise<string> => {
    const course = await tx.one<{ id: string }>(sql`select k.id from courses k where k.id = ${id} and ${courseOf(actor)}`);
    if (!course) throw invalid('course_id', 'Choose a course of your organisation.');
    return course.id;
  };
  /** The fields of a content in the audit log; `package` by its list of files, which distinguishes uploads. */
  const audited = (c: Content | DesignedContent) => ({
    ...{ title: c.title, published: c.published, aims: c.aims, outcomes: c.outcomes, estimated_duration: c.estimated_duration },
    ...{ cpd_accredited: c.cpd_accredited, admin_only: c.admin_only, image: c.image?.hash ?? null, image_alt: c.image_alt },
    prerequisites: c.prerequisites.map((g) => g.prerequisite_contents.map((p) => p.title)),
    ...(c.package ? { package: c.package.tree, completion: c.completion } : {}),
    ...(c.type === 'elearning' && !c.designed
      ? { lessons: c.lessons.map((l) => l.title), quizzes: c.quizzes.map((q) => q.title), complete_when: c.complete_when }
      : {}),
    ...('design' in c ? { pages: c.design.pages.map((p) => p.title), characters: JSON.stringify(c.design).length } : {}),
  });
  const held = async (tx: Db, actor: Actor, id: string): Promise<Held> =>
    existing(
      await tx.one<Held>(
        sql`select c.id, c.type, c.designed, c.entity_id, c.published, c.rev, c.current_version, c.admin_only, c.image, c.course_id from contents c where c.id = ${id} and c.deleted_at is null and ${own(actor)} for update`,
      ),
    );

  /** These parts, if they are lessons and quizzes of this content. */
  const partsHere = async (tx: Db, id: string | null, ids: readonly string[]): Promise<string[]> => {
    const parts = await tx.all<{ id: string }>(
      sql`select lesson_id as id from content_lessons where content_id = ${id} union select quiz_id from content_quizzes where content_id = ${id}`,
    );
    if (ids.some((part) => !parts.some((h) => h.id === part)))
      throw invalid('uncounted', 'One of these is not a lesson or quiz of this content. It may have been taken out in the meantime.');
    return [...new Set(ids)];
  };

  /** The columns of these fields, after checking their references. */
  const columnsOf = async (
    tx: Db,
    actor: Actor,
    type: ContentType,
    { package_id, prerequisites: _, image, uncounted, ...fields }: Fields,
    before: Held | null,
  ) => {
    const columns: Record<string, Value | undefined> & { package_id?: string; image?: string | null } = { ...fields };
    if (type !== 'scorm') {
      if (package_id !== undefined) throw invalid('package_id', 'Only a SCORM content plays a package.');
      if (fields.completion !== undefined) throw invalid('completion', 'Only a SCORM content says when it is completed.');
    } else if (package_id !== undefined) columns.package_id = (await coursePackage(tx, actor, package_id)).id;
    if (uncounted !== undefined) columns.uncounted = await partsHere(tx, before?.id ?? null, uncounted);
    if ((fields.admin_only ?? before?.admin_only ?? false) !== (before?.admin_only ?? false) && !can(actor.user, 'content.restrict'))
      throw new ProductError('forbidden', { fields: { admin_only: ['You do not have permission to change this.'] } });
    if (image === null) columns.image = null;
    else if (image !== undefined) {
      const known = (await usableFiles(tx, actor, [image.hash], before?.image ? [before.image] : [])).get(image.hash);
      if (!known?.type.startsWith('image/')) throw invalid('image', 'This picture is not one of your organisation. Upload it again.');
      columns.image = known.hash;
    }
    return columns;
  };
  /** Stores the prerequisites of a content. It cannot be its own, directly or indirectly. */
  const writePrerequisites = async (tx: Db, actor: Actor, id: string, groups: NonNullable<Fields['prerequisites']>): Promise<void> => {
    const requirements = groups.flatMap((g, i) =>
      [...new Set(g.prerequisite_contents.map((c) => c.id))].map((required) => ({ group: i + 1, required })),
    );
    const ids = requirements.map((w) => w.required);
    const known = await tx.all<{ id: string }>(sql`select c.id from contents c where c.id = any(${ids}::uuid[]) and ${seen(actor)}`);
    const missing = requirements.find((w) => !known.some((k) => k.id === w.required));
    if (missing) throw invalid(`prerequisites.${missing.group - 1}`, 'Choose contents that your organisation has.');
    const circle = await tx.one<{ title: string }>(sql`with recursive before (first, id) as (
        select c, c from unnest(${ids}::uuid[]) c union select b.first, p.required_content_id from before b join content_prerequisites p on p.content_id = b.id)
      select t.title from before b join content_titles t on t.id = b.first where b.id = ${id} order by t.title limit 1`);
    if (circle) throw invalid('prerequisites', `“${circle.title}” itself comes after this content: nobody could begin either of them.`);
    await tx.run(sql`delete from content_prerequisites where content_id = ${id}`);
    for (const { group, required } of requirements)
      await tx.run(insertRow('content_prerequisites', { content_id: id, group_no: group, required_content_id: required }));
  };

  /** Publishes the working copy as the next version, if it differs from the last one. What is played must be complete. */
  const publish = async (tx: Db, by: By, id: string, { note, material, take_within_days }: Publication, at = now()): Promise<void> => {
    const working = existing(await composed(tx, id));
    if ((working.document.type as ContentType) === 'elearning') {
      const [problem] = problemsOf(working);
      if (problem) throw invalid('published', `It cannot be published yet. ${problem}`);
    }
    if (sameForLearners(working, await publishedVersion(tx, id))) return;
    const last =
      (await tx.one<{ last: number }>(sql`select coalesce(max(version), 0) as last from content_versions where content_id = ${id}`))?.last ?? 0;
    const version = last + 1;
    const document = JSON.stringify({ ...working.document, version });
    // The first version needs no confirmation: there is none before it.
    const publication = {
      note,
      material,
      take_within_days: material && version > 1 ? take_within_days : null,
      published_by: by.actor.user.uuid,
      published_at: at,
    };
    await tx.run(insertRow('content_versions', { content_id: id, version, document, answer_keys: JSON.stringify(working.keys), ...publication }));
    await tx.run(sql`update contents set current_version = ${version} where id = ${id}`);
  };
  /** E-learning is played in its published version; other contents as they are. */
  const isPlayedAtOnce = (type: ContentType) => type === 'scorm';
  const nothingSaid: Publication = { note: '', material: false, take_within_days: 0 };

  /** Changes one of the organisation's own contents, with an audit entry. */
  const changeAs = <C extends Content>(
    read: (on: Db, actor: Actor, id: string) => Promise<C>,
    by: By,
    id: string,
    rev: number | undefined,
    write: (tx: Db, row: Held, at: Date) => Promise<void>,
  ): Promise<C> =>
    db.tx(async (tx) => {
      const row = await held(tx, by.actor, id);
      const before = await read(tx, by.actor, id);
      if (rev !== undefined && rev !== row.rev) throw new ProductError('rev_mismatch', { extra: { current: before } });
      const at = now();
      await write(tx, row, at);
      await updateRows(tx, 'contents', { rev: row.rev + 1, updated_at: at }, sql`id = ${id}`);
      const after = await read(tx, by.actor, id);
      const subject = { kind: 'content', id, name: after.title } as const;
      await noteChange(tx, by, now(), { entityId: row.entity_id, action: 'updated', subject, before: audited(before), after: audited(after) });
      return after;
    });
  const change = (by: By, id: string, rev: number | undefined, write: (tx: Db, row: Held, at: Date) => Promise<void>) =>
    changeAs(contentOf, by, id, rev, write);
  const parts = (by: By, id: string, kind: 'lesson' | 'quiz', order: OrderChange) =>
    change(by, id, undefined, async (tx, row) => {
      if (row.type !== 'elearning') throw invalid('action', 'Only an e-learning content has lessons and quizzes.');
      if (row.designed) throw invalid('action', 'This content has pages of its own. Change it in the content designer.');
      if (order.action === 'add') await partOf[kind](tx, by.actor, order.id);
      const list =
        kind === 'lesson'
          ? (['content_lessons', 'lesson_id', partLimits.lessons] as const)
          : (['content_quizzes', 'quiz_id', partLimits.quizzes] as const);
      const [table, column, most] = list;
      await changeOrder(tx, { table, holder: ['content_id', id], held: column, words: { one: kind, most } }, order);
    });

  /** Inserts new lessons with new topics, in order; returns the ids of the optional ones. */
  const writeLessons = async (tx: Db, content: string, lessons: readonly NewLesson[], madeBy: Record<string, Value>): Promise<string[]> => {
    const uncounted: string[] = [];
    for (const [i, { topics, title, published = true, question_qty, required = true }] of lessons.entries()) {
      const lesson_id = randomUUID();
      if (!required) uncounted.push(lesson_id);
      await tx.run(insertRow('lessons', { id: lesson_id, title, published, question_qty, ...madeBy }));
      await tx.run(insertRow('content_lessons', { content_id: content, lesson_id, place: i + 1 }));
      for (const [n, { title: name, hidden, skippable, is_child, blocks }] of topics.entries()) {
        const topic_id = randomUUID();
        await tx.run(insertRow('topics', { id: topic_id, title: name, hidden, skippable, is_child, blocks: JSON.stringify(blocks), ...madeBy }));
        await tx.run(insertRow('lesson_topics', { lesson_id, topic_id, place: n + 1 }));
      }
    }
    return uncounted;
  };

  return {
    create: (by: By, { course_id, type, prerequisites, published, ...body }: BodyOf<typeof createContent>): Promise<Content> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const id = randomUUID();
        const columns = await columnsOf(tx, actor, type, body, null);
        const made = {
          id,
          type,
          course_id: await courseHere(tx, actor, course_id),
          current_version: type === 'elearning' ? 0 : 1,
          published,
          entity_id: actor.place.id,
        };
        if (type === 'elearning' && published) throw invalid('published', 'It cannot be published yet. It has no lesson and no quiz yet.');
        await tx.run(insertRow('contents', { ...columns, ...made, created_at: now(), updated_at: now() }));
        await writePrerequisites(tx, actor, id, prerequisites);
        if (isPlayedAtOnce(type)) await publish(tx, by, id, nothingSaid);
        const content = await contentOf(tx, actor, id);
        const subject = { kind: 'content', id, name: content.title } as const;
        await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject, after: audited(content) });
        return content;
      }),
    /** A designed content begins with the pages that its author chose. */
    createDesigned: (by: By, { course_id, title, design }: BodyOf<typeof createDesignedContent>): Promise<DesignedContent> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const id = randomUUID();
        const when = { created_at: now(), updated_at: now() };
        const made = { id, title, type: 'elearning', designed: true, current_version: 0, published: false, entity_id: actor.place.id };
        await tx.run(insertRow('contents', { ...made, course_id: await courseHere(tx, actor, course_id), ...when }));
        await keepDesign(tx, id, await withKnownDesignFiles(tx, actor, design, null));
        const content = await designedContentOf(tx, actor, id);
        const subject = { kind: 'content', id, name: title } as const;
        await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject, after: audited(content) });
        return content;
      }),
    updateDesigned: (by: By, id: string, { rev, design, ...body }: BodyOf<typeof updateDesignedContent>): Promise<DesignedContent> =>
      changeAs(designedContentOf, by, id, rev, async (tx, row) => {
        if (design) await keepDesign(tx, id, await withKnownDesignFiles(tx, by.actor, design, (await designOf(tx, id)) ?? null));
        await updateRows(tx, 'contents', await columnsOf(tx, by.actor, row.type, body, row), sql`id = ${id}`);
        if (body.prerequisites) await writePrerequisites(tx, by.actor, id, body.prerequisites);
      }),
    update: (by: By, id: string, { rev, ...body }: BodyOf<typeof updateContent>): Promise<Content> =>
      change(by, id, rev, async (tx, row, at) => {
        await updateRows(tx, 'contents', await columnsOf(tx, by.actor, row.type, body, row), sql`id = ${id}`);
        if (body.prerequisites) await writePrerequisites(tx, by.actor, id, body.prerequisites);
        // Withdrawn e-learning comes back as it was: later edits wait until they are published. If it was never published, it is now.
        const first = row.type === 'elearning' && body.published && row.current_version === 0;
        if (isPlayedAtOnce(row.type) || first) await publish(tx, by, id, nothingSaid, at);
      }),
    lessons: (by: By, id: string, order: OrderChange) => parts(by, id, 'lesson', order),
    quizzes: (by: By, id: string, order: OrderChange) => parts(by, id, 'quiz', order),
    /** How many of its questions a quiz asks in a content; 0 asks all. */
    quantity: (by: By, id: string, quiz: string, question_qty: number): Promise<Content> =>
      change(by, id, undefined, async (tx) => {
        const { questions } = await partOf.quiz(tx, by.actor, quiz);
        if (question_qty > questions.length) throw invalid('question_qty', `The quiz has ${questions.length} questions.`);
        existing(await updateRows(tx, 'content_quizzes', { question_qty }, sql`content_id = ${id} and quiz_id = ${quiz}`));
      }),
    publish: (by: By, id: string, { rev, ...publication }: BodyOf<typeof publishContent>): Promise<Content> =>
      change(by, id, rev, async (tx, row, at) => {
        if (row.type !== 'elearning') throw invalid('published', 'Only an e-learning content is published in versions.');
        await publish(tx, by, id, publication, at);
        await updateRows(tx, 'contents', { published: true }, sql`id = ${id}`);
      }),
    /**
     * A draft of the actor's organisation with the same parts. From another organisation's content the published parts are copied, without
     * its quizzes.
     */
    copy: (by: By, id: string, { title, course_id }: BodyOf<typeof copyContent>): Promise<Content> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const from = await contentOf(tx, actor, id);
        const source = from.editable ? (await composed(tx, id))?.document : (await publishedVersion(tx, id))?.document;
        const copied = randomUUID();
        const when = { entity_id: actor.place.id, created_at: now(), updated_at: now() };
        const { aims, outcomes, estimated_duration, cpd_accredited, admin_only, image, image_alt, completion, type } = from;
        const facts = { aims, outcomes, estimated_duration, cpd_accredited, admin_only, image: image?.hash ?? null, image_alt };
        const plays = type === 'scorm' ? { package_id: from.package?.id ?? null, completion } : {};
        const course = await courseHere(tx, actor, course_id);
        await tx.run(
          insertRow('contents', {
            id: copied,
            title,
            course_id: course,
            type,
            published: false,
            designed: from.designed,
            current_version: type === 'elearning' ? 0 : 1,
            ...facts,
            ...plays,
            ...when,
          }),
        );
        const ownDesign = from.designed && from.editable ? await designOf(tx, id) : undefined;
        const design = ownDesign ?? (source?.design && designOfPlayed(source.design));
        const files = [
          image,
          ...(design ? mediaOfDesign(design) : []),
          ...(source?.lessons.flatMap((l) => l.topics.flatMap((t) => mediaOfBlocks(t.blocks))) ?? []),
        ].flatMap((m) => m?.hash ?? []);
        await tx.run(
          sql`insert into content_files (entity_id, hash, name, uploaded_by) select ${actor.place.id}, m.hash, m.name, ${actor.user.uuid} from media m where m.hash = any(${files}) on conflict do nothing`,
        );
        if (design) await keepDesign(tx, copied, design);
        const madeBy = { created_by: actor.user.uuid, ...when };
        const lessons = from.designed ? [] : (source?.lessons ?? []);
        const uncounted = await writeLessons(
          tx,
          copied,
          lessons.map((l) => ({ ...l, required: !from.uncounted.includes(l.id) })),
          madeBy,
        );
        if (from.editable)
          for (const { id: quiz } of from.quizzes) {
            const quiz_id = randomUUID();
            if (from.uncounted.includes(quiz)) uncounted.push(quiz_id);
            await tx.run(sql`insert into quizzes (id, entity_id, title, published, is_randomized, pass_percent, max_tries, created_by, created_at, updated_at)
              select ${quiz_id}, ${actor.place.id}, title, published, is_randomized, pass_percent, max_tries, ${actor.user.uuid}, ${now()}, ${now()} from quizzes where id = ${quiz}`);
            await tx.run(sql`insert into content_quizzes (content_id, quiz_id, place, question_qty)
              select ${copied}, ${quiz_id}, place, question_qty from content_quizzes where content_id = ${id} and quiz_id = ${quiz}`);
            for (const row of await tx.all<{ place: number; question: { id: string }; answer_key: object }>(
              sql`select place, question, answer_key from questions where quiz_id = ${quiz} order by place`,
            )) {
              const question_id = randomUUID();
              const question = JSON.stringify({ ...row.question, id: question_id });
              await tx.run(
                insertRow('questions', { id: question_id, quiz_id, place: row.place, question, answer_key: JSON.stringify(row.answer_key) }),
              );
            }
          }
        await updateRows(tx, 'contents', { uncounted }, sql`id = ${copied}`);
        if (isPlayedAtOnce(type)) await publish(tx, by, copied, nothingSaid);
        const content = await contentOf(tx, actor, copied);
        const subject = { kind: 'content', id: copied, name: title } as const;
        await noteChange(tx, by, now(), {
          entityId: actor.place.id,
          action: 'created',
          subject,
          after: { ...audited(content), copied_from: from.title },
        });
        return content;
      }),
    /** An unpublished e-learning with everything that a course file describes, whose files the organisation already has. */
    importDraft: (
      by: By,
      { title, course_id }: BodyOf<typeof copyContent>,
      {
        content: facts,
        lessons,
        quizzes,
        design,
        organisation,
      }: Pick<CourseDescription, 'content' | 'lessons' | 'quizzes' | 'design' | 'organisation'>,
      then: (tx: Db) => Promise<void>,
    ): Promise<Content> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const id = randomUUID();
        const when = { entity_id: actor.place.id, created_at: now(), updated_at: now() };
        const madeBy = { created_by: actor.user.uuid, ...when };
        const columns = await columnsOf(tx, actor, 'elearning', { ...facts, title }, null);
        const course = await courseHere(tx, actor, course_id);
        const made = { id, type: 'elearning', designed: design !== undefined, course_id: course, published: false, current_version: 0 };
        await tx.run(insertRow('contents', { ...columns, ...made, ...when }));
        if (design) await keepDesign(tx, id, await withKnownDesignFiles(tx, actor, design, null));
        const known: NewLesson[] = [];
        for (const lesson of lessons) {
          const topics: NewLesson['topics'] = [];
          for (const topic of lesson.topics) topics.push({ ...topic, blocks: await withKnownFiles(tx, actor, topic.blocks, []) });
          known.push({ ...lesson, topics });
        }
        const uncounted = await writeLessons(tx, id, known, madeBy);
        for (const [i, { questions, question_qty, required = true, ...quiz }] of quizzes.entries()) {
          const quiz_id = randomUUID();
          if (!required) uncounted.push(quiz_id);
          await tx.run(insertRow('quizzes', { id: quiz_id, ...quiz, ...madeBy }));
          await tx.run(insertRow('content_quizzes', { content_id: id, quiz_id, place: i + 1, question_qty }));
          for (const [n, authored] of (await withKnownPictures(tx, actor, questions, [])).entries()) {
            const { question, key } = partsOfQuestion({ ...authored, id: randomUUID() });
            const texts = { question: JSON.stringify(question), answer_key: JSON.stringify(key) };
            await tx.run(insertRow('questions', { id: question.id, quiz_id, place: n + 1, ...texts }));
          }
        }
        await updateRows(tx, 'contents', { uncounted }, sql`id = ${id}`);
        await then(tx);
        const content = await contentOf(tx, actor, id);
        const after = { ...audited(content), imported_from: organisation };
        await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject: { kind: 'content', id, name: title }, after });
        return content;
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const { title, entity_id, published } = existing(
          await tx.one<{ title: string; entity_id: string; published: boolean }>(
            sql`update contents c set deleted_at = ${now()}, updated_at = ${now()} where c.id = ${id} and c.deleted_at is null and ${own(by.actor)} returning c.title, c.entity_id, c.published`,
          ),
        );
        const neededFor = (await contentNeededBy(tx, id)).join(' and ');
        if (neededFor)
          throw new ProductError('in_use', {
            message: `This content cannot be deleted: it is the only one of its course, and is needed by ${neededFor}. Add another to the course first.`,
          });
        const subject = { kind: 'content', id, name: title } as const;
        await noteChange(tx, by, now(), { entityId: entity_id, action: 'deleted', subject, before: { title, published } });
      }),
  };
};
