import type { ReactNode } from 'react';
import type { AuthoredType, Content } from '#contract/entities/authored-content.ts';
import { texts } from '#contract/texts.ts';
import { type AuthoredForm, type AuthoredPage, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import { contentChanges } from '#src/screens/authoring/content-values.ts';
import { contentList, contentOne, contentWords, isAuthored } from '#src/screens/authoring/content-words.ts';
import { CopyButton } from '#src/screens/authoring/copy-dialog.tsx';
import { WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { DeleteContentButton } from '#src/screens/authoring/sure-dialog.tsx';

type Of = {
  heading: string;
  Form: (props: AuthoredForm<'/content'>) => ReactNode;
  Page: (props: AuthoredPage<'/content'>) => ReactNode;
};

/** Copies a content and opens the copy. */
export const CopyContent = ({ content }: { content: Content }) => (
  <CopyButton
    content={content}
    about={content.type === 'elearning' ? 'Lessons, topics and quizzes are copied with it, so that you can change them freely.' : ''}
    to={(id) => contentOne(isAuthored(content.type) ? content.type : 'elearning', id)}
  />
);

/** The pages of one type of content. Another organisation's can be copied but not changed. */
export const contentPages = (type: AuthoredType, { heading, Form, Page }: Of) =>
  authoredPages('/content', {
    list: contentList(type),
    one: (id: string) => contentOne(type, id),
    needs: { add: 'content.create', change: 'content.update' },
    words: {
      ...{ add: contentWords[type].add, heading, one: contentWords[type].one, name: heading.toLowerCase() },
      question: 'Delete it?',
    },
    said: { created: texts.contentCreated, updated: texts.contentUpdated, deleted: texts.contentDeleted },
    changes: (fields) => contentChanges(type, fields),
    refusal: (content) =>
      content.type !== type
        ? { why: 'This is a content of another type.' }
        : content.editable
          ? null
          : {
              why: `${content.entity.name} created this, and only they can change it.`,
              instead: <CopyContent content={content} />,
            },
    removal: ({ thing: { id, title }, ...props }) => <DeleteContentButton id={id} title={title} {...props} />,
    also: (content) => <WhoTakesIt course={content.course.id} content={content.id} />,
    Form,
    Page,
  });
