import type { CareCertificate, CriterionOutcome } from '#contract/entities/care-certificate.ts';
import { errors } from '#contract/errors.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { always, sideLabels, type Words } from '#src/offline/kinds/words.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

const outcomes: Record<CriterionOutcome, string> = { met: 'met', not_yet_met: 'not yet met', not_observed: 'not observed' };

export const certificateNames = async (db: PersonDb, ids: string[]): Promise<[string, string][]> =>
  (await db.certificates.bulkGet(ids)).flatMap((c) => (c ? [[c.id, `Care certificate of ${c.user.name}`]] : []));

export const certificateWords: Words<'certificate'> = {
  commands: {
    'observation.record': { was: 'Recording an observation', did: (n) => countOf(n, 'observation') },
    'observation.correct': { was: 'Correcting an observation', did: (n) => countOf(n, 'correction') },
    'observation.withdraw': { was: 'Withdrawing an observation', did: (n) => countOf(n, 'withdrawal') },
    'observation.decide': { was: 'Deciding on a criterion', did: (n) => `${countOf(n, 'criterion', 'criteria')} decided` },
    'observation.sign': { was: 'Signing a record', did: (n) => countOf(n, 'signature') },
    'supervision.grant': { was: 'Changing how closely somebody is supervised', did: always('supervision changed') },
  },
  refusals: {
    decided_elsewhere: 'Somebody else has decided on this too, before yours arrived. Both records are kept. Choose which decision counts.',
    not_competent: errors.not_competent.message,
    method_unfit: errors.method_unfit.message,
    content_mismatch: errors.content_mismatch.message,
    standard_open: errors.standard_open.message,
    not_found:
      'You do not see this certificate any more: the person belongs to another service now, or you no longer assess. What you recorded is kept on this device. Ask your manager: once you see it again, it is sent. You can also export it.',
  },
  unnamed: 'A care certificate',
  names: certificateNames,
  sides: (entry, later) => {
    if (entry.command !== 'observation.decide') return null;
    const { criterion, outcome, observation_id } = entry.args as ArgsOf<typeof entry.command>;
    const current = (entry.trouble?.current ?? null) as CareCertificate | null;
    const theirs = current?.decisions.find((d) => d.criterion === criterion);
    if (!theirs) return null;
    const seen = (id: string) => {
      const text = current?.observations.find((o) => o.id === id)?.record?.seen;
      return text ? `: “${text.length > 200 ? `${text.slice(0, 200)} …` : text}”` : '';
    };
    const decided = later.map((e) => ({ at: formatMoment(e.at), outcome: outcomes[(e.args as ArgsOf<'observation.decide'>).outcome] }));
    return {
      mine: [
        `You, ${formatMoment(entry.at)}: ${outcomes[outcome]}${seen(observation_id)}`,
        ...decided.map((d) => `then, ${d.at}: ${d.outcome}`),
      ].join('; '),
      theirs: `${theirs.by.name}, ${formatMoment(theirs.at)}: ${outcomes[theirs.outcome]}${seen(theirs.observation_id)}`,
      ...sideLabels(decided.at(-1)?.outcome ?? outcomes[outcome], outcomes[theirs.outcome]),
      keptMine: 'Your decision counts. Both records stay.',
      keptTheirs: 'Their decision counts. Your records stay.',
    };
  },
};
