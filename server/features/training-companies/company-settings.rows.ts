import type { CompanySettings } from '#contract/entities/training-company.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';

/** The defaults of an organisation without settings. */
const standard: Omit<CompanySettings, 'entity' | 'inherited_from'> = {
  ...{ allow_multiple_days_per_booking: true, allow_multiple_sessions_per_booking: true, allow_virtual_training_sessions: true },
  ...{ auto_release_certificates: true, delegate_auto_accept_period: 0, waiting_list_accept_hours: 24, delegate_removal_cutoff_hours: 0 },
  ...{ practical_min_delegates: null, practical_max_delegates: null, theory_min_delegates: null, theory_max_delegates: null },
  ...{ bookings_organiser_reference_prefix: '', communication_preferences_json: [], logo: null, rev: 0 },
};

type Nearest = Omit<CompanySettings, 'entity' | 'inherited_from'> & { of: CompanySettings['entity'] };
/** The settings as JSON in a statement. */
export type ReadSettings = { entity: CompanySettings['entity']; nearest: Nearest | null };
export const readSettings = (entityId: Statement): Statement =>
  sql`(select json_build_object('entity', json_build_object('id', o.id, 'name', o.name, 'slug', o.slug), 'nearest', (select row_to_json(n) from (select s.allow_multiple_days_per_booking, s.allow_multiple_sessions_per_booking, s.allow_virtual_training_sessions, s.auto_release_certificates,
        s.delegate_auto_accept_period, s.waiting_list_accept_hours, s.delegate_removal_cutoff_hours, s.practical_min_delegates, s.practical_max_delegates, s.theory_min_delegates,
        s.theory_max_delegates, s.bookings_organiser_reference_prefix, s.communication_preferences_json, s.logo, s.rev,
        json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as of
      from training_company_settings s join entity_names e on e.id = s.entity_id
      where s.entity_id = any(array(select b.above from entity_below b where b.below = o.id)) order by (select count(*) from entity_below a where a.below = s.entity_id) desc limit 1) n))
      from entity_names o where o.id = ${entityId})`;
export const settingsFrom = ({ entity, nearest }: ReadSettings): CompanySettings => {
  if (!nearest) return { ...standard, entity, inherited_from: null };
  const { of, ...settings } = nearest;
  return of.id === entity.id ? { ...settings, entity, inherited_from: null } : { ...settings, rev: 0, entity, inherited_from: of };
};

/**
 * The settings with which an organisation provides training: its own, else those of the nearest organisation above that has some, else the
 * defaults. `rev` is 0 if it has none of its own.
 */
export const companySettings = async (on: Db, entityId: string): Promise<CompanySettings> => {
  const row = await on.one<{ settings: ReadSettings | null }>(often(sql`select ${readSettings(sql`${entityId}::uuid`)} as settings`));
  return settingsFrom(existing(row?.settings));
};
