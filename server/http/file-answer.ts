import type { FileAnswer } from '#server/http/register-endpoints.ts';

/** A download whose file name may contain any character. */
export const namedFile = (file: FileAnswer['file'], type: string, name: string): FileAnswer => ({
  file,
  type,
  headers: {
    'Content-Disposition': `attachment; filename="${name.normalize('NFKD').replace(/[^\w .-]/g, '')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  },
});
