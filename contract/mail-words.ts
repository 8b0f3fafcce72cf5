/** Said wherever an e-mail is promised, on a server that has no mail server yet. */
export const mailWaits = 'This server cannot send e-mail yet. What is to be sent is kept, and goes out as soon as it can.';
/** What a person does who cannot be sent a link to choose a password. */
export const linkInstead = 'Until then, whoever runs the server can make a link for one person with “operator password-link”.';
