import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, TextInput } from '@mantine/core';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { importContent } from '#contract/api/course-files.ts';
import { contentFileLimits } from '#contract/entities/content-file.ts';
import type { CourseInFile } from '#contract/entities/course-file.ts';
import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { ChooseFile, type OnItsWay } from '#src/features/content-creator/choose-file.tsx';
import { contentPage } from '#src/screens/authoring/content-words.ts';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { sendPieces } from '#src/screens/send-file.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

const importDialog = 'import-course';

const filesWords = ({ count, bytes, here }: CourseInFile['files'], one = 'file') =>
  count === 0 ? 'none' : `${countOf(count, one)}, ${formatMegabytes(bytes)}${here > 0 ? ` · ${here === count ? 'all' : here} here already` : ''}`;

/** The contents of the file, and what would not be imported. */
const InFile = ({ course }: { course: CourseInFile }) => {
  const facts = [
    ['From', course.exported_at === null ? course.organisation : `${course.organisation}, ${formatMoment(course.exported_at)}`],
    ['Course there', course.course],
    ...(course.pages.length > 0 ? [['Pages', course.pages.join(', ')] as const] : []),
    ['Lessons', course.lessons.map((l) => `${l.title} (${countOf(l.topics.length, 'topic')})`).join(', ') || 'none'],
    ['Quizzes', course.quizzes.map((q) => `${q.title} (${countOf(q.questions, 'question')})`).join(', ') || 'none'],
    ['Files', filesWords(course.files)],
    ...(course.packages.count > 0 ? [['H5P activities', filesWords(course.packages, 'package')] as const] : []),
  ] as const;
  return (
    <>
      <dl className={shapes.facts}>
        {facts.map(([name, fact]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
      {(course.left_out.length > 0 || course.same_title) && (
        <section className={`${layout.notice} ${classes.problems}`} data-tone="warning">
          {course.same_title && <p>You have an e-learning of this title already. This makes another one beside it.</p>}
          {course.left_out.length > 0 && (
            <>
              <h2>Not taken</h2>
              <ul>
                {course.left_out.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            </>
          )}
        </section>
      )}
    </>
  );
};

const MakeIt = ({ id, course }: { id: string; course: CourseInFile }) => {
  const navigate = useNavigate();
  const fields = useForm({
    schema: importContent.body,
    begin: { title: course.title, course_id: null as Option | null },
    toInput: ({ title, course_id }) => ({ title, course_id: course_id?.id }),
    save: (body) => call('POST /content/imports/{id}', { params: { id }, body }),
    // Only now is it known what could not be imported.
    success: ({ left_out }) => [texts.contentCreated, ...left_out.filter((what) => !course.left_out.includes(what))].join(' '),
    onSaved: (made) => {
      closeModal(importDialog);
      void navigate(contentPage(made, 'elearning'));
    },
  });
  const { field } = fields;
  return (
    <Form form={fields} label="Import" save="Import it">
      <FormSection>
        <InFile course={course} />
        <TextInput label="Title" required {...field('title')} />
        <Picker from="courses" label="Course that it is for" required {...field('course_id')} />
        <p className={shapes.muted}>It becomes a draft: nobody sees it until you publish it.</p>
      </FormSection>
    </Form>
  );
};

const Import = () => {
  const [sending, setSending] = useState<OnItsWay | null>(null);
  const [failure, setFailure] = useState('');
  const [read, setRead] = useState<{ id: string; course: CourseInFile } | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const send = async (file: File | null) => {
    if (!file) return;
    setFailure('');
    setRead(null);
    const controller = new AbortController();
    control.current = controller;
    setSending({ name: file.name, part: 0 });
    const sent = await sendPieces('course', file, (part) => !controller.signal.aborted && setSending({ name: file.name, part }), controller.signal);
    const looked =
      sent.kind === 'ok' && !controller.signal.aborted
        ? await call('GET /content/imports/{id}', { params: { id: sent.data.id } }, { quiet: true })
        : sent;
    if (controller.signal.aborted) {
      if (control.current === controller) setSending(null);
      return;
    }
    setSending(null);
    if (looked.kind !== 'ok') setFailure(looked.kind === 'refused' ? (looked.error.errors?.file?.[0] ?? sentenceOf(looked)) : sentenceOf(looked));
    else if (sent.kind === 'ok') setRead({ id: sent.data.id, course: looked.data as CourseInFile });
  };
  return (
    <div className={`${shapes.bare} ${layout.stack}`}>
      <ChooseFile
        about="A course that was exported from e-learning, here or on another server, or a Common Cartridge (1.1 to 1.3) of another program. You see what it holds before anything is made of it."
        accept=".zip,.imscc,application/zip"
        choose="Choose a file (.zip, .imscc)"
        mostBytes={contentFileLimits.bytes}
        sending={sending}
        read={read !== null}
        failure={failure}
        onFile={(file) => void send(file)}
        onStop={() => control.current?.abort()}
      />
      {read && <MakeIt key={read.id} id={read.id} course={read.course} />}
    </div>
  );
};

/** Imports a course file as an e-learning content. */
export const CourseImport = () => (
  <>
    <Button variant="default" onClick={() => openModal(importDialog)}>
      Import …
    </Button>
    <RegisteredModal name={importDialog} title="Import a course" width={760} scrollable>
      {() => <Import />}
    </RegisteredModal>
  </>
);
