import { describe, expect, it } from 'vitest';
import { primaryNote, signNote } from '#src/features/branding/contrast-notes.ts';

describe('what is said of a colour', () => {
  it('names the shade that gives way, and nothing where white text can be read', () => {
    expect(primaryNote('#0b7a75')).toBeNull();
    expect(primaryNote('#ffd400')).toMatch(
      /^White text on this colour would not be readable \(1\.4 : 1; at least 4\.5 : 1 is needed\)\. Buttons and links use a darker shade, #[0-9a-f]{6}\.$/,
    );
  });
  it('warns of a sign that is hard to see', () => {
    expect(signNote('#e53e3e')).toBeNull();
    expect(signNote('#ffbf00')).toContain('1.7 : 1');
  });
});
