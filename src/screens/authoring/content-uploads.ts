import type { Media } from '#contract/entities/content.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { sendFile } from '#src/screens/send-file.ts';
import type { Uploads } from '#src/screens/authoring/uploads.ts';

/** Uploads a picture for contents: the server scales it and removes its metadata. */
export const sendPicture = (file: Blob): Promise<Result<Media>> => {
  const form = new FormData();
  form.append('file', file);
  return call('POST /content/images', {}, { form, quiet: true });
};

/** Uploads the files of contents to their organisation: pictures whole, because they are small; others in pieces. */
export const contentUploads: Uploads = {
  image: sendPicture,
  video: (file, onPart) => sendFile('video', file, onPart),
  audio: (file, onPart) => sendFile('audio', file, onPart),
  download: (file, onPart) => sendFile('download', file, onPart),
  captions: (file, onPart) => sendFile('captions', file, onPart),
};
