import type { EvidenceType } from '#contract/evidence-kinds.ts';

/** The type of evidence files, determined from their bytes. Recordings are inspected: a film is not accepted as sound, whatever its name. */
const startsWith = (bytes: Buffer, text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text;

type Tracks = { audio: boolean; video: boolean };
const isSound = ({ audio, video }: Tracks) => audio && !video;

/** The boxes of an ISO media file between two offsets: their type and the position of their content. */
function* boxes(bytes: Buffer, from: number, to: number): Generator<{ kind: string; start: number; end: number }> {
  for (let at = from; at + 8 <= to; ) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const short = bytes.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    if (at + header > to) return;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    if (size < header) return;
    yield { kind, start: at + header, end: Math.min(at + size, to) };
    at += size;
  }
}
const tracksOfMp4 = (bytes: Buffer): Tracks => {
  const tracks = { audio: false, video: false };
  const within = (from: number, to: number, path: readonly string[]) => {
    for (const { kind, start, end } of boxes(bytes, from, to)) {
      if (kind !== path[0]) continue;
      if (path.length > 1) within(start, end, path.slice(1));
      else {
        const handler = bytes.toString('latin1', start + 8, Math.min(start + 12, end));
        tracks.audio ||= handler === 'soun';
        tracks.video ||= handler === 'vide';
      }
    }
  };
  within(0, bytes.length, ['moov', 'trak', 'mdia', 'hdlr']);
  return tracks;
};

/** A variable-length number of EBML: its value and its end. `keepMark` for the ids of elements. Null past the end. */
const vint = (bytes: Buffer, at: number, keepMark: boolean): { value: number; end: number; unknown: boolean } | null => {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = keepMark ? first : first & (0xff >> length);
  let unknown = value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] as number;
    unknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value, end: at + length, unknown: unknown && !keepMark };
};
const ebml = { segment: 0x18538067, tracks: 0x1654ae6b, entry: 0xae, trackType: 0x83 };
const tracksOfWebm = (bytes: Buffer): Tracks => {
  const tracks = { audio: false, video: false };
  const within = (from: number, to: number, depth = 0) => {
    for (let at = from; at < to; ) {
      const id = vint(bytes, at, true);
      const size = id && vint(bytes, id.end, false);
      if (!id || !size) return;
      const end = size.unknown ? to : Math.min(size.end + size.value, to);
      if (id.value === ebml.trackType) {
        const type = bytes[end - 1];
        tracks.video ||= type === 1;
        tracks.audio ||= type === 2;
      } else if (id.value === [ebml.segment, ebml.tracks, ebml.entry][depth]) within(size.end, end, depth + 1);
      at = end;
    }
  };
  within(0, bytes.length);
  return tracks;
};

const oggSounds = ['OpusHead', '\x01vorbis', 'Speex   ', '\x7fFLAC'];
const tracksOfOgg = (bytes: Buffer): Tracks => {
  const tracks = { audio: false, video: false };
  // The first pages, one per stream, say what a file contains.
  for (let at = 0; startsWith(bytes, 'OggS', at) && ((bytes[at + 5] ?? 0) & 2) !== 0; ) {
    const segments = bytes[at + 26] ?? 0;
    const start = at + 27 + segments;
    const length = bytes.subarray(at + 27, start).reduce((sum, n) => sum + n, 0);
    if (oggSounds.some((name) => startsWith(bytes, name, start))) tracks.audio = true;
    else if (!startsWith(bytes, 'fishead', start)) tracks.video = true;
    at = start + length;
  }
  return tracks;
};

/** The type of these bytes; null if they cannot be evidence. */
export const evidenceTypeOf = (bytes: Buffer): EvidenceType | null => {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, '%PDF-')) return 'application/pdf';
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return isSound(tracksOfWebm(bytes)) ? 'audio/webm' : null;
  if (startsWith(bytes, 'OggS')) return isSound(tracksOfOgg(bytes)) ? 'audio/ogg' : null;
  if (startsWith(bytes, 'ftyp', 4)) return isSound(tracksOfMp4(bytes)) ? 'audio/mp4' : null;
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WAVE', 8)) return 'audio/wav';
  if (startsWith(bytes, 'ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return 'audio/mpeg';
  return null;
};

/** Markers that a picture consists of: tables, frames and restarts. */
const isOfPicture = (marker: number) => marker === 0xdb || marker === 0xdd || (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8);
const jfifBytes = 16;
/** The colour profile that a browser writes has 472 bytes. That of a camera or screen is larger and names the device. */
const browserProfileBytes = 600;

/**
 * Whether a JPEG is only a picture with the browser's colour profile, as the app writes it: no comment, camera metadata or thumbnail, and
 * nothing after its end. Anything else could reveal where and with what it was taken, so such a file is re-encoded.
 */
export const isBareJpeg = (bytes: Buffer): boolean => {
  let profiles = 0;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] as number;
    const length = bytes.readUInt16BE(at + 2);
    const isJfif = marker === 0xe0 && length === jfifBytes && startsWith(bytes, 'JFIF\0', at + 4);
    if (marker === 0xda) {
      at += 2 + length;
      // The picture itself: up to a marker that is neither a filler nor a restart.
      while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && ((bytes[at + 1] as number) & 0xf8) !== 0xd0)) at++;
      if (bytes[at + 1] === 0xd9) return at + 2 === bytes.length;
      continue;
    }
    const isProfile = marker === 0xe2 && length <= browserProfileBytes && startsWith(bytes, 'ICC_PROFILE\0', at + 4) && ++profiles === 1;
    if (!isJfif && !isProfile && !isOfPicture(marker)) return false;
    at += 2 + length;
  }
  return false;
};
