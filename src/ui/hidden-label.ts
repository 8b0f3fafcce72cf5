/**
 * Names a group of choices for screen readers where the name is already shown beside it. Mantine gives its groups a name only by their label:
 * an `aria-label` ends up on an element without a role.
 */
export const hiddenLabel = (label: string) => ({ label, labelProps: { className: 'visually-hidden' } });
