import { Button, Checkbox, NumberInput, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Content } from '#contract/entities/authored-content.ts';
import type { CompletionRule } from '#contract/entities/content.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/content-creator/content-creator.module.css';
import { PackagePreview } from '#src/features/content-creator/package-preview.tsx';
import { PackageProblemList, PackageUpload } from '#src/features/content-creator/package-upload.tsx';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Fields = Pick<Content, 'title' | 'aims' | 'outcomes' | 'estimated_duration' | 'cpd_accredited' | 'published'> & {
  course_id: string | null;
  package_id: string;
  completion: CompletionRule;
};
type Props = { content: Content | null; save: (fields: Fields) => Promise<Result<Content>>; onSaved: () => void; more?: ReactNode };

const rules: { value: CompletionRule; label: string; about: string }[] = [
  {
    value: 'reported',
    label: 'When the course reports it',
    about: 'Each part says that it is completed or passed, and with which score. Most courses do.',
  },
  { value: 'opened', label: 'When every part was opened', about: 'For courses that report nothing.' },
  { value: 'confirmed', label: 'When the learner says so', about: 'At the end the learner confirms that they have finished it.' },
];

/** A SCORM course: its file, what it is for, when it counts as completed, and the course itself to be tried. */
export const ScormForm = ({ content, save, onSaved, more }: Props) => {
  const [pack, setPack] = useState<CoursePackage | null>(content?.package ?? null);
  const [course, setCourse] = useState<Option | null>(content ? { id: content.course.id, name: content.course.title } : null);
  const [title, setTitle] = useState(content?.title ?? '');
  const [aims, setAims] = useState(content?.aims ?? '');
  const [outcomes, setOutcomes] = useState(content?.outcomes.join('\n') ?? '');
  const [minutes, setMinutes] = useState<number | string>(content?.estimated_duration ?? '');
  const [completion, setCompletion] = useState<CompletionRule>(content?.completion ?? 'reported');
  const [cpd, setCpd] = useState(content?.cpd_accredited ?? false);
  const [published, setPublished] = useState(content?.published ?? true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const manifest = pack?.manifest.kind === 'scorm' ? pack.manifest : null;
  const mended = (field: string) => setErrors(({ [field]: _mended, whole: _whole, ...others }) => others);
  const submit = async () => {
    const missing = {
      ...(pack ? {} : { file: 'Choose the file of the course first.' }),
      ...(course ? {} : { course_id: 'Choose the course that this is for.' }),
      ...(title.trim() ? {} : { title: 'Enter a title.' }),
    };
    setErrors(missing);
    if (!pack || !course || Object.keys(missing).length > 0) return;
    setBusy(true);
    const result = await save({
      course_id: course.id,
      package_id: pack.id,
      title: title.trim(),
      aims: aims.trim(),
      outcomes: outcomes.split('\n').flatMap((line) => line.trim() || []),
      estimated_duration: Number(minutes) || 0,
      completion,
      cpd_accredited: cpd,
      published,
    });
    setBusy(false);
    if (result.kind === 'ok') onSaved();
    else setErrors(fieldErrorsOf(result));
  };
  return (
    <>
      <form
        noValidate
        className={`app-card ${classes.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ErrorSummary errors={errors} />
        <PackageUpload
          kind="scorm"
          accept=".zip,application/zip"
          label={pack ? 'Choose another file (.zip)' : 'Choose a file (.zip)'}
          onBegin={() => mended('file')}
          onUploaded={(uploaded) => {
            setPack(uploaded);
            if (title === '') {
              setTitle(uploaded.manifest.title.slice(0, 200));
              mended('title');
            }
          }}
        />
        {(errors.file ?? errors.package_id) && (
          <p className={classes.problems} data-field={errors.file ? 'file' : 'package_id'}>
            {errors.file ?? errors.package_id}
          </p>
        )}
        {pack && manifest && (
          <dl className={classes.facts}>
            <dt>Standard</dt>
            <dd>SCORM {manifest.standard}</dd>
            <dt>Holds</dt>
            <dd>{countOf(manifest.items, 'part')}</dd>
            <dt>Size</dt>
            <dd>
              {formatMegabytes(pack.bytes)}, {countOf(pack.files, 'file')}
            </dd>
          </dl>
        )}
        {content && pack && pack.id !== content.package?.id && (
          <p className={classes.note}>People who have begun the course finish it with the file they began with.</p>
        )}
        {pack && <PackageProblemList problems={pack.warnings} tone="warning" />}
        {content ? (
          <TextInput label="Course" value={content.course.title} readOnly description="A content stays with its course." />
        ) : (
          <Picker
            from="courses"
            label="Course"
            description="The course it teaches. People who need this course get it."
            required
            value={course}
            error={errors.course_id}
            onChange={(chosen) => {
              setCourse(chosen);
              mended('course_id');
            }}
          />
        )}
        <TextInput
          label="Title"
          required
          maxLength={200}
          value={title}
          error={errors.title}
          onChange={(e) => {
            setTitle(e.currentTarget.value);
            mended('title');
          }}
        />
        <Textarea
          label="Aims"
          autosize
          minRows={2}
          maxLength={2000}
          value={aims}
          error={errors.aims}
          onChange={(e) => setAims(e.currentTarget.value)}
        />
        <Textarea
          label="What people can do afterwards"
          description="One on each line."
          autosize
          minRows={2}
          value={outcomes}
          error={errors.outcomes}
          onChange={(e) => {
            setOutcomes(e.currentTarget.value);
            mended('outcomes');
          }}
        />
        <NumberInput
          label="How long it takes, in minutes"
          min={0}
          max={6000}
          allowDecimal={false}
          hideControls
          allowNegative={false}
          value={minutes}
          error={errors.estimated_duration}
          onChange={(value) => {
            setMinutes(value);
            mended('estimated_duration');
          }}
        />
        <Radio.Group label="It is completed" value={completion} onChange={(rule) => setCompletion(rule as CompletionRule)}>
          <Stack gap="xs" mt="xs">
            {rules.map(({ value, label, about }) => (
              <Radio key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox label="It counts for continuing professional development (CPD)" checked={cpd} onChange={(e) => setCpd(e.currentTarget.checked)} />
        <Checkbox
          label="Published"
          description="People who need the course see it. Nobody else sees a draft."
          checked={published}
          onChange={(e) => setPublished(e.currentTarget.checked)}
        />
        <div className={classes.row}>
          <Button type="submit" loading={busy}>
            Save
          </Button>
          {more}
        </div>
      </form>
      {pack && manifest && <PackagePreview key={pack.tree} tree={pack.tree} manifest={manifest} />}
    </>
  );
};
