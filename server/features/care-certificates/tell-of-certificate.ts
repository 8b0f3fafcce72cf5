import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import type { Db } from '#server/db/sql.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import type { Services } from '#server/services.ts';

/** What a message needs: stored and mailed in the transaction of the change that it reports. Call `mail.wake` after it. */
export type Telling = Pick<Services, 'db' | 'now' | 'mail' | 'config'>;
type Text = { recipient_id: string; message: string };

/** Writes messages in the actor's name, with their e-mails; nobody gets their own, and everybody each text once. */
const tell = async (services: Telling, tx: Db, { user }: Actor, texts: readonly Text[]): Promise<void> => {
  const once = [...new Map(texts.map((text) => [`${text.recipient_id} ${text.message}`, text])).values()];
  const written = await tellPeople(tx, user.uuid, once, services.now());
  await messagesOf(services).mailedWith(tx, [written]);
};
/** Everybody who has recorded something for a certificate. */
const assessorsOf = ({ observations }: CareCertificate): string[] => [...new Set(observations.map((o) => o.assessor.id))];
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Tells a person that the Care Certificate was assigned to them. */
export const tellAssigned = (services: Telling, tx: Db, actor: Actor, userId: string) =>
  tell(services, tx, actor, [
    {
      recipient_id: userId,
      message: 'The Care Certificate has been assigned to you. You see what belongs to it, and how far you are, under “Care certificate”.',
    },
  ]);

/** Tells the person, and those who assessed them, that their certificate was approved, sent back, or that its approval was withdrawn. */
export const tellDecided = (
  services: Telling,
  tx: Db,
  actor: Actor,
  certificate: CareCertificate,
  { what, reason, approver }: { what: 'approved' | 'sent_back' | 'withdrawn'; reason: string; approver?: string | undefined },
) => {
  const { user } = certificate;
  const words = {
    approved: ['Your Care Certificate is approved.', `The Care Certificate of ${user.name}, whom you assessed, is approved.`],
    sent_back: [
      `Your Care Certificate was looked at, and is not approved yet: ${sentence(reason)}`,
      `The Care Certificate of ${user.name}, whom you assessed, was sent back: ${sentence(reason)}`,
    ],
    withdrawn: [
      `The approval of your Care Certificate was withdrawn: ${sentence(reason)}`,
      `The approval of the Care Certificate of ${user.name} was withdrawn: ${sentence(reason)}`,
    ],
  } as const;
  const [own, others] = words[what];
  const whom = [...assessorsOf(certificate), ...(approver ? [approver] : [])].filter((id) => id !== user.id);
  return tell(services, tx, actor, [{ recipient_id: user.id, message: own }, ...whom.map((recipient_id) => ({ recipient_id, message: others }))]);
};

/**
 * Tells assessors whose records a colleague withdrew; and if that ended an approval, whoever gave it and the person, even though the
 * withdrawal was made long before it arrived.
 */
export const tellOverruled = (
  services: Telling,
  tx: Db,
  actor: Actor,
  { certificate, withdrawn, ended }: { certificate: CareCertificate; withdrawn: readonly { about: string; reason: string }[]; ended: boolean },
) => {
  const { user, approvals, observations } = certificate;
  const texts: Text[] = withdrawn.flatMap(({ about, reason }) => {
    const record = observations.find((o) => o.id === about);
    if (!record) return [];
    const day = dayWords(dayIn(record.at, actor.user.time_zone));
    return [{ recipient_id: record.assessor.id, message: `I have withdrawn your record of ${day} about ${user.name}: ${sentence(reason)}` }];
  });
  const approver = approvals.at(-1);
  if (ended && approver?.approved)
    texts.push(
      {
        recipient_id: approver.by.id,
        message: `The Care Certificate of ${user.name}, which you approved, is not approved any more: what I have recorded leaves a criterion open that was met.`,
      },
      { recipient_id: user.id, message: 'Your Care Certificate is not approved any more: a criterion that was met is open again.' },
    );
  return tell(services, tx, actor, texts);
};
