/** The catalogue's own texts (specification section 8), word for word. Screens use these keys, never copies. */
export const texts = {
  failedToFetchUsers: 'Failed to fetch users.',
  failedToFetchContent: 'Failed to fetch content.',
  errorLoadingAttempts: 'Error loading course attempts. Please contact support.',
  errorCreatingAttempt: 'Error creating course attempt. Please contact support.',
  errorLoadingAttempt: 'Error loading course attempt. Please contact support.',
  errorDeletingAttempt: 'Error deleting course attempt. Please contact support.',
  lostConnection: 'Lost connection to server. Please try again.',
  errorLoadingContent: 'Error loading content. Please contact support.',
  errorLoadingTopic: 'Error loading topic. Please contact support.',
  unableToDownload: 'Unable to download',
  fallback: 'Something went wrong please try again or contact support.',
  invalidInput: 'Invalid input.',
  messageDeleted: 'Message deleted.',
  successfullyUpdated: 'Successfully updated.',
} as const;
