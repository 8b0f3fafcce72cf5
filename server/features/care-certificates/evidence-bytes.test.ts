import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { evidenceTypeOf, isBareJpeg } from '#server/features/care-certificates/evidence-bytes.ts';

const box = (kind: string, ...inner: Buffer[]): Buffer => {
  const content = Buffer.concat(inner);
  const head = Buffer.alloc(8, kind.padStart(8));
  head.writeUInt32BE(content.length + 8);
  return Buffer.concat([head, content]);
};
const track = (handler: string) => box('trak', box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13))));
const mp4 = (...handlers: string[]) =>
  Buffer.concat([box('ftyp', Buffer.from('M4A ')), box('mdat', Buffer.alloc(50)), box('moov', ...handlers.map(track))]);

const element = (id: string, ...inner: Buffer[]): Buffer => {
  const content = Buffer.concat(inner);
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.of(0x40 | (content.length >> 8), content.length & 255), content]);
};
const webm = (types: number[], segmentSize = '01ffffffffffffff') =>
  Buffer.concat([
    element('1a45dfa3', Buffer.from('4282847765626d', 'hex')),
    Buffer.from(`18538067${segmentSize}`, 'hex'),
    element('1654ae6b', ...types.map((t) => element('ae', element('d7', Buffer.of(1)), element('83', Buffer.of(t))))),
    element('1f43b675', Buffer.alloc(20)),
  ]);
const page = (begins: boolean, content: Buffer) => {
  const head = Buffer.alloc(28);
  head.write('OggS');
  head[5] = begins ? 2 : 0;
  head[26] = 1;
  head[27] = content.length;
  return Buffer.concat([head, content]);
};
const ogg = (...names: string[]) => Buffer.concat([...names.map((n) => page(true, Buffer.from(n, 'latin1'))), page(false, Buffer.alloc(30))]);

describe('a file of evidence', () => {
  it.each([
    ['sound in MP4', mp4('soun'), 'audio/mp4'],
    ['film in MP4', mp4('soun', 'vide'), null],
    ['silent film in MP4', mp4('vide'), null],
    ['MP4 of nothing', mp4(), null],
    ['sound in WebM', webm([2]), 'audio/webm'],
    ['film in WebM', webm([1, 2]), null],
    ['WebM cut in its head', webm([2]).subarray(0, 12), null],
    ['sound in Ogg', ogg('OpusHead'), 'audio/ogg'],
    ['film in Ogg', ogg('\x80theora', '\x01vorbis'), null],
    ['sound with an index in Ogg', ogg('fishead\0', '\x01vorbis'), 'audio/ogg'],
    ['wave', Buffer.from('RIFF....WAVEfmt '), 'audio/wav'],
    ['document', Buffer.from('%PDF-1.7'), 'application/pdf'],
    ['page', Buffer.from('<html>'), null],
    ['nothing', Buffer.alloc(0), null],
  ])('is told by what is in it: %s', (_what, bytes, type) => expect(evidenceTypeOf(bytes)).toBe(type));

  it('reads no recording for ever, whatever its sizes say', () => {
    for (const seed of [0, 1, 0x40, 0x80, 0xff])
      for (const start of ['....ftyp', '\x1a\x45\xdf\xa3', 'OggS\0\x02'])
        expect(() => evidenceTypeOf(Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(5000, seed)]))).not.toThrow();
  });

  it('is a bare picture only where nothing else is in the file', async () => {
    const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: '#5566aa' } });
    const plain = await drawn.clone().jpeg().toBuffer();
    const withSegment = (segment: Buffer) => Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]);
    const comment = withSegment(Buffer.concat([Buffer.of(0xff, 0xfe, 0, 12), Buffer.from('bed 4, Ann')]));
    const notes = withSegment(Buffer.concat([Buffer.of(0xff, 0xef, 0, 10), Buffer.from('serial 9')]));
    const profile = (size: number) =>
      withSegment(Buffer.concat([Buffer.of(0xff, 0xe2, size >> 8, size & 255), Buffer.alloc(size - 2, 'ICC_PROFILE\0')]));
    expect(isBareJpeg(plain)).toBe(true);
    // A browser writes its profile of colours; that of a camera is larger.
    expect(isBareJpeg(profile(472))).toBe(true);
    expect(isBareJpeg(profile(3000))).toBe(false);
    expect(isBareJpeg(await drawn.clone().jpeg({ progressive: true }).toBuffer())).toBe(true);
    for (const revealing of [
      comment,
      notes,
      Buffer.concat([plain, Buffer.from('behind it')]),
      await drawn
        .clone()
        .withExif({ IFD0: { Make: 'A' } })
        .jpeg()
        .toBuffer(),
    ])
      expect(isBareJpeg(revealing)).toBe(false);
    for (const broken of [plain.subarray(0, 50), plain.subarray(0, -2), Buffer.from('ffd8ff', 'hex')]) expect(isBareJpeg(broken)).toBe(false);
    // Re-encoded pictures have no metadata.
    expect(isBareJpeg(await sharp(comment).rotate().jpeg({ quality: 85 }).toBuffer())).toBe(true);
  });
});
