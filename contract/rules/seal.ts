import { gcm } from '@noble/ciphers/aes.js';

/**
 * Encrypts a person's data: AES-256-GCM with a fresh nonce, bound to its place in the database, so that a row cannot be moved or
 * exchanged unnoticed. Synchronous, and therefore not WebCrypto, because a database transaction ends if anything else is awaited
 * in it.
 */
const nonceBytes = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const newDataKey = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));

/** Nonce and ciphertext together. `place` is not stored; decrypting needs it again. */
export const seal = (key: Uint8Array, value: unknown, place: string): Uint8Array<ArrayBuffer> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const text = gcm(key, nonce, encoder.encode(place)).encrypt(encoder.encode(JSON.stringify(value)));
  const out = new Uint8Array(nonceBytes + text.length);
  out.set(nonce);
  out.set(text, nonceBytes);
  return out;
};

/** Throws if the key, the place or any bit differs. */
export const unseal = (key: Uint8Array, sealed: Uint8Array, place: string): unknown =>
  JSON.parse(decoder.decode(gcm(key, sealed.subarray(0, nonceBytes), encoder.encode(place)).decrypt(sealed.subarray(nonceBytes))));
