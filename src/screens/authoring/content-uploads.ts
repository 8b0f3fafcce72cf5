import { call } from '#src/api/call.ts';
import { sendFile } from '#src/screens/authoring/send-file.ts';
import type { Uploads } from '#src/screens/authoring/uploads.ts';

/** The files that contents show are sent to their organisation: pictures whole, since they are small; the others in pieces. */
export const contentUploads: Uploads = {
  image: (file) => {
    const form = new FormData();
    form.append('file', file);
    return call('POST /content/images', {}, { form, quiet: true });
  },
  video: (file, onPart) => sendFile('video', file, onPart),
  audio: (file, onPart) => sendFile('audio', file, onPart),
  download: (file, onPart) => sendFile('download', file, onPart),
  captions: (file, onPart) => sendFile('captions', file, onPart),
};
