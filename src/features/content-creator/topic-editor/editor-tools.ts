import { createContext, useContext } from 'react';
import type { FilesUnderWay, Uploads } from '#src/screens/authoring/uploads.ts';

type Tools = {
  files: FilesUnderWay;
  uploads: Uploads;
  /** A question that was just inserted: its first field gets the focus. */
  begun: { current: string | null };
};
const ToolsContext = createContext<Tools | null>(null);
export const EditorTools = ToolsContext.Provider;

/** The context of the document's parts in their editor. */
export const useEditorTools = (): Tools => {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error('A part stands in an editor.');
  return tools;
};
