import * as z from 'zod/mini';
import {
  CommunicationPreference,
  CommunicationPreferenceInput,
  CompanySettings,
  CompanySettingsChange,
} from '#contract/entities/training-company.ts';
import { Count, Id } from '#contract/entities/fields.ts';
import { companiesOf } from '#server/features/training-companies/companies.service.ts';
import { builder, signedIn } from '#server/graphql/builder.ts';
import { graphInput, graphType } from '#server/graphql/entity-types.ts';
import { existing } from '#server/db/rows.ts';
import { read } from '#server/validation.ts';

const TrainingCompanyInput = z.extend(CompanySettingsChange, { id: Id, rev: z.optional(Count) });

/** The settings of a training company, read and changed. */
export const companyGraph = () => {
  graphType('CommunicationPreference', CommunicationPreference, {
    description: 'How a kind of message is sent.',
    about: { text: 'Null for the standard text. Words in braces stand for facts: {name}, {course}, {date} …' },
  });
  const Company = graphType('TrainingCompany', CompanySettings, {
    description: 'The settings by which an organisation provides training.',
    about: {
      delegate_auto_accept_period: 'Hours after which a delegate who has not answered counts as coming: 0 at once, null never.',
      waiting_list_accept_hours: 'Ours: hours in which somebody who moves up from a waiting list can accept the place; 0: they are booked at once.',
      delegate_removal_cutoff_hours: 'Hours before a session until which a delegate can be taken off its list.',
      communication_preferences_json: 'What differs from the standard, by kind of message.',
      inherited_from: 'Ours: the organisation above whose settings these are.',
      rev: 'Ours: its version; 0 where it has no settings of its own.',
    },
  });
  graphInput('CommunicationPreferenceInput', CommunicationPreferenceInput);
  const Input = graphInput(
    'TrainingCompanyInput',
    TrainingCompanyInput,
    'Names the organisation by its id; a field that is left out stays as it is.',
  );
  builder.queryField('trainingCompany', (t) =>
    t.field({
      type: Company,
      description: 'Ours: the settings of a training company, by the id of the organisation. Needs permission training_company.update.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => companiesOf(context.services).settings(signedIn(context, 'training_company.update'), String(id)),
    }),
  );
  builder.mutationField('updateTrainingCompany', (t) =>
    t.field({
      type: Company,
      description:
        'Changes the settings of a training company. Needs permission training_company.update. With `rev` (ours) refused if somebody has changed them since.',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_, { input }, context) => {
        const actor = signedIn(context, 'training_company.update');
        const { id, rev, ...change } = existing(read(TrainingCompanyInput, input));
        return companiesOf(context.services).change({ actor, request: context.request }, id, change, rev ?? null);
      },
    }),
  );
};
