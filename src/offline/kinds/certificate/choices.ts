import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import type { Entry } from '#src/offline/ports.ts';

/** The decision that the server has on the criterion of an entry. */
const theirsOf = ({ args, trouble }: Entry) => {
  const { criterion } = args as ArgsOf<'observation.decide'>;
  return (trouble?.current as CareCertificate | null | undefined)?.decisions.find((d) => d.criterion === criterion) ?? null;
};

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
  between: (entry) => (entry.command === 'observation.decide' ? { mine: entry.id, theirs: theirsOf(entry)?.id ?? null } : null),
  agrees: (entry, later) => theirsOf(entry)?.outcome === (later.at(-1)?.args as ArgsOf<'observation.decide'> | undefined)?.outcome,
  choose: async (db, entry, { id, at }) => {
    const { criterion, outcome, observation_id } = entry.args as ArgsOf<'observation.decide'>;
    const record = await db.observations.get(observation_id);
    if (record)
      await db.decisions.put({ id, certificate_id: placeOfLane(entry.lane).id, criterion, outcome, observation_id, by: record.assessor, at });
  },
};
