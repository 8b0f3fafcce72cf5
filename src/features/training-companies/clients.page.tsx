import { Button, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { type ClientInvitation, NewClientInvitation, type TrainingClient } from '#contract/entities/training-client.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/training-companies/training-companies.module.css';
import { formatMoment } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconBuilding } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';

const Invite = ({ slug, onMade, onCancel }: { slug: string; onMade: (code: string) => void; onCancel: () => void }) => {
  const form = useForm({
    schema: NewClientInvitation,
    begin: { name: '', email: '' },
    toInput: ({ name, email }) => ({ name, email: email.trim() === '' ? null : email }),
    save: (body) => call('POST /entities/{slug}/training-clients/invitations', { params: { slug }, body }),
    onSaved: ({ code }) => onMade(code),
  });
  return (
    <Form
      form={form}
      save="Make a code"
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <FormSection title="Invite a client">
        <p className={layout.count}>
          You get a code. An administrator of the other organisation enters it in its settings, under “Training providers”. From then on it can book
          your sessions that are open to clients.
        </p>
        <TextInput
          label="Who it is for"
          description="For your own list, for example the name of the organisation."
          maxLength={200}
          {...form.field('name')}
        />
        <TextInput
          label="Send it to"
          description="An e-mail address. Leave it empty to hand the code over yourself."
          type="email"
          {...form.field('email')}
        />
        <MailWaits />
      </FormSection>
    </Form>
  );
};

const Client = ({ slug, row, onChanged }: { slug: string; row: TrainingClient; onChanged: () => void }) => {
  const mayWrite = can(useSession(), 'training_company.update');
  const end = useAction(() => call('DELETE /entities/{slug}/training-clients/{client}', { params: { slug, client: row.id } }), {
    success: `${row.client.name} is no longer a client.`,
    onDone: onChanged,
  });
  return (
    <li className={`app-card ${layout.row}`}>
      <div>
        <strong>{row.client.name}</strong>
        <p className={layout.count}>{row.ended_at ? `Client until ${formatMoment(row.ended_at)}` : `Client since ${formatMoment(row.added_at)}`}</p>
      </div>
      {row.ended_at ? (
        <Badge tone="plain">Ended</Badge>
      ) : (
        mayWrite && (
          <div className={layout.tools}>
            <DeleteButton
              name={row.client.name}
              label="End …"
              sure="End it"
              question="It books nothing more. What is booked stays."
              onDelete={() => void end.run()}
            />
          </div>
        )
      )}
    </li>
  );
};
const Invitation = ({ slug, row, onChanged }: { slug: string; row: ClientInvitation; onChanged: () => void }) => {
  const mayWrite = can(useSession(), 'training_company.update');
  const params = { slug, invitation: row.id };
  const me = useSession();
  const withdraw = useAction(() => call('DELETE /entities/{slug}/training-clients/invitations/{invitation}', { params }), {
    success: 'The code is no longer valid.',
    onDone: onChanged,
  });
  const over = row.expires_at <= new Date().toISOString();
  return (
    <li className={`app-card ${layout.row}`}>
      <div>
        <strong>{row.name}</strong>
        <p className={layout.count}>
          {[
            row.email && `${me?.mail_waits ? 'To be sent' : 'Sent'} to ${row.email}`,
            `${over ? 'Expired' : 'Can be used until'} ${formatMoment(row.expires_at)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {mayWrite && (
        <div className={layout.tools}>
          <DeleteButton
            name={row.name}
            label="Withdraw …"
            sure="Withdraw it"
            question="The code then opens nothing."
            onDelete={() => void withdraw.run()}
          />
        </div>
      )}
    </li>
  );
};

/** The organisations that may book with a training company, and its invitations to others. */
export const Component = () => {
  const { slug = '' } = useParams();
  const mayWrite = can(useSession(), 'training_company.update');
  const { state, retry } = useRead('GET /entities/{slug}/training-clients', { params: { slug } });
  const [inviting, setInviting] = useState(false);
  const [code, setCode] = useState('');
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Training clients
        </Title>
        {mayWrite && !inviting && <Button onClick={() => setInviting(true)}>Invite a client</Button>}
      </div>
      {inviting && (
        <Invite
          slug={slug}
          onMade={(made) => {
            setCode(made);
            setInviting(false);
            retry();
          }}
          onCancel={() => setInviting(false)}
        />
      )}
      {code && (
        <div className={layout.notice} data-tone="ok" role="status">
          <div>
            <p>Hand over this code. It is shown this once, and can be used once within 30 days.</p>
            <p className={classes.code}>{code}</p>
          </div>
        </div>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading the clients" offline="The list of clients needs a connection." />
      {state.kind === 'loaded' && state.data.clients.length + state.data.invitations.length === 0 && (
        <EmptyState icon={<IconBuilding size={36} />} title="There are no clients yet">
          Your own organisation and those below it book without being clients. Invite others with a code.
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.clients.length > 0 && (
        <ul className={layout.list} aria-label="Clients">
          {state.data.clients.map((row) => (
            <Client key={row.id} slug={slug} row={row} onChanged={retry} />
          ))}
        </ul>
      )}
      {state.kind === 'loaded' && state.data.invitations.length > 0 && (
        <Section title="Invitations that are not used yet">
          <ul className={layout.list}>
            {state.data.invitations.map((row) => (
              <Invitation key={row.id} slug={slug} row={row} onChanged={retry} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
};
