import { Button, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { webAddress } from '#contract/rules/links.ts';
import { can } from '#contract/can.ts';
import { InvitationCode, type TrainingProvider } from '#contract/entities/training-client.ts';
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
import { EmptyState } from '#src/ui/states.tsx';

const asks = ['entity.update', 'booking.manage'] as const;
const Schema = z.object({ code: InvitationCode });

/** Enters a code, shows whose it is, and accepts it. */
const EnterCode = ({ slug, onDone, onCancel }: { slug: string; onDone: () => void; onCancel: () => void }) => {
  const [read, setRead] = useState<{ code: string; provider: string } | null>(null);
  const form = useForm({
    schema: Schema,
    begin: { code: '' },
    toInput: (typed) => typed,
    save: (body) => call('POST /entities/{slug}/training-providers/invitation', { params: { slug }, body }),
    onSaved: ({ provider }) => setRead({ code: form.values.code, provider: provider.name }),
  });
  const accept = useAction(
    (code: string) => call('POST /entities/{slug}/training-providers', { params: { slug }, body: { code: code.trim().toUpperCase() } }),
    { success: ({ provider }) => `You can book with ${provider.name} now.`, onDone },
  );
  if (read)
    return (
      <section className={`app-card ${layout.block}`} aria-label="Invitation">
        <p>
          <strong>{read.provider}</strong> invites you to book its training. It then sees the names of those whom you book, and nothing else of your
          organisation.
        </p>
        <div className={layout.tools}>
          <Button loading={accept.busy} onClick={() => void accept.run(read.code)}>
            Accept
          </Button>
          <Button variant="default" onClick={onCancel}>
            Not now
          </Button>
        </div>
      </section>
    );
  return (
    <Form
      form={form}
      save="Continue"
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <FormSection title="Add a provider">
        <TextInput
          label="Code"
          description="You have it from the training company, for example K7QM-2XPD-9F4T."
          autoComplete="off"
          maxLength={20}
          {...form.field('code')}
        />
      </FormSection>
    </Form>
  );
};

const Provider = ({ slug, row, onChanged }: { slug: string; row: TrainingProvider; onChanged: () => void }) => {
  const mayWrite = can(useSession(), asks);
  const end = useAction(() => call('DELETE /entities/{slug}/training-providers/{provider}', { params: { slug, provider: row.id } }), {
    success: `You book with ${row.provider.name} no more.`,
    onDone: onChanged,
  });
  const reached = [
    row.email && <a href={`mailto:${row.email}`}>{row.email}</a>,
    row.telephone && <a href={`tel:${row.telephone.replace(/[^+\d]/g, '')}`}>{row.telephone}</a>,
    webAddress(row.website) && <a href={row.website ?? ''}>{row.website}</a>,
  ].filter(Boolean);
  return (
    <li className={`app-card ${layout.row}`}>
      <div>
        {row.logo && <img className={classes.logo} src={row.logo} alt="" />}
        <strong>{row.provider.name}</strong>
        <p className={layout.count}>{row.ended_at ? `Until ${formatMoment(row.ended_at)}` : `Since ${formatMoment(row.added_at)}`}</p>
        {reached.map((way, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the ways stay in their order
          <p key={i} className={layout.count}>
            {way}
          </p>
        ))}
      </div>
      {row.ended_at ? (
        <Badge tone="plain">Ended</Badge>
      ) : (
        mayWrite && (
          <div className={layout.tools}>
            <DeleteButton
              name={row.provider.name}
              label="End …"
              sure="End it"
              question="You book nothing more there. What is booked stays."
              onDelete={() => void end.run()}
            />
          </div>
        )
      )}
    </li>
  );
};

/** The training companies with which an organisation may book. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const { state, retry } = useRead('GET /entities/{slug}/training-providers', { params: { slug } });
  const [adding, setAdding] = useState(false);
  const close = () => setAdding(false);
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Training providers
        </Title>
        {can(user, asks) && !adding && <Button onClick={() => setAdding(true)}>Enter a code</Button>}
      </div>
      {adding && (
        <EnterCode
          slug={slug}
          onDone={() => {
            close();
            retry();
          }}
          onCancel={close}
        />
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading the providers" offline="The list of providers needs a connection." />
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState icon={<IconBuilding size={36} />} title="There are no providers yet">
          Ask a training company for a code. With it you can book its sessions.
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <ul className={layout.list} aria-label="Providers">
          {state.data.map((row) => (
            <Provider key={row.id} slug={slug} row={row} onChanged={retry} />
          ))}
        </ul>
      )}
    </div>
  );
};
