import { randomUUID } from 'node:crypto';
import type { updateDashboardLayout } from '#contract/api/dashboards.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import { type DashboardId, dashboardTitles } from '#contract/dashboard-titles.ts';
import { widgetsOf } from '#contract/dashboard-widgets.ts';
import type { DashboardLayout } from '#contract/entities/dashboard.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { type ArrangedWidget, arrangeWidgets } from '#contract/rules/arrange-widgets.ts';
import { needOf } from '#contract/site-map.ts';
import type { Actor } from '#server/actor.ts';
import { insertRow } from '#server/db/rows.ts';
import { entityAndAbove, entityAt } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Saved = { layout: ArrangedWidget[]; rev: string };

/** The layouts of dashboards: people's own, and those that administrators set for everybody at an organisation. */
export const layoutsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const mayOpen = (actor: Actor, dashboard: DashboardId) => {
    if (!can(actor.user, needOf(dashboard))) throw new ProductError('forbidden');
  };
  const mayShare = (actor: Actor): boolean => can(actor.user, 'entity.update');
  const ownLayout = (actor: Actor): Statement => sql`l.user_id = ${actor.user.uuid}`;
  const saved = (on: Db, userId: Statement, dashboard: DashboardId) =>
    on.one<Saved>(sql`select l.layout, l.rev from dashboard_layouts l where ${userId} and l.dashboard = ${dashboard}`);

  const get = async (on: Db, actor: Actor, dashboard: DashboardId): Promise<DashboardLayout> => {
    mayOpen(actor, dashboard);
    const personal = await saved(on, ownLayout(actor), dashboard);
    // The nearer an organisation, the more organisations are above it.
    const nearest = await on.one<Saved & { id: string; name: string }>(sql`select n.id, n.name, l.layout, l.rev
      from dashboard_layouts l join entity_names n on n.id = l.entity_id
      where l.dashboard = ${dashboard} and l.entity_id in (${entityAndAbove(actor.place.id)})
      order by (select count(*) from entity_below b where b.below = l.entity_id) desc limit 1`);
    const seen = widgetsOf(dashboard).filter(({ need }) => !need || can(actor.user, need));
    const { id, name, slug } = actor.place;
    return {
      widgets: arrangeWidgets(
        seen.map((w) => w.id),
        (personal ?? nearest)?.layout ?? [],
      ),
      from: personal ? 'person' : nearest ? 'organisation' : 'standard',
      organisation: nearest ? { id: nearest.id, name: nearest.name } : null,
      rev: personal?.rev ?? null,
      shared: mayShare(actor) ? { entity: { id, name, slug }, rev: nearest?.id === id ? nearest.rev : null } : null,
    };
  };

  /** The organisation for which somebody arranges a dashboard; null for their own. */
  const forWhom = async (on: Db, actor: Actor, dashboard: DashboardId, slug: string | undefined): Promise<EntityRef | null> => {
    mayOpen(actor, dashboard);
    if (slug === undefined) return null;
    if (!mayShare(actor)) throw new ProductError('forbidden');
    return entityAt(on, actor, slug);
  };
  const layoutOwner = (actor: Actor, entity: EntityRef | null): Statement => (entity ? sql`l.entity_id = ${entity.id}` : ownLayout(actor));
  /** One's own layout is private: the audit log has only those arranged for others. */
  const note = async (
    tx: Db,
    by: By,
    dashboard: DashboardId,
    entity: EntityRef | null,
    before: Saved | undefined,
    after: readonly ArrangedWidget[] | null,
  ) => {
    if (!entity) return;
    const titles = new Map(widgetsOf(dashboard).map((w) => [w.id, w.title]));
    const auditFields = (widgets: readonly ArrangedWidget[]) => {
      const named = (hidden: boolean) => widgets.filter((w) => w.hidden === hidden).map((w) => titles.get(w.id) ?? w.id);
      return { shown: named(false), hidden: named(true) };
    };
    await noteChange(tx, by, now(), {
      ...{ entityId: entity.id, action: before ? (after ? 'updated' : 'deleted') : 'created' },
      subject: { kind: 'dashboard', id: dashboard, name: dashboardTitles[dashboard] },
      ...(before ? { before: auditFields(before.layout) } : {}),
      ...(after ? { after: auditFields(after) } : {}),
    });
  };

  return {
    get: (actor: Actor, dashboard: DashboardId) => get(db, actor, dashboard),
    save: (by: By, dashboard: DashboardId, { widgets, rev, entity: slug }: BodyOf<typeof updateDashboardLayout>): Promise<DashboardLayout> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const entity = await forWhom(tx, actor, dashboard, slug);
        const which = layoutOwner(actor, entity);
        await tx.run(sql`select 1 from dashboard_layouts l where ${which} and l.dashboard = ${dashboard} for update`);
        const before = await saved(tx, which, dashboard);
        if ((before?.rev ?? null) !== rev) throw new ProductError('rev_mismatch');
        const known = new Set(widgetsOf(dashboard).map((w) => w.id));
        const layout = widgets.filter(({ id }, i) => known.has(id) && widgets.findIndex((w) => w.id === id) === i);
        const values = { rev: randomUUID(), layout: JSON.stringify(layout), changed_at: now() };
        const row = insertRow('dashboard_layouts', { ...values, dashboard, ...(entity ? { entity_id: entity.id } : { user_id: actor.user.uuid }) });
        const on = entity ? sql`(entity_id, dashboard)` : sql`(user_id, dashboard)`;
        // First saved twice at once: one of them wins.
        const written =
          await tx.run(sql`${row} on conflict ${on} do update set rev = excluded.rev, layout = excluded.layout, changed_at = excluded.changed_at
          where dashboard_layouts.rev = ${rev}`);
        if (written === 0) throw new ProductError('rev_mismatch');
        if (entity?.id === actor.place.id && !actor.actingAs)
          await tx.run(sql`delete from dashboard_layouts l where ${ownLayout(actor)} and l.dashboard = ${dashboard}`);
        await note(tx, by, dashboard, entity, before, layout);
        return get(tx, actor, dashboard);
      }),
    remove: (by: By, dashboard: DashboardId, slug: string | undefined): Promise<void> =>
      db.tx(async (tx) => {
        const entity = await forWhom(tx, by.actor, dashboard, slug);
        const which = layoutOwner(by.actor, entity);
        await tx.run(sql`select 1 from dashboard_layouts l where ${which} and l.dashboard = ${dashboard} for update`);
        const before = await saved(tx, which, dashboard);
        if (!before) return;
        await tx.run(sql`delete from dashboard_layouts l where ${which} and l.dashboard = ${dashboard}`);
        await note(tx, by, dashboard, entity, before, null);
      }),
  };
};
