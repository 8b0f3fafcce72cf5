import { can } from '#contract/can.ts';
import { protocol } from '#contract/protocol.ts';
import { certificateNumberWords } from '#contract/rules/certificate-number.ts';
import type { Actor } from '#server/actor.ts';
import { personAt, visiblePerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { createLooks } from '#server/features/results/certificates.rows.ts';
import { bestFirst, isCertified } from '#server/features/results/results.rows.ts';
import { type WalletCard, walletCardsPdf } from '#server/features/results/wallet-card-pdf.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Row = {
  user_id: string;
  name: string;
  organisation: string;
  entity_id: string;
  zone: string;
  course: string;
  expires_at: string | null;
  certificate_number: string;
};
const noFile = { file: Buffer.alloc(0), type: 'text/plain', status: 204 };

/** Wallet cards: what a person may show at the door of another home. */
export const walletCardsOf = ({ db, files, config, now }: Services) => {
  const mayDownload = (actor: Actor, id: string) => can(actor.user, id === actor.user.uuid ? 'certificate.own' : 'certificate.user');
  /** For people that the actor sees: the newest certificate of each course, if it is in date. */
  const cardsOf = async (actor: Actor, ids: readonly string[]): Promise<WalletCard[]> => {
    const rows = await db.all<Row>(sql`
      select u.id as user_id, u.name, e.name as organisation, e.id as entity_id, e.time_zone as zone, case when length(c.title) > 45 and c.short_title <> '' then c.short_title else c.title end as course, r.expires_at, r.certificate_number
      from (select distinct on (r.user_id, r.course_id) r.* from results r where r.user_id = any(${[...ids]}::uuid[]) and r.status = 'approved' and r.type <> 'exempt'
          order by r.user_id, r.course_id, ${bestFirst}) r
        join users u on u.id = r.user_id join course_titles c on c.id = r.course_id join entities e on e.id = u.primary_entity_id
      where ${isCertified} and (r.expires_at is null or not is_over(r.expires_at, ${now()}, e.time_zone)) and ${visiblePerson(actor)} order by u.name, u.id, c.title, r.id`);
    const lookOf = createLooks(db, files, config);
    const cards: WalletCard[] = [];
    for (const [i, row] of rows.entries()) {
      const certificate = { course: row.course, expiresAt: row.expires_at, number: certificateNumberWords(row.certificate_number) };
      const last = cards.at(-1);
      if (last && rows[i - 1]?.user_id === row.user_id) cards[cards.length - 1] = { ...last, certificates: [...last.certificates, certificate] };
      else cards.push({ look: await lookOf(row), name: row.name, certificates: [certificate] });
    }
    return cards;
  };
  const today = (actor: Actor) => downloadDay(now(), actor.user.time_zone);
  return {
    ofPerson: async (actor: Actor, id: string) => {
      const { name } = await personAt(db, actor, id);
      if (!mayDownload(actor, id)) throw new ProductError('forbidden');
      const cards = await cardsOf(actor, [id]);
      if (cards.length === 0) return noFile;
      const file = await walletCardsPdf(cards, { sheet: false, at: now() });
      return { file, type: 'application/pdf', name: `${name} wallet card ${today(actor)}.pdf` };
    },
    ofPeople: async (actor: Actor, chosen: readonly string[]) => {
      const seen = await db.all<{ id: string }>(
        sql`select u.id from users u where u.id = any(${[...new Set(chosen)]}::uuid[]) and ${visiblePerson(actor)}`,
      );
      if (!seen.every(({ id }) => mayDownload(actor, id))) throw new ProductError('forbidden');
      const cards = await cardsOf(
        actor,
        seen.map(({ id }) => id),
      );
      const headers = { [protocol.leftOutHeader]: String(seen.length - cards.length) };
      if (cards.length === 0) return { ...noFile, headers };
      const file = await walletCardsPdf(cards, { sheet: true, at: now() });
      return { file, type: 'application/pdf', name: `wallet cards ${actor.user.name} ${today(actor)}.pdf`, headers };
    },
  };
};
