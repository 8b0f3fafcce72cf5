import { type CompanySettings, type CompanySettingsChange, companySettingsFields, delegateProblem } from '#contract/entities/training-company.ts';
import type { Actor } from '#server/actor.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const decided = [...Object.keys(companySettingsFields), 'logo'] as (keyof CompanySettingsChange)[];
const choicesOf = (settings: CompanySettings) => Object.fromEntries(decided.map((field) => [field, settings[field]]));

type Place = CompanySettings['entity'];
/** An organisation that the actor sees, by its slug or id, or 404. */
const placeAt = async (on: Db, actor: Actor, slugOrId: string): Promise<Place> =>
  existing(
    await on.one<Place>(
      sql`select e.id, e.name, e.slug from entities e where (e.slug = ${slugOrId} or e.id::text = ${slugOrId}) and ${visibleEntity(actor)}`,
    ),
  );

/** Training companies: their settings, for people who see the organisation. */
export const companiesOf = ({ db, files, now }: Pick<Services, 'db' | 'files' | 'now'>) => {
  const pictures = createPictures(files);
  return {
    settings: async (actor: Actor, slugOrId: string): Promise<CompanySettings> => companySettings(db, (await placeAt(db, actor, slugOrId)).id),
    /** Absent fields stay; values inherited from an organisation above become its own. `rev` null overwrites any version. */
    change: (by: By, slugOrId: string, change: CompanySettingsChange, rev: number | null): Promise<CompanySettings> =>
      db.tx(async (tx) => {
        const entity = await placeAt(tx, by.actor, slugOrId);
        await lockEntity(tx, entity.id);
        const before = await companySettings(tx, entity.id);
        if (rev !== null && rev !== before.rev) throw new ProductError('rev_mismatch', { extra: { current: before } });
        const changed = { ...choicesOf(before), ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
        const problem = delegateProblem(changed);
        if (problem) throw invalid(problem.field, problem.message);
        if (change.logo && !(await tx.one(sql`select 1 as one from brand_pictures where hash = ${change.logo.slice(-68, -4)}`)))
          throw invalid('logo', 'Choose the picture again.');
        const { communication_preferences_json: preferences, ...plain } = changed as unknown as Pick<
          CompanySettings,
          keyof typeof companySettingsFields
        >;
        const row = {
          ...plain,
          communication_preferences_json: JSON.stringify(preferences.filter((p) => !p.email || p.text !== null)),
          ...{ rev: before.rev + 1, updated_at: now(), updated_by: by.actor.user.uuid },
        };
        if (before.rev === 0) await tx.run(insertRow('training_company_settings', { entity_id: entity.id, ...row }));
        else await updateRows(tx, 'training_company_settings', row, sql`entity_id = ${entity.id}`);
        const after = await companySettings(tx, entity.id);
        await noteChange(tx, by, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'training_company', id: entity.id, name: entity.name } },
          ...{ before: choicesOf(before), after: choicesOf(after) },
        });
        return after;
      }),
    /** Stores a picture for a logo, and returns its URL. */
    addLogo: async (actor: Actor, slugOrId: string, bytes: Buffer | undefined): Promise<{ logo: string }> => {
      await placeAt(db, actor, slugOrId);
      const drawn = await pictures.draw('logo', bytes ?? Buffer.alloc(0));
      return { logo: await db.tx((tx) => pictures.keep(tx, drawn)) };
    },
  };
};
