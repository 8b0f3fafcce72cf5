import { Fragment, type ReactNode } from 'react';
import type { RichNode } from '#contract/entities/rich-text.ts';

const marked = (node: RichNode): ReactNode =>
  (node.marks ?? []).reduce<ReactNode>((inner, mark) => {
    if (mark.type === 'bold') return <strong>{inner}</strong>;
    if (mark.type === 'italic') return <em>{inner}</em>;
    const href = mark.attrs?.href ?? '';
    return /^(https?:|mailto:|tel:|\/)/.test(href) ? (
      <a key={href} href={href} rel="noreferrer noopener" target={href.startsWith('http') ? '_blank' : undefined}>
        {inner}
      </a>
    ) : (
      inner
    );
  }, node.text ?? '');

const children = (node: RichNode): ReactNode =>
  (node.content ?? []).map((child, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change its order
    <Fragment key={i}>
      <RichText node={child} />
    </Fragment>
  ));

/** Renders a document as elements. It contains no markup, so nothing in it can execute. */
export const RichText = ({ node }: { node: RichNode }): ReactNode => {
  switch (node.type) {
    case 'text':
      return marked(node);
    case 'hardBreak':
      return <br />;
    case 'paragraph':
      return <p>{children(node)}</p>;
    case 'heading':
      return node.attrs?.level === 4 ? <h4>{children(node)}</h4> : <h3>{children(node)}</h3>;
    case 'bulletList':
      return <ul>{children(node)}</ul>;
    case 'orderedList':
      return <ol>{children(node)}</ol>;
    case 'listItem':
      return <li>{children(node)}</li>;
    case 'blockquote':
      return <blockquote>{children(node)}</blockquote>;
    case 'doc':
      return <>{children(node)}</>;
  }
};
