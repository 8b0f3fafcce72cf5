import { Button } from '@mantine/core';
import { can } from '#contract/can.ts';
import type { H5pDetail, H5pVersion } from '#contract/entities/h5p.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { kindOf } from '#src/features/content-creator/h5p-words.ts';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Table } from '#src/screens/table.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

type Row = H5pVersion & { id: string };
type Props = { h5p: H5pDetail; chosen: string | null; onUse: (file: CoursePackage) => void };

/** The topics that use an older file, with a button that updates them to the current one. */
const Renew = ({ h5p, versions, onDone }: { h5p: H5pDetail; versions: readonly H5pVersion[]; onDone: () => void }) => {
  const mayChange = can(useSession(), 'content.update');
  const older = versions.filter((v) => v.package.id !== h5p.package.id).flatMap((v) => v.topics);
  const behind = [...new Map(older.map((t) => [t.id, t])).values()];
  const editableTopics = behind.filter((t) => t.editable);
  const renew = useAction(() => call('POST /h5ps/{id}/topics', { params: { id: h5p.id }, body: { topic_ids: editableTopics.map((t) => t.id) } }), {
    success: 'The topics have the present file. Learners get it once what they are in is published again.',
    onDone,
  });
  if (behind.length === 0) return null;
  return (
    <div className={layout.notice} data-tone="warning">
      <p style={{ margin: 0 }}>
        {titlesOf(behind)} {behind.length === 1 ? 'has' : 'have'} an older file. People who have begun finish with the file they began with.
      </p>
      {mayChange && editableTopics.length > 0 && (
        <Button variant="default" loading={renew.busy} onClick={() => void renew.run()}>
          Put the present file into{' '}
          {editableTopics.length === behind.length ? (editableTopics.length === 1 ? 'it' : 'them') : titlesOf(editableTopics)}
        </Button>
      )}
      {editableTopics.length < behind.length && (
        <p
          style={{ margin: 0 }}
        >{`${countOf(behind.length - editableTopics.length, 'topic')} of these can be changed in the organisation below that made ${behind.length - editableTopics.length === 1 ? 'it' : 'them'}.`}</p>
      )}
    </div>
  );
};

/** The current and earlier files of an activity: where each is used, with a button to restore it. */
export const H5pVersions = ({ h5p, chosen, onUse }: Props) => {
  const { state, retry } = useRead('GET /h5ps/{id}/versions', { params: { id: h5p.id } });
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: 'file', header: 'File', width: 150, grow: 0.4, value: (v) => v.no },
      cell: (v) => (
        <>
          File {v.no} {v.current && <Badge tone="ok">Present</Badge>}
        </>
      ),
    },
    { id: 'since', header: 'Since', width: 170, grow: 0.3, value: (v) => formatMoment(v.at) },
    { id: 'by', header: 'By', value: (v) => v.by?.name ?? '' },
    { id: 'kind', header: 'Kind', value: (v) => kindOf(v.package) },
    { id: 'size', header: 'Size', width: 90, grow: 0.2, align: 'end', value: (v) => formatMegabytes(v.package.bytes) },
    { id: 'topics', header: 'In topics', width: 180, grow: 1, value: (v) => titlesOf(v.topics) },
    { id: 'contents', header: 'Published in', width: 130, grow: 0.2, value: (v) => (v.contents === 0 ? '' : countOf(v.contents, 'content')) },
    { id: 'open', header: 'Not finished', width: 120, grow: 0.2, align: 'end', value: (v) => v.open },
    {
      ...{ id: 'use', header: 'Back to it', width: 150, grow: 0.2, keep: true, value: () => '' },
      cell: (v) =>
        v.package.id !== chosen && (
          <Button
            variant="default"
            aria-label={`Use this file: File ${v.no}`}
            onClick={() => {
              onUse(v.package);
              notify('info', `File ${v.no} is chosen. Save, and it is the file of this activity again.`);
            }}
          >
            Use this file
          </Button>
        ),
    },
  ];
  return (
    <section aria-label="Files">
      <h2>Files</h2>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the files" offline="The files need a connection." />
      {state.kind === 'loaded' && (
        <>
          <Renew h5p={h5p} versions={state.data} onDone={retry} />
          <Table label={`Files of ${h5p.title}`} name="h5p-files" columns={columns} rows={state.data.map((v) => ({ ...v, id: `${v.no}` }))} />
        </>
      )}
    </section>
  );
};
