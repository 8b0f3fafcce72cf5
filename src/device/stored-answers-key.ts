/** Where the GraphQL client keeps its answers in a person's store; a device without it has none to show. */
export const storedAnswersKey = 'apollo-cache-persist';
