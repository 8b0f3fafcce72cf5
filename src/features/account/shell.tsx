/** What this feature shows in the shell. */
export { AccountMenu } from '#src/features/account/account-menu.tsx';
