import layout from '#src/ui/page.module.css';
import { Button, FileButton, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CoursePackage, PackageProblem } from '#contract/entities/package.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { useSession } from '#src/access/session.ts';
import { sentenceOf } from '#src/api/call.ts';
import { upload } from '#src/api/upload.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { formatMegabytes } from '#src/lib/format.ts';
import { IconAlert } from '#src/ui/icons.tsx';

/** The errors or warnings of a package: which file, what, and how to fix it. */
export const PackageProblemList = ({ problems, tone }: { problems: readonly PackageProblem[]; tone: 'danger' | 'warning' }) =>
  problems.length > 0 && (
    <section className={`${layout.notice} ${classes.problems}`} data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
      <h2>{tone === 'danger' ? 'This file cannot be used yet' : 'Warnings'}</h2>
      <ul>
        {problems.map((p) => (
          <li key={`${p.code}:${p.file}:${p.problem}`}>
            {p.problem}
            <p>{p.remedy}</p>
          </li>
        ))}
      </ul>
    </section>
  );

type Props = { kind: 'scorm' | 'h5p'; accept: string; label: string; onUploaded: (pack: CoursePackage) => void };

/** Chooses and uploads a package with progress; its errors are shown by file, and nothing else is lost. */
export const PackageUpload = ({ kind, accept, label, onUploaded }: Props) => {
  const [sending, setSending] = useState<{ name: string; bytes: number; part: number } | null>(null);
  const [failure, setFailure] = useState<{ message: string | null; problems: PackageProblem[] } | null>(null);
  const control = useRef<AbortController | null>(null);
  const user = useSession();
  const oneOrigin = user?.content_origin === location.origin;
  const mayUpload = !oneOrigin || user?.super_admin === true;
  useEffect(() => () => control.current?.abort(), []);
  const send = async (file: File | null) => {
    if (!file) return;
    setFailure(null);
    if (file.size > packageLimits.uploadBytes) {
      setFailure({
        message: `“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(packageLimits.uploadBytes)} is the most.`,
        problems: [],
      });
      return;
    }
    const controller = new AbortController();
    control.current = controller;
    setSending({ name: file.name, bytes: file.size, part: 0 });
    const result = await upload<CoursePackage>(
      `/packages?kind=${kind}`,
      file,
      (part) => !controller.signal.aborted && setSending({ name: file.name, bytes: file.size, part }),
      controller.signal,
    );
    setSending(null);
    if (controller.signal.aborted) return;
    if (result.kind === 'ok') onUploaded(result.data);
    else {
      const problems = result.kind === 'refused' ? ((result.error.problems as PackageProblem[] | undefined) ?? []) : [];
      setFailure({ message: problems.length > 0 ? null : sentenceOf(result), problems });
    }
  };
  return (
    <div className={layout.stack}>
      {sending ? (
        <>
          <span role="status">
            {sending.part < 1 ? `Sending “${sending.name}”, ${formatMegabytes(sending.bytes)}` : `Reading and checking “${sending.name}”`}
          </span>
          <Progress value={sending.part * 100} animated={sending.part >= 1} aria-label={`${Math.round(sending.part * 100)} % sent`} />
          <div className={layout.tools}>
            <Button variant="default" onClick={() => control.current?.abort()}>
              Stop
            </Button>
          </div>
        </>
      ) : mayUpload ? (
        <div className={layout.tools}>
          <FileButton accept={accept} onChange={(file) => void send(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {label}
              </Button>
            )}
          </FileButton>
          <small>Up to {formatMegabytes(packageLimits.uploadBytes)}.</small>
        </div>
      ) : (
        <p className={layout.notice} data-tone="warning">
          <IconAlert size={20} /> On this server only a super administrator can upload packages.
        </p>
      )}
      {oneOrigin && mayUpload && (
        <p className={layout.notice} data-tone="warning">
          <IconAlert size={20} /> On this server a package runs with the rights of the person who plays it. Upload only packages from a source you
          trust.
        </p>
      )}
      {failure?.message && (
        <p className={layout.notice} data-tone="danger" role="alert">
          <IconAlert size={20} /> {failure.message}
        </p>
      )}
      {failure && <PackageProblemList problems={failure.problems} tone="danger" />}
    </div>
  );
};
