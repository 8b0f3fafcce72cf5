/** Saves a file under the name given by the server. */
export const saveFile = (blob: Blob, disposition: string | null, fallback: string) => {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = encoded ? decodeURIComponent(encoded) : fallback;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
