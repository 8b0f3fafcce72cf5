import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Radio, Stack } from '@mantine/core';
import type { CompletionRule } from '#contract/entities/content.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import type { AuthoredForm, AuthoredPage } from '#src/features/content-creator/authored-pages.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { ContentForm } from '#src/screens/authoring/content-fields.tsx';
import { contentPages, CopyContent } from '#src/features/content-creator/content-pages.tsx';
import { NobodyTakesIt, WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { PackagePart } from '#src/features/content-creator/package-part.tsx';
import { PackagePreview } from '#src/screens/package-preview.tsx';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { Versions } from '#src/screens/authoring/versions.tsx';
import { ContentFeedback } from '#src/screens/authoring/content-feedback.tsx';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';

const rules: { value: CompletionRule; label: string; about: string }[] = [
  {
    value: 'reported',
    label: 'When the course reports it',
    about: 'Each part says that it is completed or passed, and with which score. Most courses do.',
  },
  { value: 'opened', label: 'When every part was opened', about: 'For courses that report nothing.' },
  { value: 'confirmed', label: 'When the learner says so', about: 'At the end the learner confirms that they have finished it.' },
];
const manifestOf = (pack: CoursePackage | null) => (pack?.manifest.kind === 'scorm' ? pack.manifest : null);

/** A SCORM course: its file, its details, its completion rule, and a preview. */
const ScormForm = (props: AuthoredForm<'/content'>) => (
  <ContentForm
    {...props}
    type="scorm"
    begin={(content) => ({
      package_id: (content?.package ?? null) as CoursePackage | null,
      completion: content?.completion ?? ('reported' as CompletionRule),
    })}
    compared={({ package_id: pack, completion }) => ({
      'Course file': pack ? `${pack.manifest.title}, ${formatMegabytes(pack.bytes)}, uploaded ${formatMoment(pack.created_at)}` : 'none',
      'It is completed': rules.find(({ value }) => value === completion)?.label ?? completion,
    })}
    toInput={({ package_id, completion }) => ({ package_id: package_id?.id, completion })}
    below={({ values: { package_id: pack } }) => {
      const manifest = manifestOf(pack);
      return (
        pack &&
        manifest && (
          <section aria-label="Try it" className={`${layout.stack} ${classes.try}`}>
            <h2>Try it</h2>
            <PackagePreview key={pack.tree} tree={pack.tree} manifest={manifest} reports />
          </section>
        )
      );
    }}
  >
    {({ field, set, values }) => {
      const { package_id: pack, title } = values;
      const manifest = manifestOf(pack);
      return (
        <>
          <PackagePart
            kind="scorm"
            pack={pack}
            error={field('package_id').error}
            onUploaded={(uploaded) => {
              set('package_id', uploaded);
              if (title === '') set('title', uploaded.manifest.title.slice(0, 200));
            }}
            facts={
              manifest && {
                first: [
                  ['Standard', `SCORM ${manifest.standard}`],
                  ['Holds', countOf(manifest.items, 'part')],
                ],
              }
            }
            note={
              props.thing &&
              pack &&
              pack.id !== props.thing.package?.id && (
                <p className={shapes.muted}>People who have begun the course finish it with the file they began with.</p>
              )
            }
          />
          <Radio.Group label="It is completed" {...field('completion')}>
            <Stack gap="xs" mt="xs">
              {rules.map(({ value, label, about }) => (
                <Radio key={value} value={value} label={label} description={about} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      );
    }}
  </ContentForm>
);

/** A SCORM course: its form, and its versions. */
const ScormPage = ({ thing: content, form, others }: AuthoredPage<'/content'>) => (
  <DetailPage
    title={content.title}
    note={others}
    badge={<PublishedBadge published={content.published} />}
    about={[content.course.title, `Version ${content.version}`]}
    actions={<CopyContent content={content} />}
    tabs={[
      { id: 'details', label: 'Details', content: form },
      { id: 'versions', label: 'Versions', content: <Versions content={content} /> },
      { id: 'feedback', label: 'Feedback', content: <ContentFeedback content={content} /> },
      { id: 'uses', label: 'Who takes it', content: <WhoTakesIt course={content.course.id} content={content.id} /> },
    ]}
  >
    {content.published && <NobodyTakesIt course={content.course.id} />}
  </DetailPage>
);

export const { Create, Update } = contentPages('scorm', { heading: 'SCORM course', Form: ScormForm, Page: ScormPage });
