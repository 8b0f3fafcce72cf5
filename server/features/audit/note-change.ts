export { type By, noteChange } from '#server/http/note-change.ts';
