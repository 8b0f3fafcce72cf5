import { gcm } from '@noble/ciphers/aes.js';

/**
 * Seals what a person did with a key of theirs: AES-256-GCM, a fresh nonce for each piece, bound to the place it lies in,
 * so that a row cannot be moved or exchanged unnoticed. It computes at once, because nothing may be awaited inside a
 * database transaction but the database; that is why it is not WebCrypto.
 */
const nonceBytes = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const newDataKey = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));

/** Nonce and ciphertext in one. `place` is not kept: it has to be known again. */
export const seal = (key: Uint8Array, value: unknown, place: string): Uint8Array<ArrayBuffer> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const text = gcm(key, nonce, encoder.encode(place)).encrypt(encoder.encode(JSON.stringify(value)));
  const out = new Uint8Array(nonceBytes + text.length);
  out.set(nonce);
  out.set(text, nonceBytes);
  return out;
};

/** Throws where the key, the place or a single bit is another. */
export const unseal = (key: Uint8Array, sealed: Uint8Array, place: string): unknown =>
  JSON.parse(decoder.decode(gcm(key, sealed.subarray(0, nonceBytes), encoder.encode(place)).decrypt(sealed.subarray(nonceBytes))));
