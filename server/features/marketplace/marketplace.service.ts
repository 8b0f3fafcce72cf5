import { randomUUID } from 'node:crypto';
import type { createMarketplaceItem, listMarketplaceItems, listOfferedCourses } from '#contract/api/marketplace.ts';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { type MarketplaceItem, type OfferedCourse, usualPlatformShare } from '#contract/entities/marketplace.ts';
import { contains, countOf, existing, insertRow, orderBy, pageOf, pagePart, pagesOf, updateRows } from '#server/db/rows.ts';
import { hasCourse, visibleEntity } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { itemAt, itemColumns, itemOf, itemTables, seenItem } from '#server/features/marketplace/items.rows.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

type Written = BodyOf<typeof createMarketplaceItem>;
const sortedBy = { title: sql`lower(t.title)`, price: sql`t.price_pence`, provider: sql`lower(e.name)` };

/** The items that providers offer to other organisations. */
export const marketplaceOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  /** Only training companies and the organisation that runs the platform offer items. */
  const requireProvider = async (on: Db, { id }: Actor['place']) => {
    const provides = await on.one(sql`select 1 as one from entities e
      where e.id = ${id} and (e.is_training_company or exists (select 1 from users u where u.primary_entity_id = e.id and u.super_admin))`);
    if (!provides)
      throw new ProductError('forbidden', { message: 'Only training companies and the platform itself offer something in the marketplace.' });
  };
  const playable = sql`exists (select 1 from contents c
    where c.course_id = k.id and c.type in ('elearning', 'scorm') and c.published and not c.admin_only and c.deleted_at is null)`;
  /** Licences are sold for e-learning that the provider has made; places on any course that it has. */
  const checkCourse = async (on: Db, provider: string, { type, course_id }: Written) => {
    const course = await on.one<{ made: boolean; playable: boolean }>(sql`select k.entity_id = ${provider} as made, ${playable} as playable
      from courses k where k.id = ${course_id} and ${hasCourse(provider)}`);
    if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
    if (type === 'elearning' && !course.made)
      throw invalid('course_id', 'Licences are sold for courses that your organisation has made. Choose one of these.');
    if (type === 'elearning' && !course.playable) throw invalid('course_id', 'This course has no published e-learning yet.');
  };
  /** The platform's share after the change: only the platform's operator changes it. */
  const shareOf = (actor: Actor, share: number | undefined, before: number) => {
    if (share === undefined || share === before) return before;
    if (!actor.user.super_admin) throw invalid('platform_share', 'The share of the platform is set by its operator.');
    return share;
  };
  const columnsOf = ({ platform_share: _share, ...written }: Written) => written;
  const auditFields = ({
    title,
    type,
    course,
    price_pence,
    vat_rate,
    seats,
    licence_months,
    platform_share,
    published,
    available_to,
  }: MarketplaceItem) => ({
    ...{ title, type, course: course.name, price_pence, vat_rate, seats, licence_months, platform_share, published, available_to },
  });
  const note = (tx: Db, by: By, action: 'created' | 'updated' | 'deleted', item: MarketplaceItem, change: { before?: object; after?: object }) =>
    noteChange(tx, by, now(), {
      entityId: item.provider.id,
      action,
      subject: { kind: 'item', id: item.id, name: item.title },
      ...(change as object),
    });
  /** One of the actor's own items, its row locked. */
  const ownOffer = async (tx: Db, actor: Actor, id: string) => {
    await tx.run(sql`select 1 from marketplace_items where id = ${id} for update`);
    const item = await itemAt(tx, actor, id);
    if (!item.own) throw new ProductError('forbidden', { message: `This is offered by ${item.provider.name}, and can be changed there.` });
    return item;
  };

  /** Whether any order contains it, including those that its provider does not see. */
  const isOrdered = async (tx: Db, id: string) =>
    (await tx.one<{ ordered: boolean }>(sql`select marketplace_item_ordered(${id}) as ordered`))?.ordered;

  return {
    page: async (actor: Actor, query: QueryOf<typeof listMarketplaceItems>) => {
      const where = sql`${query.own ? visibleEntity(actor) : seenItem(actor)} and ${query.type ? sql`t.type = ${query.type}` : sql`true`}
        and ${contains([sql`t.title`, sql`t.description`, sql`e.name`], query.search)}`;
      const total = await countOf(db, sql`${itemTables} where ${where}`);
      const rows = await db.all<Parameters<typeof itemOf>[0]>(
        sql`select ${itemColumns(actor)} from ${itemTables} where ${where} order by ${orderBy(query.sort ?? 'title', sortedBy, sql`t.id`)} ${pagePart(query)}`,
      );
      return { data: rows.map(itemOf), ...pagesOf('/api/marketplace-items', query, total) };
    },
    courses: (actor: Actor, query: QueryOf<typeof listOfferedCourses>) =>
      pageOf<OfferedCourse>(db, '/marketplace-courses', query, {
        columns: sql`k.id, k.title, (select coalesce(json_agg(distinct c.type), '[]'::json) from contents c
          where c.course_id = k.id and c.published and not c.admin_only and c.deleted_at is null) as types`,
        from: sql`courses k`,
        where: sql`${query.type === 'elearning' ? sql`k.entity_id = ${actor.place.id} and ${playable}` : hasCourse(actor.place.id)}
          and ${contains([sql`k.title`, sql`k.short_title`], query.search)}`,
        order: sql`lower(k.title), k.id`,
      }),
    get: (actor: Actor, id: string): Promise<MarketplaceItem> => itemAt(db, actor, id),
    /** Its e-learning, as a preview. Prerequisites are left out: they belong to other courses, and no attempt is started here. */
    preview: async (actor: Actor, id: string): Promise<ContentDocument> => {
      await itemAt(db, actor, id);
      const { document } = existing(await db.one<{ document: ContentDocument | null }>(sql`select marketplace_document(${id}) as document`));
      return { ...existing(document), prerequisites: [] };
    },
    create: (by: By, body: Written): Promise<MarketplaceItem> =>
      db.tx(async (tx) => {
        const { place, user } = by.actor;
        await requireProvider(tx, place);
        await checkCourse(tx, place.id, body);
        const [id, at] = [randomUUID(), now()];
        const platform_share = shareOf(by.actor, body.platform_share, usualPlatformShare);
        const made = { id, entity_id: place.id, created_by: user.uuid, created_at: at, changed_at: at, platform_share };
        await tx.run(insertRow('marketplace_items', { ...columnsOf(body), ...made }));
        const item = await itemAt(tx, by.actor, id);
        await note(tx, by, 'created', item, { after: auditFields(item) });
        return item;
      }),
    update: (by: By, id: string, body: Written): Promise<MarketplaceItem> =>
      db.tx(async (tx) => {
        const before = await ownOffer(tx, by.actor, id);
        await checkCourse(tx, before.provider.id, body);
        const platform_share = shareOf(by.actor, body.platform_share, before.platform_share ?? usualPlatformShare);
        await updateRows(tx, 'marketplace_items', { ...columnsOf(body), platform_share, changed_at: now() }, sql`id = ${id}`);
        const after = await itemAt(tx, by.actor, id);
        await note(tx, by, 'updated', after, { before: auditFields(before), after: auditFields(after) });
        return after;
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const before = await ownOffer(tx, by.actor, id);
        const ordered = await isOrdered(tx, id);
        if (ordered) throw new ProductError('in_use', { message: 'This has been ordered. Withdraw it instead: clear “Published”.' });
        await tx.run(sql`delete from marketplace_items where id = ${id}`);
        await note(tx, by, 'deleted', before, { before: auditFields(before) });
      }),
  };
};
