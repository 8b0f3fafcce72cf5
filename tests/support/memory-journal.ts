import type { Journal } from '#src/offline/journal/journal.ts';
import { type JournalLine, readLines, writeLine } from '#src/offline/journal/journal-format.ts';

/** A second journal in memory, in the real format. `text` is what would be on disk. */
export class MemoryJournal implements Journal {
  text = '';
  async append(line: JournalLine): Promise<boolean> {
    this.text += writeLine(line);
    return true;
  }
  async read(): Promise<JournalLine[]> {
    return readLines(this.text);
  }
  async tidy(isDone: (lines: JournalLine[]) => Promise<boolean>): Promise<void> {
    if (await isDone(await this.read())) this.text = '';
  }
  async forget(): Promise<void> {
    this.text = '';
  }
  close(): void {}
}
