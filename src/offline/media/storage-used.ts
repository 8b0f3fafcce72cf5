/** Chromium's breakdown of an estimate, which TypeScript does not know. */
type Details = Record<string, number>;

/** The bytes of all private files, read from the files. */
const bytesIn = async (folder: FileSystemDirectoryHandle): Promise<number> => {
  let sum = 0;
  for await (const handle of folder.values())
    sum += handle.kind === 'file' ? (await (handle as FileSystemFileHandle).getFile()).size : await bytesIn(handle as FileSystemDirectoryHandle);
  return sum;
};

/**
 * The bytes that the app uses on this device, or null if the browser does not tell. Browsers count an open private file as 4 GB;
 * such files are measured instead.
 */
export const storageUsed = async (): Promise<number | null> => {
  const storage = globalThis.navigator?.storage;
  const estimate = (await storage?.estimate?.().catch(() => null)) as (StorageEstimate & { usageDetails?: Details }) | null | undefined;
  if (estimate?.usage === undefined) return null;
  const { fileSystem, ...rest } = estimate.usageDetails ?? {};
  if (fileSystem === undefined) return estimate.usage;
  const files = await storage
    .getDirectory()
    .then(bytesIn)
    .catch(() => 0);
  return Object.values(rest).reduce((sum, bytes) => sum + bytes, 0) + files;
};
