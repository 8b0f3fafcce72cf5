import type { Node as Content } from '@tiptap/pm/model';
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';

/** The positions of the first and last top-level parts in the selection. */
export const chosenParts = ({ doc, selection: { $from, $to } }: EditorState): { first: number; last: number } => {
  const first = Math.min($from.index(0), doc.childCount - 1);
  return { first, last: Math.max(first, $to.depth === 0 ? $to.index(0) - 1 : $to.index(0)) };
};

const startOf = (doc: Content, index: number): number => {
  let at = 0;
  for (let i = 0; i < index; i++) at += doc.child(i).nodeSize;
  return at;
};

/** Writing continues in the empty last paragraph: nothing is moved below it. */
const isEnd = (doc: Content, index: number) => {
  const node = doc.child(index);
  return index === doc.childCount - 1 && node.type.name === 'paragraph' && node.childCount === 0;
};

/** Moves the selected parts above (−1) or below (1) their neighbour. */
export const moveParts =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { doc } = state;
    const { first, last } = chosenParts(state);
    const index = direction === -1 ? first - 1 : last + 1;
    if (index < 0 || index >= doc.childCount || isEnd(doc, index)) return false;
    if (dispatch) {
      const neighbour = doc.child(index);
      const at = startOf(doc, index);
      // Move the neighbour to the other side instead, so that the selection stays.
      const target = direction === -1 ? startOf(doc, last + 1) - neighbour.nodeSize : startOf(doc, first);
      dispatch(
        state.tr
          .delete(at, at + neighbour.nodeSize)
          .insert(target, neighbour)
          .scrollIntoView(),
      );
    }
    return true;
  };

/** Deletes the selected parts. */
export const deleteParts: Command = (state, dispatch) => {
  const { first, last } = chosenParts(state);
  if (dispatch) {
    const [from, to] = [startOf(state.doc, first), startOf(state.doc, last + 1)];
    const whole = from === 0 && to === state.doc.content.size;
    const tr = whole ? state.tr.replaceWith(from, to, state.schema.node('paragraph')) : state.tr.delete(from, to);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)))).scrollIntoView());
  }
  return true;
};

/**
 * Inserts nodes below the part with the selection, or replaces it if it is an empty paragraph. The first node is selected, or
 * the caret placed at its start.
 */
export const insertParts =
  (nodes: readonly Content[]): Command =>
  (state, dispatch) => {
    const { last } = chosenParts(state);
    const current = state.doc.child(last);
    const start = startOf(state.doc, last);
    const replaced = current.type.name === 'paragraph' && current.childCount === 0;
    const at = replaced ? start : start + current.nodeSize;
    if (dispatch) {
      const tr = state.tr.replaceWith(at, replaced ? at + current.nodeSize : at, nodes);
      const first = nodes[0];
      if (first) tr.setSelection(first.isAtom ? NodeSelection.create(tr.doc, at) : TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView();
      dispatch(tr);
    }
    return true;
  };

/** Moves from the title of a callout or an expandable part into its content. */
export const leaveTitle: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || !['calloutTitle', 'summary'].includes($from.parent.type.name)) return false;
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve($from.after() + 1))).scrollIntoView());
  return true;
};

/** Starts a new paragraph below the top-level part with the selection. */
export const paragraphBelow: Command = (state, dispatch) => {
  const { last } = chosenParts(state);
  const at = startOf(state.doc, last + 1);
  if (dispatch) {
    const tr = state.tr.insert(at, state.schema.node('paragraph'));
    dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
  }
  return true;
};
