import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { can } from '#contract/can.ts';
import type { AuthoredType, Content } from '#contract/entities/authored-content.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { type AuthoredForm, type AuthoredPage, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import { contentChanges } from '#src/features/content-creator/content-values.ts';
import { contentList, contentOne, contentWords } from '#src/features/content-creator/content-words.ts';
import { copyDialog, CopyDialog } from '#src/features/content-creator/copy-dialog.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';

type Of = {
  heading: string;
  Form: (props: AuthoredForm<'/content'>) => ReactNode;
  Page?: (props: AuthoredPage<'/content'>) => ReactNode;
};

/** Makes a copy of a content, as a draft of one's own, and opens it. */
export const CopyButton = ({ content }: { content: Content }) =>
  can(useSession(), 'content.create') && (
    <>
      <Button variant="default" onClick={() => openModal(copyDialog)}>
        Copy …
      </Button>
      <CopyDialog content={content} />
    </>
  );

/** The pages of one type of content. One of another organisation can be copied, and not changed. */
export const contentPages = (type: AuthoredType, { heading, Form, Page }: Of) =>
  authoredPages('/content', {
    list: contentList(type),
    ...(Page ? { Page, one: (id: string) => contentOne(type, id) } : {}),
    needs: { add: 'content.create', change: 'content.update' },
    words: {
      ...{ add: contentWords[type].add, heading, one: contentWords[type].one, name: heading.toLowerCase() },
      question: 'Remove it? People who have begun it can finish it; results and certificates stay.',
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
              instead: <CopyButton content={content} />,
            },
    ...(Page ? {} : { beside: (content: Content) => <CopyButton content={content} /> }),
    Form,
  });
