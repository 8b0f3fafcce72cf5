import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import { hashOf } from '#server/security/secrets.ts';

/** Free failures (people mistype), the longest wait after more, and when failures are forgotten. */
type Rule = { free: number; longestWaitMs: number; forgottenAfterMs: number };
const minute = 60_000;
const day = 24 * 60 * minute;
const rules = {
  /** One account from one address. */
  pair: { free: 5, longestWaitMs: 15 * minute, forgottenAfterMs: day },
  /** One account from any address: guesses spread over many addresses. */
  account: { free: 30, longestWaitMs: minute, forgottenAfterMs: day },
  /** Any account from one address: one password tried on many accounts. All people at a site share an address. */
  address: { free: 100, longestWaitMs: minute, forgottenAfterMs: 15 * minute },
} satisfies Record<string, Rule>;
/** How long an address is known for a person after a sign-in. */
const knownForMs = 90 * day;

/** The action, account and address of a guess. No address for guesses that only this browser can make. */
export type Guessed = { action: string; account?: string | undefined; ip?: string | undefined };
/** A guess that has already been counted; its outcome is reported afterwards. */
export type Guess = {
  /** It was correct: the person's failures at this address are cleared, and the address is known for them. */
  succeeded(): Promise<void>;
  /** It was not a guess. */
  takenBack(): Promise<void>;
};

const keysOf = ({ action, account, ip }: Guessed): { key: string; rule: Rule }[] => {
  const who = account?.toLowerCase();
  return [
    ...(who === undefined ? [] : [{ key: hashOf(`${action}:pair:${who}:${ip ?? ''}`), rule: rules.pair }]),
    ...(who === undefined || ip === undefined ? [] : [{ key: hashOf(`${action}:account:${who}`), rule: rules.account }]),
    ...(ip === undefined ? [] : [{ key: hashOf(`${action}:address:${ip}`), rule: rules.address }]),
  ];
};

/**
 * Slows down guessing: after the free failures, the wait doubles with each guess. A guess is checked and counted in one step
 * before it is verified, so simultaneous guesses are limited like sequential ones. Keys are hashes, and unknown accounts behave
 * like known ones. At an address from which a person has signed in before, only their own failures count, so nobody else can lock
 * them out.
 */
export const createThrottle = (db: Db, now: () => Date) => {
  const waitOf = (failures: number, rule: Rule) =>
    failures < rule.free ? 0 : Math.min(1000 * 2 ** Math.min(failures - rule.free, 20), rule.longestWaitMs);
  return {
    /** Counts a guess. Throws `too_many_attempts`, without counting, if the caller has to wait. */
    begin: async (guessed: Guessed): Promise<Guess> => {
      const at = now();
      const keys = keysOf(guessed);
      const pair = guessed.account === undefined ? undefined : keys[0]?.key;
      const counted = await db.tx(async (tx) => {
        // Sorted, so that concurrent guesses cannot deadlock.
        const all = keys.map((k) => k.key).sort();
        await tx.run(
          sql`insert into sign_in_failures (key, failures, last_at) select k, 0, ${at} from unnest(${all}::text[]) k order by k on conflict do nothing`,
        );
        const rows = await tx.all<{ key: string; failures: number; last_at: string; known_until: string | null }>(
          sql`select key, failures, last_at, known_until from sign_in_failures where key = any(${all}::text[]) order by key for update`,
        );
        const known = rows.some((r) => r.key === pair && r.known_until !== null && new Date(r.known_until) > at);
        const relevant = known ? keys.filter((k) => k.key === pair) : keys;
        for (const { key, rule } of relevant) {
          const row = rows.find((r) => r.key === key);
          if (!row) continue;
          // A later guess may already have been counted, by another server as well: it causes no wait here.
          const since = Math.max(0, at.getTime() - new Date(row.last_at).getTime());
          const forgotten = since > rule.forgottenAfterMs;
          const wait = forgotten ? 0 : waitOf(row.failures, rule);
          if (since < wait) {
            const seconds = Math.ceil((wait - since) / 1000);
            throw new ProductError('too_many_attempts', {
              message: `Too many attempts. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
              headers: { 'Retry-After': String(seconds) },
            });
          }
          await tx.run(
            sql`update sign_in_failures set failures = ${(forgotten ? 0 : row.failures) + 1}, last_at = ${forgotten ? at : sql`greatest(last_at, ${at})`} where key = ${key}`,
          );
        }
        return relevant.map((k) => k.key).sort();
      });
      const giveBack = () =>
        db.tx(async (tx) => {
          await tx.all(sql`select key from sign_in_failures where key = any(${counted}::text[]) order by key for update`);
          await tx.run(sql`update sign_in_failures set failures = greatest(failures - 1, 0) where key = any(${counted}::text[])`);
        });
      return {
        takenBack: async () => {
          await giveBack();
        },
        succeeded: async () => {
          await giveBack();
          if (pair)
            await db.run(sql`update sign_in_failures set failures = 0, known_until = ${new Date(at.getTime() + knownForMs)} where key = ${pair}`);
        },
      };
    },
    /** Clears the failures of a person who has proved their identity in another way, such as by a link in an e-mail. */
    forgive: async ({ action, account, ip }: Required<Guessed>): Promise<void> => {
      const keys = keysOf({ action, account, ip }).slice(0, 2);
      await db.run(sql`delete from sign_in_failures where key = any(${keys.map((k) => k.key)}::text[])`);
    },
  };
};
