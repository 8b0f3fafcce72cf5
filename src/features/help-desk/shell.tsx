/** What this feature shows in the shell. */
export { HelpButton } from '#src/features/help-desk/help-button.tsx';
