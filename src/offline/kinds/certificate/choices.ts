import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

export const certificateChoices: Choices = {
  takeBack: (db, { id, command, args, lane }) => {
    const certificate = placeOfLane(lane).id;
    if (command === 'observation.decide') return db.decisions.delete([certificate, (args as ArgsOf<typeof command>).criterion]);
    if (command !== 'observation.sign' && command !== 'supervision.grant') return db.observations.delete(id);
    return db.certificates
      .where('id')
      .equals(certificate)
      .modify((row) => {
        row.signatures = (row.signatures ?? []).filter((s) => s.id !== id);
        row.supervision = (row.supervision ?? []).filter((s) => s.id !== id);
      });
  },
  // A level of supervision waits for decisions, and is the server's to accept without them.
  onlyFollows: ({ command }) => command === 'supervision.grant',
  between: (entry) => {
    if (entry.command !== 'observation.decide') return null;
    const { criterion } = entry.args as ArgsOf<typeof entry.command>;
    const current = entry.trouble?.current as CareCertificate | null | undefined;
    return { mine: entry.id, theirs: current?.decisions.find((d) => d.criterion === criterion)?.id ?? null };
  },
  choose: async (db, entry, { id, at }) => {
    const { criterion, outcome, observation_id } = entry.args as ArgsOf<'observation.decide'>;
    const record = await db.observations.get(observation_id);
    if (record)
      await db.decisions.put({ id, certificate_id: placeOfLane(entry.lane).id, criterion, outcome, observation_id, by: record.assessor, at });
  },
};
