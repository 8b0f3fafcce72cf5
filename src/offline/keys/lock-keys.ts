import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';

/**
 * Wraps a data key for storage: with a key derived from a PIN, one from a passkey, or the organisation's public key. WebCrypto,
 * so only outside transactions.
 */
export type Wrapped = { iv: string; data: string };
/**
 * RSA-OAEP with SHA-256 over the raw data key, with the person's id as label: only the organisation's server can open it, and
 * only for them.
 */
export type RecoveryWrap = { kid: string; data: string };
export type OrganisationKey = { kid: string; jwk: JsonWebKey };

export const pinIterations = 600_000;
const utf8 = new TextEncoder();

export const keyFromPin = async (pin: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> => {
  const base = await crypto.subtle.importKey('raw', utf8.encode(pin.normalize('NFKC')), 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, base, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
};

/**
 * The key from a person's e-mail address and password. Both go in, so that one derivation finds a person among all whom a device knows
 * without any address being stored there.
 */
export const keyFromPassword = (email: string, password: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  keyFromPin(`${email.trim().toLowerCase()}\n${password}`, salt, pinIterations);

/** The key from the secret that a passkey derives from our salt (WebAuthn PRF). */
export const keyFromPrf = async (secret: BufferSource): Promise<CryptoKey> => {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode('lantern data key') },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
};

export const wrap = async (wrappingKey: CryptoKey, dataKey: Uint8Array<ArrayBuffer>): Promise<Wrapped> => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv: toBase64(iv), data: toBase64(new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrappingKey, dataKey))) };
};

/** The data key, or null if this key did not wrap it. */
export const unwrap = async (wrappingKey: CryptoKey, wrapped: Wrapped): Promise<Uint8Array<ArrayBuffer> | null> =>
  crypto.subtle
    .decrypt({ name: 'AES-GCM', iv: fromBase64(wrapped.iv) }, wrappingKey, fromBase64(wrapped.data))
    .then((raw) => new Uint8Array(raw))
    .catch(() => null);

export const wrapForOrganisation = async (
  { kid, jwk }: OrganisationKey,
  personId: string,
  dataKey: Uint8Array<ArrayBuffer>,
): Promise<RecoveryWrap> => {
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
  return { kid, data: toBase64(new Uint8Array(await crypto.subtle.encrypt({ name: 'RSA-OAEP', label: utf8.encode(personId) }, key, dataKey))) };
};
