import '@mantine/core/styles/Combobox.css';
import { Button, Select, Textarea, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { SubmissionFields } from '#contract/commands/submission-commands.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { pathTo } from '#contract/site-map.ts';
import { loadSubmissionCourses, type SubmissionCourse, type SubmissionCourses } from '#src/device/submission-courses.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { type CertificateFile, CertificateFileChoice } from '#src/features/results/certificate-file.tsx';
import { dayOf } from '#src/lib/format.ts';
import type { SubmissionStart } from '#src/lib/submission-start.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { submitCertificate } from '#src/offline/kinds/submission/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { setAside } from '#src/offline/outbox/resolve.ts';
import { whileSaving } from '#src/offline/outbox/commit.ts';
import { formDraftPrefix } from '#src/offline/store/person-db.ts';
import { FileRefused } from '#src/screens/chosen-file.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import layout from '#src/ui/page.module.css';
import { LoadingState } from '#src/ui/states.tsx';

type Values = { course_id: string | null; completed_on: string; expires_on: string; note: string; file: CertificateFile | null };
type Held = { hash: string; data: string };
const draftName = 'certificate from elsewhere';
const fileKey = `${formDraftPrefix}${draftName}: file`;

/** The record to which this belongs, and to which it returns. */
const recordOf = (uuid: string) => `${pathTo('users-by-uuid', { uuid })}?tab=record`;

type Begin = { courses: readonly SubmissionCourse[]; whole: boolean; start: SubmissionStart | null; held: Held | null; file: CertificateFile | null };

const SubmitForm = ({ begin: { courses, whole, start, held, file } }: { begin: Begin }) => {
  const db = usePersonDb();
  const navigate = useNavigate();
  /** The bytes of the chosen file: they are not part of the draft, which is stored at every keystroke. */
  const bytes = useRef<Held | null>(held);
  const fields = useForm({
    schema: SubmissionFields,
    begin: (): Values => ({
      course_id: start?.course.id ?? null,
      completed_on: start?.completed_on ?? '',
      expires_on: start?.expires_on ?? '',
      note: start?.note ?? '',
      file,
    }),
    toInput: (v) => ({ ...v, expires_on: v.expires_on || null }),
    save: async ({ course_id, ...said }) => {
      if (said.completed_on > dayOf(correctedNow())) return { kind: 'failed', errors: { completed_on: 'This day has not come yet.' } };
      const course = courses.find((c) => c.id === course_id);
      if (!course) return { kind: 'failed', errors: { course_id: 'Choose the course.' } };
      if (bytes.current?.hash !== said.file.hash)
        return { kind: 'failed', errors: { file: `“${said.file.name}” is no longer on this device. Add it again.` } };
      try {
        await submitCertificate(db, { ...said, course, data: bytes.current.data });
        // The replacement is saved first: nothing is lost if the second step fails.
        const refused = start?.instead && (await db.outbox.where('id').equals(start.instead).first());
        if (refused) await setAside(db, { ...refused });
      } catch (error) {
        if (!(error instanceof NotSaved)) throw error;
        return { kind: 'failed', errors: { whole: `${error.message} Nothing you have entered is lost: try again.` } };
      }
      await db.kv.delete(fileKey);
      return { kind: 'ok', data: null };
    },
    success: 'Saved on this device. It is sent when there is a connection.',
    onSaved: () => void navigate(recordOf(db.personId)),
    draft: draftName,
  });
  const { field, values, errors, busy, draft } = fields;
  const chosen = values.file;
  // A restored draft has its file in the store.
  const [data, setData] = useState(held?.data ?? null);
  useEffect(() => {
    if (!chosen || bytes.current?.hash === chosen.hash) return;
    let gone = false;
    void db.kv.get(fileKey).then((row) => {
      const kept = row?.value as Held | undefined;
      if (gone || kept?.hash !== chosen.hash) return;
      bytes.current = kept;
      setData(kept.data);
    });
    return () => {
      gone = true;
    };
  }, [db, chosen]);
  const choose = async (to: CertificateFile, whole: string) => {
    await whileSaving(async () => db.kv.put({ key: fileKey, value: { hash: to.hash, data: whole } })).catch((error: unknown) => {
      throw new FileRefused('This device is full: the file is not kept. What you have entered is. Send what waits, and try again.', { cause: error });
    });
    bytes.current = { hash: to.hash, data: whole };
    setData(whole);
    fields.set('file', to);
  };
  const drop = async () => {
    await draft.drop();
    await db.kv.delete(fileKey);
  };
  const { value: _, onChange: __, ...fileField } = field('file');
  return (
    <Form
      form={{ ...fields, draft: { ...draft, drop } }}
      save="Submit for approval"
      beside={
        <Button variant="default" component={Link} to={recordOf(db.personId)}>
          Cancel
        </Button>
      }
    >
      <FormSection title="What you completed" disabled={busy}>
        <Select
          label="Course"
          description={whole ? undefined : 'Only your own courses are on this device. With a connection you can choose any of your organisation.'}
          placeholder="Choose a course"
          searchable
          nothingFoundMessage="No matching course"
          data={courses.map((c) => ({ value: c.id, label: c.title }))}
          {...field('course_id')}
        />
        <DateField label="Completed on" {...field('completed_on')} />
        <DateField label="Valid until (if the certificate says so)" {...field('expires_on')} />
        <Textarea label="Note (optional)" description="For example, who gave it and where." autosize minRows={2} maxLength={500} {...field('note')} />
      </FormSection>
      <FormSection title="The certificate" disabled={busy}>
        <CertificateFileChoice
          {...fileField}
          error={errors.file}
          value={chosen}
          data={chosen?.hash === bytes.current?.hash ? data : null}
          onChoose={choose}
        />
      </FormSection>
    </Form>
  );
};

type Refused = { held: Held; file: CertificateFile } | null;
/** The file of a refused submission that is corrected here. */
const useRefused = (id: string | undefined): Refused | undefined => {
  const db = usePersonDb();
  const [refused, setRefused] = useState<Refused | undefined>(id ? undefined : null);
  useEffect(() => {
    if (!id) return;
    let gone = false;
    void (async () => {
      const args = (await db.outbox.where('id').equals(id).first())?.args as ArgsOf<'submission.add'> | undefined;
      if (!gone) setRefused(args ? { held: { hash: args.file.hash, data: args.data ?? '' }, file: args.file } : null);
    })().catch(() => setRefused(null));
    return () => {
      gone = true;
    };
  }, [db, id]);
  return refused;
};

/** Adds a certificate from elsewhere to one's own record, for approval, online or offline. */
export const Component = () => {
  const start = (useLocation().state as { submission?: SubmissionStart } | null)?.submission ?? null;
  const refused = useRefused(start?.instead);
  const { state, retry } = useKeptRead<SubmissionCourses>('own-courses', ['own courses'], loadSubmissionCourses, (thing) => thing.whole);
  if (state.kind !== 'loaded')
    return (
      <ReadPlaceholder
        order={1}
        state={state}
        retry={retry}
        loading="Loading the form"
        offline="The courses are not on this device yet. You can add a certificate as soon as there is a connection."
      />
    );
  if (refused === undefined) return <LoadingState label="Loading the form" />;
  const { courses, whole } = state.data;
  // A preselected course may be missing in the stored list.
  const offered = start && !courses.some((c) => c.id === start.course.id) && !whole ? [start.course, ...courses] : courses;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add a certificate
      </Title>
      <p className={layout.count}>Training that you did somewhere else. It counts once your organisation has approved it.</p>
      <SubmitForm begin={{ courses: offered, whole, start, held: refused?.held ?? null, file: refused?.file ?? null }} />
    </div>
  );
};
