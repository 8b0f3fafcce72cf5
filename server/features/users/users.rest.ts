import type { userEndpoints } from '#contract/api/users.ts';
import { linkInstead, mailWaits } from '#contract/mail-words.ts';
import { listPeople } from '#server/features/users/users.rows.ts';
import { usersOf } from '#server/features/users/users.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const userHandlers = (services: Services): HandlersOf<typeof userEndpoints> => {
  const users = usersOf(services);
  /** What an answer says of e-mails; where the server has no mail server, the truth. */
  const ifSent = (said: string) => (services.mail.isRead ? said : `${mailWaits} ${linkInstead}`);
  return {
    listUsers: ({ query, actor }) => listPeople(services, actor, query),
    getUser: async ({ params, actor }) => ({ data: await users.get(actor, params.id) }),
    createUser: async ({ body, ...by }) => ({ data: await users.create(by, body) }),
    updateUser: async ({ params, body, ...by }) => ({ data: await users.update(by, params.id, body) }),
    getTransfer: async ({ params, actor }) => ({ data: await users.transferOf(actor, params.id) }),
    createTransfer: async ({ params, ...by }) => ({ data: await users.handOver(by, params.id) }),
    takeOver: async ({ body, ...by }) => ({ data: await users.takeOver(by, body) }),
    listNotes: async ({ params, actor }) => ({ data: await users.notes(actor, params.id) }),
    createNote: async ({ params, body, ...by }) => ({ data: await users.addNote(by, params.id, body) }),
    deleteNote: ({ params, ...by }) => users.deleteNote(by, params.id, params.noteId),
    sendWelcomeEmail: async ({ params, actor }) => ({
      data: { message: ifSent(`We have sent an e-mail to ${await users.welcome(actor, params.id)}.`) },
    }),
    sendWelcomeEmails: async ({ params, query, actor }) => {
      const sent = await users.welcomeAll(actor, params.id, query.deep === '1');
      const message =
        sent === 0 ? 'Everybody here has a password already.' : ifSent(`We are sending ${sent === 1 ? '1 e-mail' : `${sent} e-mails`}.`);
      return { data: { sent, message } };
    },
  };
};
