import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { FilePathSource, Input, MATROSKA, MP3, MP4, type InputFormat, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import { type ContentFileKind, contentFileLimits, downloadEndings } from '#contract/entities/content-file.ts';

/** The type of a file: how it is served and named, or why it cannot be used, in words for its author. */
export type LookedInto = { type: string; ending: string } | { problem: string };

const formats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, MP3, OGG, WAVE];
const anyVideo = 'Export it as MP4 with H.264 and AAC: every tablet and phone plays that.';
const anyAudio = 'Save it as MP3 or M4A: every tablet and phone plays these.';

/** The tracks of a film or sound file; null if it is neither. */
const tracksOf = async (path: string) => {
  const input = new Input({ formats, source: new FilePathSource(path, { handleUnhandledError: () => undefined }) });
  try {
    const format = await input.getFormat();
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const seconds = await input.computeDuration();
    return {
      format,
      video: video && (await video.getCodec()),
      audio: audio && (await audio.getCodec()),
      hasVideo: !!video,
      hasAudio: !!audio,
      seconds,
    };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
};

const videoFile = async (path: string): Promise<LookedInto> => {
  const found = await tracksOf(path);
  if (!found) return { problem: `This is not a video that can be opened. ${anyVideo}` };
  const { format, video, audio, hasVideo, hasAudio, seconds } = found;
  if (!hasVideo && !hasAudio) return { problem: `There is neither picture nor sound in this video: it may have been cut off. ${anyVideo}` };
  if (!hasVideo) return { problem: 'There is no picture in this video. Add it as sound instead.' };
  if (!(seconds > 0)) return { problem: `This video has no length: it may have been cut off. ${anyVideo}` };
  const [type, ending, pictures, sounds] =
    format === MP4
      ? (['video/mp4', 'mp4', ['avc'], ['aac', 'mp3']] as const)
      : format === WEBM
        ? (['video/webm', 'webm', ['vp8', 'vp9'], ['opus', 'vorbis']] as const)
        : ([null, null, [], []] as const);
  if (!type) return { problem: `This is a ${format.name} video, which some tablets do not play. ${anyVideo}` };
  if (!(pictures as readonly (string | null)[]).includes(video))
    return { problem: `The pictures of this video are in a form (${video ?? 'unknown'}) that some tablets do not play. ${anyVideo}` };
  if (hasAudio && !(sounds as readonly (string | null)[]).includes(audio))
    return { problem: `The sound of this video is in a form (${audio ?? 'unknown'}) that some tablets do not play. ${anyVideo}` };
  return { type, ending };
};

const audioFile = async (path: string): Promise<LookedInto> => {
  const found = await tracksOf(path);
  if (!found) return { problem: `This is not sound that can be opened. ${anyAudio}` };
  const { format, audio, hasVideo, hasAudio, seconds } = found;
  if (hasVideo) return { problem: 'This is a video. Add it as a video instead.' };
  if (!hasAudio || !(seconds > 0)) return { problem: `There is no sound in this file. ${anyAudio}` };
  if (format === MP3) return { type: 'audio/mpeg', ending: 'mp3' };
  if (format === MP4 && (audio === 'aac' || audio === 'mp3')) return { type: 'audio/mp4', ending: 'm4a' };
  if (format === WAVE && audio?.startsWith('pcm')) return { type: 'audio/wav', ending: 'wav' };
  return { problem: `This sound is in a form (${format.name}, ${audio ?? 'unknown'}) that some tablets do not play. ${anyAudio}` };
};

/** The first bytes of a file; all of it if it is short. */
const beginning = async (path: string, most: number): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Text in UTF-8 without control characters; null if it is something else. */
const textOf = (bytes: Buffer): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
};

const captionsFile = async (path: string): Promise<LookedInto> => {
  const text = textOf(await beginning(path, contentFileLimits.captionsBytes + 4));
  if (text === null || !/^WEBVTT(\s|$)/.test(text)) return { problem: 'These are not WebVTT captions. Export them as .vtt.' };
  if (!/^(\d\d+:)?\d\d:\d\d\.\d{3} +--> +(\d\d+:)?\d\d:\d\d\.\d{3}/m.test(text))
    return { problem: 'There is no line in these captions that says when it is shown.' };
  if (text.length > contentFileLimits.captionsBytes) return { problem: 'These captions are too long: 2 MB at most.' };
  return { type: 'text/vtt; charset=utf-8', ending: 'vtt' };
};

const office = 'application/vnd.openxmlformats-officedocument';
/** Files offered for download: by extension, with their required first bytes. */
const downloads: Record<(typeof downloadEndings)[number], [type: string, begins: string | null]> = {
  pdf: ['application/pdf', '%PDF-'],
  docx: [`${office}.wordprocessingml.document`, 'PK\x03\x04'],
  xlsx: [`${office}.spreadsheetml.sheet`, 'PK\x03\x04'],
  pptx: [`${office}.presentationml.presentation`, 'PK\x03\x04'],
  odt: ['application/vnd.oasis.opendocument.text', 'PK\x03\x04'],
  ods: ['application/vnd.oasis.opendocument.spreadsheet', 'PK\x03\x04'],
  odp: ['application/vnd.oasis.opendocument.presentation', 'PK\x03\x04'],
  txt: ['text/plain; charset=utf-8', null],
  csv: ['text/csv; charset=utf-8', null],
};
const textBeginning = 65_536;
const downloadFile = async (path: string, name: string): Promise<LookedInto> => {
  const ending = extname(name).slice(1).toLowerCase();
  const known = downloadEndings.find((one) => one === ending);
  if (!known) return { problem: `Files of this kind cannot be offered. Use ${downloadEndings.join(', ')}.` };
  const [type, begins] = downloads[known];
  const bytes = await beginning(path, textBeginning);
  // A character may be cut at the end of what was read.
  const fits =
    begins === null
      ? [0, 1, 2, 3].some((less) => textOf(bytes.subarray(0, bytes.length - less)) !== null)
      : bytes.toString('latin1').startsWith(begins);
  return fits ? { type, ending } : { problem: `This is not a .${ending} file: it may be damaged, or named wrongly.` };
};

const noPart = async (): Promise<LookedInto> => ({ problem: 'A course is imported; it is no part of a topic.' });
const ofASession = async (): Promise<LookedInto> => ({ problem: 'A document belongs to a training session; it is no part of a topic.' });

/** Inspects an uploaded file. Runs in a thread that can be ended: the file is untrusted. */
export const lookInto = ({ path, kind, name }: { path: string; kind: ContentFileKind; name: string }): Promise<LookedInto> =>
  ({ video: videoFile, audio: audioFile, captions: captionsFile, download: downloadFile, course: noPart, document: ofASession })[kind](path, name);
