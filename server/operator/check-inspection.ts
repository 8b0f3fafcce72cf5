import { unzipSync } from 'fflate';
import { InspectionSignature } from '#contract/entities/inspection.ts';
import { checkInspection, inspectionFiles, type InspectionVerdict } from '#contract/rules/inspection-check.ts';

/** Whether a ZIP is an unaltered inspection pack, and which key signed it. Needs nothing but the file. */
export const checkInspectionFile = async (zip: Uint8Array): Promise<{ verdict: InspectionVerdict; key: string | null }> => {
  const changed = (what: string) => ({ verdict: { kind: 'changed' as const, what }, key: null });
  let files: Map<string, Uint8Array>;
  try {
    files = new Map(Object.entries(unzipSync(zip)));
  } catch {
    return changed('It cannot be read as a ZIP.');
  }
  const textOf = (name: string): string | null => {
    const bytes = files.get(name);
    files.delete(name);
    return bytes ? new TextDecoder().decode(bytes) : null;
  };
  const [manifest, signed] = [textOf(inspectionFiles.manifest), textOf(inspectionFiles.signature)];
  if (manifest === null || signed === null) return changed(`It has no ${manifest === null ? inspectionFiles.manifest : inspectionFiles.signature}.`);
  let signature: InspectionSignature;
  try {
    signature = InspectionSignature.parse(JSON.parse(signed));
  } catch {
    return changed(`Its ${inspectionFiles.signature} cannot be read.`);
  }
  return { verdict: await checkInspection(manifest, signature, files, true), key: signature.public_key };
};
