/**
 * The messages of a training company to delegates: each kind has a standard text, which the company can replace. Words in braces are
 * placeholders. Pure.
 */
export const companyMessageKinds = [
  'booked',
  'place_free',
  'lapsed',
  'moved',
  'bring',
  'held_before',
  'cancelled',
  'removed',
  'transferred',
  'reminder',
  'joining_link',
  'certificate_released',
  'documents',
] as const;
export type CompanyMessageKind = (typeof companyMessageKinds)[number];

/** The placeholders, with an example of each for the preview. */
export const messageFacts = {
  name: 'Grace Adeyemi',
  course: 'Basic life support',
  date: '27/11/2026',
  start: '09:30',
  end: '12:30',
  place: 'Mill Lane, Hall',
  trainer: 'Daniel Whitfield',
  provider: 'Brightpath Training',
  old_course: 'Basic life support',
  old_date: '20/11/2026',
  old_start: '13:00',
  old_place: 'Willowbrook House, Lounge',
  reason: 'The trainer is ill.',
  link: 'https://meet.example.org/basic-life-support',
  documents: 'Joining instructions, Map of the site',
  bring: 'What to bring: flat shoes, and a pen.',
} as const;
export type MessageFact = keyof typeof messageFacts;

const always: readonly MessageFact[] = ['name', 'course', 'date', 'start', 'end', 'place', 'trainer', 'provider'];
type Kind = {
  label: string;
  /** When it is sent. */
  when: string;
  text: string;
  /** Placeholders that only this kind knows. */
  facts?: readonly MessageFact[];
  /** A placeholder that the text must contain. */
  needs?: MessageFact;
};
/** Kinds that announce a place: what to bring is on a line of its own, if there is anything. */
const ending = '\n{bring}';
const on = '“{course}” on {date} at {start}, {place}';
export const companyMessages: Readonly<Record<CompanyMessageKind, Kind>> = {
  booked: {
    label: 'Booked',
    when: 'When somebody is put on the list of a session.',
    text: `You are booked on ${on}, until {end}.${ending}`,
    facts: ['bring'],
  },
  place_free: {
    label: 'A place has become free',
    when: 'When somebody moves up from the waiting list.',
    text: `A place is free: you are booked on ${on}. If you cannot come, say so under Your bookings.${ending}`,
    facts: ['bring'],
  },
  lapsed: {
    label: 'Not accepted in time',
    when: 'When somebody who moved up from the waiting list has not accepted the place in time.',
    text: `You have not accepted your place on ${on} in time. You are no longer booked.`,
  },
  moved: {
    label: 'Moved',
    when: 'When the day, the time or the place of a session changes.',
    text: '“{course}” on {old_date} at {old_start}, {old_place} has changed. It is now on {date}, {start} to {end}, {place}.',
    facts: ['old_date', 'old_start', 'old_place'],
  },
  bring: {
    label: 'What to bring',
    when: 'When what people are to bring to a session changes.',
    text: `What to bring has changed for ${on}.${ending}`,
    ...{ facts: ['bring'], needs: 'bring' },
  },
  held_before: {
    label: 'Held on an earlier day',
    when: 'When a session that was moved turns out to have been held on the day that it had before.',
    text: '“{course}” was held on {date}, and not on {old_date}. The date under Your bookings and in your calendar is put right.',
    facts: ['old_date'],
  },
  cancelled: {
    label: 'Cancelled',
    when: 'When a session is cancelled.',
    text: `${on} is cancelled. Reason: {reason}`,
    facts: ['reason'],
  },
  removed: { label: 'No longer booked', when: 'When somebody is taken off the list of a session.', text: `You are no longer booked on ${on}.` },
  transferred: {
    label: 'Another session',
    when: 'When somebody is moved from one session to another.',
    text: `You are moved from “{old_course}” on {old_date} at {old_start}, {old_place} to ${on}, until {end}.${ending}`,
    facts: ['old_course', 'old_date', 'old_start', 'old_place', 'bring'],
  },
  reminder: {
    label: 'Reminder',
    when: 'The day before a session, as an e-mail.',
    text: `Tomorrow: ${on}, until {end}. If you cannot come, say so under Your bookings.${ending}`,
    facts: ['bring'],
  },
  joining_link: {
    label: 'Joining link',
    when: 'The day before a virtual session, as an e-mail.',
    text: `“{course}” on {date} at {start} is online. Join it here: {link}${ending}`,
    ...{ facts: ['link', 'bring'], needs: 'link' },
  },
  certificate_released: {
    label: 'Certificate',
    when: 'When a certificate can be downloaded.',
    text: 'Your certificate for “{course}” on {date} is ready. You find it under My record.',
  },
  documents: {
    label: 'New documents',
    when: 'When documents for delegates were added to a session, together with others of about the same time.',
    text: 'New documents for your training.\n“{course}” on {date}: {documents}.\nYou find them under Your bookings.',
    ...{ facts: ['documents'] },
  },
};
/** The placeholders that a text of this kind can contain. */
export const factsOf = (kind: CompanyMessageKind): readonly MessageFact[] => [...always, ...(companyMessages[kind].facts ?? [])];

const braces = /\{([^{}]*)\}/g;
/** What is wrong with a text; null if nothing is. */
export const messageProblem = (kind: CompanyMessageKind, text: string): string | null => {
  const { needs } = companyMessages[kind];
  const known = factsOf(kind);
  const unknown = [...text.matchAll(braces)].find(([, word]) => !known.some((fact) => fact === word));
  if (unknown) return `${unknown[0]} is not known here. Use ${known.map((fact) => `{${fact}}`).join(', ')}.`;
  if (needs && !text.includes(`{${needs}}`)) return `Write {${needs}} where it belongs: without it the message is of no use.`;
  return null;
};

/** A company's deviations from a standard message; `text` is null for the standard text. */
export type CommunicationPreference = { kind: CompanyMessageKind; email: boolean; text: string | null };
/** The effective settings of a kind of message. */
export const preferenceOf = (preferences: readonly CommunicationPreference[], kind: CompanyMessageKind): CommunicationPreference =>
  preferences.find((p) => p.kind === kind) ?? { kind, email: true, text: null };

/** Replaces the placeholders in a text by facts. An unknown fact leaves nothing behind. */
export const fillMessage = (text: string, facts: Partial<Record<MessageFact, string>>): string =>
  text.replace(braces, (_, word: MessageFact) => facts[word] ?? '').trimEnd();
/** The text of a kind of message: the company’s own or the standard one. */
export const companyMessage = (
  preferences: readonly CommunicationPreference[],
  kind: CompanyMessageKind,
  facts: Partial<Record<MessageFact, string>>,
): string => fillMessage(preferenceOf(preferences, kind).text ?? companyMessages[kind].text, facts);
