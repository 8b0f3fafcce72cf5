import { createContext, useContext } from 'react';
import type { FilesUnderWay, Uploads } from '#src/screens/authoring/uploads.ts';

type Tools = {
  files: FilesUnderWay;
  uploads: Uploads;
  /** The question that was just inserted to be written: its first field is where writing goes on. */
  begun: { current: string | null };
};
const ToolsContext = createContext<Tools | null>(null);
export const EditorTools = ToolsContext.Provider;

/** What the parts of the document need of the editor that they stand in. */
export const useEditorTools = (): Tools => {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error('A part stands in an editor.');
  return tools;
};
