import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/http/product-error.ts';
import { hashOf } from '#server/http/secrets.ts';

/** How many failures are free (people mistype), how long one waits at most after more, and when they are forgotten. */
type Rule = { free: number; longestWaitMs: number; forgottenAfterMs: number };
const minute = 60_000;
const day = 24 * 60 * minute;
const rules = {
  /** One account from one address. */
  pair: { free: 5, longestWaitMs: 15 * minute, forgottenAfterMs: day },
  /** One account from anywhere: guesses that are spread over many addresses. */
  account: { free: 30, longestWaitMs: minute, forgottenAfterMs: day },
  /** Any account from one address: one password tried on many accounts. A home has one address for everybody. */
  address: { free: 100, longestWaitMs: minute, forgottenAfterMs: 15 * minute },
} satisfies Record<string, Rule>;
/** So long an address from which somebody has signed in is one that they are known at. */
const knownForMs = 90 * day;

/** What is guessed, whose it is, and from where. Without an address: guesses at what only this browser can try. */
export type Guessed = { action: string; account?: string | undefined; ip?: string | undefined };
/** A guess that has been counted already: what it was not is said afterwards. */
export type Guess = {
  /** It was right: the failures of this person here are forgotten, and they are known here. */
  succeeded(): Promise<void>;
  /** It was no guess after all. */
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
 * Slows down guessing: after some free failures each next guess has to wait twice as long. A guess is counted, in one step
 * with the question whether it may be made, before it is looked at: of a burst no more are looked at than of a row.
 * Keys are hashes, and an unknown account behaves as a known one does. Whoever has signed in from an address before is held
 * up there by their own failures alone, so that neither a stranger nor the rest of the home can lock them out.
 */
export const createThrottle = (db: Db, now: () => Date) => {
  const waitOf = (failures: number, rule: Rule) =>
    failures < rule.free ? 0 : Math.min(1000 * 2 ** Math.min(failures - rule.free, 20), rule.longestWaitMs);
  return {
    /** Counts a guess; throws `too_many_attempts`, and counts nothing, where one has to wait first. */
    begin: async (guessed: Guessed): Promise<Guess> => {
      const at = now();
      const keys = keysOf(guessed);
      const pair = guessed.account === undefined ? undefined : keys[0]?.key;
      const counted = await db.tx(async (tx) => {
        // In one order, so that two guesses never wait for each other.
        const all = keys.map((k) => k.key).sort();
        await tx.run(
          sql`insert into sign_in_failures (key, failures, last_at) select k, 0, ${at} from unnest(${all}::text[]) k order by k on conflict do nothing`,
        );
        const rows = await tx.all<{ key: string; failures: number; last_at: string; known_until: string | null }>(
          sql`select key, failures, last_at, known_until from sign_in_failures where key = any(${all}::text[]) order by key for update`,
        );
        const known = rows.some((r) => r.key === pair && r.known_until !== null && new Date(r.known_until) > at);
        const asked = known ? keys.filter((k) => k.key === pair) : keys;
        for (const { key, rule } of asked) {
          const row = rows.find((r) => r.key === key);
          if (!row) continue;
          const since = at.getTime() - new Date(row.last_at).getTime();
          const forgotten = since > rule.forgottenAfterMs;
          const wait = forgotten ? 0 : waitOf(row.failures, rule);
          if (since < wait) {
            const seconds = Math.ceil((wait - since) / 1000);
            throw new ProductError('too_many_attempts', {
              message: `Too many attempts. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
              headers: { 'Retry-After': String(seconds) },
            });
          }
          await tx.run(sql`update sign_in_failures set failures = ${(forgotten ? 0 : row.failures) + 1}, last_at = ${at} where key = ${key}`);
        }
        return asked.map((k) => k.key).sort();
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
    /** Whoever has proved in another way who they are, such as by a link of an e-mail, need not wait here. */
    forgive: async ({ action, account, ip }: Required<Guessed>): Promise<void> => {
      const keys = keysOf({ action, account, ip }).slice(0, 2);
      await db.run(sql`delete from sign_in_failures where key = any(${keys.map((k) => k.key)}::text[])`);
    },
  };
};
