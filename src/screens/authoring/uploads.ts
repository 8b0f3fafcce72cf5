import { acceptedDownloads } from '#contract/entities/content-file.ts';
import type { Media } from '#contract/entities/content.ts';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** The purpose of a file: a part of the topic, or the captions of a video. */
export type FileKind = 'image' | 'video' | 'audio' | 'download' | 'captions';
/** Uploads a file and returns its address; `onPart` is called with the progress, from 0 to 1. */
type Upload = (file: File, onPart: (part: number) => void) => Promise<Result<Media>>;
/** The kinds of files that can be inserted. */
export type Uploads = { readonly [kind in FileKind]?: Upload };

/** The `accept` attribute for each kind; the server checks the file itself. */
export const accepted: Record<FileKind, string> = {
  image: 'image/png,image/jpeg,image/webp,image/gif',
  video: 'video/mp4,video/webm',
  audio: 'audio/mpeg,audio/mp4,audio/wav,.m4a',
  download: acceptedDownloads,
  captions: '.vtt,.srt,text/vtt',
};

/** The kind of a dropped or pasted file. */
export const kindOfFile = ({ type }: File): Exclude<FileKind, 'captions'> =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : type.startsWith('audio/') ? 'audio' : 'download';

export type Sending =
  | { file: File; kind: FileKind; state: 'sending'; part: number }
  | { file: File; kind: FileKind; state: 'failed'; message: string };

/**
 * Files being uploaded, by the names of their placeholders in the document. A failed one is kept until it is sent again
 * or removed. Finished ones are remembered for undo and redo.
 */
export const filesUnderWay = (uploads: () => Uploads, onArrived: (name: string, media: Media) => void) => {
  const files = new Map<string, Sending>();
  const arrived = new Map<string, Media>();
  const listeners = new Set<() => void>();
  const set = (name: string, sending: Sending | null) => {
    if (sending) files.set(name, sending);
    else files.delete(name);
    for (const tell of listeners) tell();
  };
  const send = async (name: string, file: File, kind: FileKind): Promise<void> => {
    const underWay = (part: number) => set(name, { file, kind, state: 'sending', part });
    underWay(0);
    const result = await uploads()
      [kind]?.(file, underWay)
      .catch(() => null);
    if (result?.kind === 'ok') {
      arrived.set(name, result.data);
      set(name, null);
      onArrived(name, result.data);
    } else set(name, { file, kind, state: 'failed', message: result ? sentenceOf(result) : 'This file could not be read. Choose it again.' });
  };
  return {
    add: (file: File, kind: FileKind, name: string = crypto.randomUUID()): string => {
      void send(name, file, kind);
      return name;
    },
    again: (name: string) => {
      const before = files.get(name);
      if (before?.state === 'failed') void send(name, before.file, before.kind);
    },
    of: (name: string): Sending | undefined => files.get(name),
    arrived: (name: string): Media | undefined => arrived.get(name),
    subscribe: (tell: () => void) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
};
export type FilesUnderWay = ReturnType<typeof filesUnderWay>;

/** Converts SubRip subtitles to WebVTT. Null for a file that is neither. */
export const captionsFile = async (file: File): Promise<File | null> => {
  const text = (await file.text()).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (/^WEBVTT(\s|$)/.test(text)) return file;
  if (!/^\s*\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}/.test(text)) return null;
  const timed = text.replace(/(\d\d:\d\d:\d\d),(\d{3})(?= --> |\s*$)/gm, '$1.$2');
  return new File([`WEBVTT\n\n${timed.trim()}\n`], file.name.replace(/\.\w+$/, '.vtt'), { type: 'text/vtt' });
};
