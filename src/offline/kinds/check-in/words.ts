import { errors } from '#contract/errors.ts';
import { always, type Words } from '#src/offline/kinds/words.ts';

export const checkInWords: Words<'check_in'> = {
  commands: { 'check_in.make': { was: 'Checking in to a training session', did: always('checked in') } },
  refusals: {
    wrong_code: errors.wrong_code.message,
    code_too_old: errors.code_too_old.message,
    not_on_list: errors.not_on_list.message,
    check_in_closed: errors.check_in_closed.message,
    session_cancelled: errors.session_cancelled.message,
    not_found: 'This session could not be found. The code may be of another organisation. Ask the trainer.',
  },
  unnamed: 'Checking in to a session',
  names: async (db, ids) => (await db.checkIns.bulkGet(ids)).flatMap((c) => (c?.name ? [[c.session_id, `Checking in to ${c.name}`]] : [])),
  sides: () => null,
};
