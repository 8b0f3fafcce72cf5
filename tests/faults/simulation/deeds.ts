import type { Entry } from '#src/offline/ports.ts';

/**
 * An assessor's changes in the simulation as the device commits them: a record with its decisions and files, or a signature.
 * Every entry has a unique token by which it can be found.
 */
export type Deed = Pick<Entry, 'id' | 'lane' | 'command' | 'args' | 'dependsOn'> & { token: string };
/** A file in the simulation; complete once all its pieces are received. */
export type FileArgs = { token: string; pieces: number };
export type RecordArgs = { token: string };
export type DecideArgs = { token: string; record: string; instead_of: string | null };
export type SignArgs = { token: string; record: string };

type Hand = { random: () => number; id: () => string; token: () => string };
const certificates = 2;
const criteria = 3;
const mostFiles = 3;
const mostPieces = 6;

export const observe = ({ random, id, token }: Hand, decided: ReadonlyMap<string, string>): Deed[] => {
  const certificate = `certificate:c${Math.floor(random() * certificates)}`;
  const record = id();
  const deeds: Deed[] = [{ id: record, lane: certificate, command: 'observation.record', args: { token: token() }, dependsOn: [], token: '' }];
  for (let i = 0; i < criteria; i++) {
    if (random() < 0.5) continue;
    const lane = `${certificate}/${i}`;
    const args: DecideArgs = { token: token(), record, instead_of: decided.get(lane) ?? null };
    deeds.push({ id: id(), lane, command: 'observation.decide', args, dependsOn: [record], token: '' });
  }
  for (let i = Math.floor(random() * (mostFiles + 1)); i > 0; i--) {
    const file = id();
    const args: FileArgs = { token: token(), pieces: 1 + Math.floor(random() * mostPieces) };
    deeds.push({ id: file, lane: `evidence:${file}`, command: 'evidence.add', args, dependsOn: [], token: '' });
  }
  return deeds.map((d) => ({ ...d, token: (d.args as RecordArgs).token }));
};

/** Signs a record made on this device, sent or not. */
export const sign = ({ id, token }: Hand, record: Pick<Entry, 'id' | 'lane'>): Deed[] => {
  const args: SignArgs = { token: token(), record: record.id };
  return [{ id: id(), lane: record.lane, command: 'observation.sign', args, dependsOn: [record.id], token: args.token }];
};
