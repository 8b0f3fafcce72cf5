import type { FileAnswer } from '#server/http/register-endpoints.ts';

/** A download under this name. */
export const namedFile = (file: FileAnswer['file'], type: string, name: string): FileAnswer => ({ file, type, name });
