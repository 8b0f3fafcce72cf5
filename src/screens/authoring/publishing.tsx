import { Button, NumberInput, Radio, Stack, Textarea } from '@mantine/core';
import { publishContent } from '#contract/api/content.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { canPublish, isWithdrawn, publishTitle } from '#src/screens/authoring/publishing-words.ts';
import { SureButton, WhatHappens } from '#src/screens/authoring/sure-dialog.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';

/** The problems that prevent publishing, if any. */
export const PublishProblems = ({ content: { problems } }: { content: Content }) =>
  problems.length > 0 && (
    <section className={layout.notice} data-tone="warning" aria-label="Before it can be published">
      <strong>Before it can be published</strong>
      <ul style={{ margin: '6px 0 0', paddingLeft: '1.2em' }}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </section>
  );

type Props = { content: Content; onChange: (content: Content) => void };
export const publishDialog = 'publish-content';

/** The differences between the working copy and what people take. */
const Changes = ({ changes }: { changes: readonly string[] }) => (
  <section aria-label="What changes" className={classes.changes}>
    <strong>{changes.length > 0 ? 'What changes' : 'Nothing that people see changes.'}</strong>
    <ul>
      {changes.slice(0, shownChanges).map((change) => (
        <li key={change}>{change}</li>
      ))}
      {changes.length > shownChanges && <li>And {(changes.length - shownChanges).toLocaleString('en-GB')} more.</li>}
    </ul>
  </section>
);
const shownChanges = 12;

const PublishForm = ({ content, onChange }: Props) => {
  const withdrawn = isWithdrawn(content);
  const fields = useForm({
    schema: publishContent.body,
    begin: { note: '', material: 'no', which: 'last' as 'last' | 'changed', take_within_days: 28 as number | string },
    toInput: ({ note, material, take_within_days }) => ({
      ...{ note, material: material === 'yes', rev: content.rev },
      ...(material === 'yes' ? { take_within_days: take_within_days === '' ? undefined : Number(take_within_days) } : {}),
    }),
    save: async (body, _changed, { which }) => {
      const params = { id: content.id };
      const answer =
        withdrawn && which === 'last'
          ? await call('PATCH /content/{id}', { params, body: { published: true, rev: content.rev } })
          : await call('POST /content/{id}/publish', { params, body });
      if (answer.kind !== 'refused' || answer.error.code !== 'rev_mismatch') return answer;
      onChange(answer.error.current as Content);
      return {
        kind: 'failed' as const,
        errors: { whole: 'Somebody else changed this in the meantime. Close this, look at what they changed, then publish.' },
      };
    },
    success: ({ version }) => `Version ${version} is published.`,
    onSaved: (published) => {
      closeModal(publishDialog);
      onChange(published);
    },
  });
  const { field, values } = fields;
  const again = content.version > 0;
  const next = !withdrawn || (content.has_changes && values.which === 'changed');
  return (
    <Form form={fields} label="Publish" save="Publish">
      <FormSection>
        <p style={{ margin: 0 }}>
          {again && next
            ? 'People who begin now take the new version. People who have begun finish the one they began with.'
            : again
              ? `People can begin with version ${content.version} again.`
              : 'People who need the course can take it, without a connection too.'}
        </p>
        {withdrawn && content.has_changes && content.problems.length === 0 && (
          <Radio.Group label="Which version do people take?" {...field('which')}>
            <Stack gap="xs" mt="xs">
              <Radio value="last" label={`Version ${content.version}, as it was`} description="What was written since stays a draft." />
              <Radio value="changed" label={`Version ${content.version + 1}, with what was written since`} description="Also what is not finished." />
            </Stack>
          </Radio.Group>
        )}
        {again && next && (
          <>
            <Changes changes={content.changes} />
            <Radio.Group label="How much does it matter?" {...field('material')}>
              <Stack gap="xs" mt="xs">
                <Radio value="no" label="Small corrections" description="A typo, a clearer sentence. Nobody needs to do anything." />
                <Radio
                  value="yes"
                  label="Something that matters"
                  description="What people have to know or do is different: those who have done it before are asked to take the new version."
                />
              </Stack>
            </Radio.Group>
            {values.material === 'yes' && (
              <NumberInput
                label="Take the new version within, in days"
                description="People who are in date stay in date. The course comes back to their list until they have taken it, and counts as overdue after that."
                min={1}
                max={365}
                allowDecimal={false}
                allowNegative={false}
                hideControls
                {...field('take_within_days')}
              />
            )}
            <Textarea
              label="Note"
              description="What changed, for your colleagues. It stays with the version."
              autosize
              minRows={2}
              {...field('note')}
            />
          </>
        )}
      </FormSection>
    </Form>
  );
};

/** The dialog that asks what changed before a content is published. Opened by its name. */
export const PublishDialog = (props: Props) => (
  <RegisteredModal name={publishDialog} title={publishTitle(props.content)}>
    {() => <PublishForm {...props} />}
  </RegisteredModal>
);
/** Publishes the working copy as the next version, after asking what changed. Hidden while nothing can be published. */
export const PublishButton = (props: Props) => (
  <>
    {canPublish(props.content) && <Button onClick={() => openModal(publishDialog)}>Publish …</Button>}
    <PublishDialog {...props} />
  </>
);

const withdrawDialog = 'withdraw-content';
/** Withdraws a published content: nobody new can start it. */
export const WithdrawButton = ({ content, onChange }: Props) => {
  const { id, rev, published, title } = content;
  const action = useAction(() => call('PATCH /content/{id}', { params: { id }, body: { published: false, rev } }), {
    success: 'It is withdrawn.',
    onDone: (withdrawn) => {
      closeModal(withdrawDialog);
      onChange(withdrawn);
    },
  });
  return (
    published && (
      <SureButton
        dialog={withdrawDialog}
        label="Withdraw …"
        title={`Withdraw “${title}”?`}
        sure="Withdraw"
        busy={action.busy}
        onSure={() => void action.run()}
      >
        <WhatHappens content={id} />
      </SureButton>
    )
  );
};
