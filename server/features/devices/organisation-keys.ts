import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  generateKeyPair,
  hkdfSync,
  privateDecrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import { type Db, sql } from '#server/db/sql.ts';

const makePair = promisify(generateKeyPair);
const lengths = { nonce: 12, tag: 16 };

const sealingKey = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', 'organisation keys', 32));
const sealPrivate = (secretKey: string, pem: string): Buffer => {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secretKey), nonce);
  return Buffer.concat([nonce, cipher.update(pem, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};
/** Opens nonce, text and tag in one, as both sides write them. Throws where anything is another. */
export const openSealed = (key: Buffer, sealed: Buffer, place?: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, lengths.nonce));
  if (place !== undefined) decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-lengths.tag));
  return decipher.update(sealed.subarray(lengths.nonce, -lengths.tag), undefined, 'utf8') + decipher.final('utf8');
};

type Public = { kid: string; jwk: Record<string, unknown> };

/** The organisation's public key, made when it is first asked for. */
export const organisationKey = async (db: Db, secretKey: string, entityId: string): Promise<Public> => {
  const find = () => db.one<Public>(sql`select kid, public_jwk as jwk from organisation_keys where entity_id = ${entityId}`);
  const kept = await find();
  if (kept) return kept;
  const { publicKey, privateKey } = await makePair('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const jwk = { ...createPublicKey(publicKey).export({ format: 'jwk' }), alg: 'RSA-OAEP-256', ext: true };
  // Two devices at once end with one key.
  await db.run(sql`insert into organisation_keys (kid, entity_id, public_jwk, private_sealed)
    values (${randomUUID()}, ${entityId}, ${JSON.stringify(jwk)}, ${sealPrivate(secretKey, privateKey)}) on conflict (entity_id) do nothing`);
  return (await find()) as Public;
};

/** The data key that a device wrapped for an organisation, or null where it cannot be opened. It is bound to its person: nobody opens another’s. */
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
