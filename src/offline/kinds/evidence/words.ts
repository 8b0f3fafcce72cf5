import type { ArgsOf } from '#contract/kinds.ts';
import { countOf } from '#src/lib/format.ts';
import type { Words } from '#src/offline/kinds/words.ts';

export const evidenceWords: Words<'evidence'> = {
  commands: { 'evidence.add': { was: 'Adding a file to a record', did: (n) => countOf(n, 'file') } },
  refusals: {},
  unnamed: 'A file for a record',
  names: async () => [],
  shownWith: ({ args }) => {
    const id = (args as ArgsOf<'evidence.add'> | null)?.certificate_id;
    return id ? { kind: 'certificate', id } : null;
  },
  sides: () => null,
};
