import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { createH5p } from '#contract/api/h5ps.ts';
import type { H5p } from '#contract/entities/h5p.ts';
import type { CoursePackage, H5pManifest } from '#contract/entities/package.ts';
import type { Result } from '#src/api/transport.ts';
import { ActivityPreview } from '#src/features/content-creator/activity-preview.tsx';
import classes from '#src/features/content-creator/content-creator.module.css';
import { PackageProblemList, PackageUpload } from '#src/features/content-creator/package-upload.tsx';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';

const manifestOf = (pack: CoursePackage): H5pManifest | null => (pack.manifest.kind === 'h5p' ? pack.manifest : null);
/** `H5P.TrueFalse 1.6`, as the activity itself calls its kind, where it does. */
export const kindOf = (pack: CoursePackage): string => {
  const manifest = manifestOf(pack);
  const main = manifest?.libraries.find((l) => `${l.name} ${l.major}.${l.minor}` === manifest.main_library);
  return main?.title ?? manifest?.main_library ?? '';
};

type Props = {
  title: string;
  pack: CoursePackage | null;
  save: (fields: BodyOf<typeof createH5p>) => Promise<Result<H5p>>;
  success: string;
  onSaved: () => void;
  more?: ReactNode;
};

/** An activity of the library: its title, its file, what the file holds, and the activity itself to be tried. */
export const H5pForm = ({ title: given, pack: had, save, success, onSaved, more }: Props) => {
  const fields = useForm({
    schema: createH5p.body,
    begin: { title: given, package_id: had },
    toInput: ({ title, package_id }) => ({ title, package_id: package_id?.id }),
    save,
    success,
    onSaved,
  });
  const { field, set } = fields;
  const { title, package_id: pack } = fields.values;
  const { error: wrongPackage } = field('package_id');
  const manifest = pack && manifestOf(pack);
  return (
    <>
      <Form form={fields} beside={more}>
        <FormSection>
          <PackageUpload
            kind="h5p"
            accept=".h5p,application/zip"
            label={pack ? 'Choose another file (.h5p)' : 'Choose a file (.h5p)'}
            onUploaded={(uploaded) => {
              set('package_id', uploaded);
              if (title === '') set('title', uploaded.manifest.title.slice(0, 200));
            }}
          />
          {wrongPackage && (
            <p className={classes.problems} data-field="package_id">
              {wrongPackage}
            </p>
          )}
          {pack && manifest && (
            <dl className={classes.facts}>
              <dt>Kind</dt>
              <dd>{kindOf(pack)}</dd>
              <dt>Size</dt>
              <dd>
                {formatMegabytes(pack.bytes)}, {countOf(pack.files, 'file')}
              </dd>
              <dt>Licence</dt>
              <dd>{manifest.licence === 'U' ? 'Not given' : manifest.licence}</dd>
              {manifest.authors.length > 0 && (
                <>
                  <dt>By</dt>
                  <dd>{manifest.authors.join(', ')}</dd>
                </>
              )}
            </dl>
          )}
          {pack && <PackageProblemList problems={pack.warnings} tone="warning" />}
          <TextInput label="Title" required maxLength={200} {...field('title')} />
        </FormSection>
      </Form>
      {pack && <ActivityPreview key={pack.tree} tree={pack.tree} title={title || pack.manifest.title} />}
    </>
  );
};
