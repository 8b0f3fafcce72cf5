/** The parts of this feature in the shell. */
export { HelpButton } from '#src/features/help-desk/help-button.tsx';
