import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Fragment, type ReactNode } from 'react';
import type { CoursePackage } from '#contract/entities/package.ts';
import { PackageProblemList, PackageUpload } from '#src/features/content-creator/package-upload.tsx';
import { countOf, formatMegabytes } from '#src/lib/format.ts';

type Props = {
  kind: 'scorm' | 'h5p';
  pack: CoursePackage | null;
  /** The form's error of the file. */
  error: ReactNode;
  onUploaded: (pack: CoursePackage) => void;
  /** Facts before and after its size; null if it is of another kind. */
  facts: { first: readonly [string, string][]; last?: readonly [string, string][] } | null;
  note?: ReactNode;
};
const endings = { scorm: '.zip', h5p: '.h5p' } as const;

/** The file of a form: choosing and uploading it, with its contents and warnings. */
export const PackagePart = ({ kind, pack, error, onUploaded, facts, note }: Props) => {
  const ending = endings[kind];
  return (
    <>
      <PackageUpload
        kind={kind}
        accept={`${ending},application/zip`}
        label={pack ? `Choose another file (${ending})` : `Choose a file (${ending})`}
        onUploaded={onUploaded}
      />
      {error && (
        <p className={layout.notice} data-tone="danger" data-field="package_id">
          {error}
        </p>
      )}
      {pack && facts && (
        <dl className={shapes.facts}>
          {[...facts.first, ['Size', `${formatMegabytes(pack.bytes)}, ${countOf(pack.files, 'file')}`] as const, ...(facts.last ?? [])].map(
            ([name, fact]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </Fragment>
            ),
          )}
        </dl>
      )}
      {note}
      {pack && <PackageProblemList problems={pack.warnings} tone="warning" />}
    </>
  );
};
