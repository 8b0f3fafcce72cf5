import { Fragment, type ReactNode } from 'react';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { linkTarget } from '#contract/rules/links.ts';
import classes from '#src/screens/block-view.module.css';

const marked = (node: RichNode): ReactNode =>
  (node.marks ?? []).reduce<ReactNode>((inner, mark) => {
    if (mark.type === 'bold') return <strong>{inner}</strong>;
    if (mark.type === 'italic') return <em>{inner}</em>;
    const href = linkTarget(mark.attrs?.href);
    return href !== null ? (
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

/** In a row of headings, each belongs to its column; any other to its row. */
const scopeIn = (row: RichNode) => ((row.content ?? []).every((cell) => cell.type === 'tableHeader') ? 'col' : 'row');

const Row = ({ row }: { row: RichNode }) => (
  <tr>
    {(row.content ?? []).map((cell, i) => {
      const span = { colSpan: cell.attrs?.colspan, rowSpan: cell.attrs?.rowspan };
      const key = `${i}`;
      return cell.type === 'tableHeader' ? (
        <th key={key} scope={scopeIn(row)} {...span}>
          {children(cell)}
        </th>
      ) : (
        <td key={key} {...span}>
          {children(cell)}
        </td>
      );
    })}
  </tr>
);

const headings = { 2: 'h2', 3: 'h3', 4: 'h4' } as const;

/** Renders a document as elements. It contains no markup, so nothing in it can execute. */
export const RichText = ({ node }: { node: RichNode }): ReactNode => {
  switch (node.type) {
    case 'text':
      return marked(node);
    case 'hardBreak':
      return <br />;
    case 'paragraph':
      return <p>{children(node)}</p>;
    case 'heading': {
      const Heading = headings[(node.attrs?.level ?? 3) as 2 | 3 | 4];
      return <Heading>{children(node)}</Heading>;
    }
    case 'bulletList':
      return <ul>{children(node)}</ul>;
    case 'orderedList':
      return <ol start={node.attrs?.start}>{children(node)}</ol>;
    case 'listItem':
      return <li>{children(node)}</li>;
    case 'blockquote':
      return <blockquote>{children(node)}</blockquote>;
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled with the arrow keys
        <section className={classes.table} aria-label="Table, can be moved sideways" tabIndex={0}>
          <table>
            <tbody>{children(node)}</tbody>
          </table>
        </section>
      );
    case 'tableRow':
      return <Row row={node} />;
    case 'details':
      return <details className={classes.details}>{children(node)}</details>;
    case 'summary':
      return <summary>{children(node)}</summary>;
    case 'tableHeader':
    case 'tableCell':
    case 'doc':
      return <>{children(node)}</>;
  }
};
