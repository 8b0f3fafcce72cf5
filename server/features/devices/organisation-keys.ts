import { constants, createPublicKey, generateKeyPair, privateDecrypt, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { type Db, sql } from '#server/db/sql.ts';
import { keyFor, openSealed, seal } from '#server/security/sealing.ts';

const makePair = promisify(generateKeyPair);

const sealingKey = (secretKey: string) => keyFor(secretKey, 'organisation keys');

type Public = { kid: string; jwk: Record<string, unknown> };

/** The organisation's public key, created on first use. */
export const organisationKey = async (db: Db, secretKey: string, entityId: string): Promise<Public> => {
  const find = () => db.one<Public>(sql`select kid, public_jwk as jwk from organisation_keys where entity_id = ${entityId}`);
  const existingKeys = await find();
  if (existingKeys) return existingKeys;
  const { publicKey, privateKey } = await makePair('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const jwk = { ...createPublicKey(publicKey).export({ format: 'jwk' }), alg: 'RSA-OAEP-256', ext: true };
  // Two concurrent calls end with one key.
  await db.run(sql`insert into organisation_keys (kid, entity_id, public_jwk, private_sealed)
    values (${randomUUID()}, ${entityId}, ${JSON.stringify(jwk)}, ${seal(sealingKey(secretKey), privateKey)}) on conflict (entity_id) do nothing`);
  return (await find()) as Public;
};

/**
 * The data key that a device wrapped for an organisation, or null if it cannot be opened. It is bound to its person: nobody opens another
 * person's.
 */
export const openDataKey = async (db: Db, secretKey: string, personId: string, recovery: { kid: string; data: string }): Promise<Buffer | null> => {
  const row = await db.one<{ private_sealed: Buffer }>(sql`select private_sealed from organisation_keys where kid = ${recovery.kid}`);
  if (!row) return null;
  try {
    const key = privateDecrypt(
      {
        key: openSealed(sealingKey(secretKey), row.private_sealed),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
        oaepLabel: Buffer.from(personId),
      },
      Buffer.from(recovery.data, 'base64'),
    );
    return key.length === 32 ? key : null;
  } catch {
    return null;
  }
};
