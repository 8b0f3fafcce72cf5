import { InspectionManifest, type InspectionSignature } from '#contract/entities/inspection.ts';
import { fromBase64, toHex } from '#contract/rules/bytes.ts';

/** The files of a pack that serve its verification, and the one with its data. */
export const inspectionFiles = { manifest: 'manifest.json', signature: 'signature.json', data: 'data.json', document: 'pack.pdf' } as const;

/** `unchecked`: this browser cannot verify this kind of signature; everything else is valid. */
export type InspectionVerdict = { kind: 'unchanged' | 'unchecked'; manifest: InspectionManifest } | { kind: 'changed'; what: string };

export const sha256 = async (bytes: Uint8Array): Promise<string> => toHex(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));

/** Whether this key signed this text; null if this browser cannot tell. */
const isSigned = async (text: string, { public_key, signature }: InspectionSignature): Promise<boolean | null> => {
  try {
    const key = await crypto.subtle.importKey('raw', fromBase64(public_key), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, fromBase64(signature), new TextEncoder().encode(text));
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotSupportedError' ? null : false;
  }
};

/**
 * Whether a pack is unchanged: its list of files has a valid signature, and each present file has the hash in the list.
 * `whole`: every file of the list must be present.
 */
export const checkInspection = async (
  text: string,
  signature: InspectionSignature,
  files: ReadonlyMap<string, Uint8Array>,
  whole: boolean,
): Promise<InspectionVerdict> => {
  const signed = await isSigned(text, signature);
  if (signed === false) return { kind: 'changed', what: 'The list of its files does not have the signature.' };
  let manifest: InspectionManifest;
  try {
    manifest = InspectionManifest.parse(JSON.parse(text));
  } catch {
    return { kind: 'changed', what: 'The list of its files cannot be read.' };
  }
  const listed = new Map(manifest.files.map((f) => [f.name, f]));
  for (const [name, bytes] of files) {
    const known = listed.get(name);
    if (!known) return { kind: 'changed', what: `${name} is not one of its files.` };
    if (known.bytes !== bytes.length || known.sha256 !== (await sha256(bytes))) return { kind: 'changed', what: `${name} was changed.` };
  }
  const missingFile = whole && manifest.files.find((f) => !files.has(f.name));
  if (missingFile) return { kind: 'changed', what: `${missingFile.name} is missing.` };
  return { kind: signed === null ? 'unchecked' : 'unchanged', manifest };
};
