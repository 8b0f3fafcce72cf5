import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { H5p } from '#contract/entities/h5p.ts';
import type { CoursePackage, H5pManifest } from '#contract/entities/package.ts';
import type { Result } from '#src/api/transport.ts';
import { ActivityPreview } from '#src/features/content-creator/activity-preview.tsx';
import classes from '#src/features/content-creator/content-creator.module.css';
import { PackageProblemList, PackageUpload } from '#src/features/content-creator/package-upload.tsx';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

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
  save: (title: string, pack: CoursePackage) => Promise<Result<H5p>>;
  onSaved: () => void;
  more?: ReactNode;
};

/** An activity of the library: its title, its file, what the file holds, and the activity itself to be tried. */
export const H5pForm = ({ title: given, pack: had, save, onSaved, more }: Props) => {
  const [title, setTitle] = useState(given);
  const [pack, setPack] = useState(had);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const manifest = pack && manifestOf(pack);
  const submit = async () => {
    if (!pack) {
      setErrors({ file: 'Choose the file of the activity first.' });
      return;
    }
    if (title.trim() === '') {
      setErrors({ title: 'Enter a title.' });
      return;
    }
    setBusy(true);
    const result = await save(title.trim(), pack);
    setBusy(false);
    if (result.kind === 'ok') onSaved();
    else {
      const { package_id: file, ...named } = fieldErrorsOf(result);
      setErrors({ ...named, ...(file ? { file } : {}) });
    }
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
          kind="h5p"
          accept=".h5p,application/zip"
          label={pack ? 'Choose another file (.h5p)' : 'Choose a file (.h5p)'}
          onBegin={() => setErrors({})}
          onUploaded={(uploaded) => {
            setPack(uploaded);
            if (title === '') setTitle(uploaded.manifest.title.slice(0, 200));
          }}
        />
        {errors.file && (
          <p className={classes.problems} data-field="file">
            {errors.file}
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
        <TextInput
          label="Title"
          required
          maxLength={200}
          value={title}
          error={errors.title}
          onChange={(e) => {
            setTitle(e.currentTarget.value);
            setErrors({});
          }}
        />
        <div className={classes.row}>
          <Button type="submit" loading={busy}>
            Save
          </Button>
          {more}
        </div>
      </form>
      {pack && <ActivityPreview key={pack.tree} tree={pack.tree} title={title || pack.manifest.title} />}
    </>
  );
};
